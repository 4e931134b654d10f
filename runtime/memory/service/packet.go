package service

import "kitsoki/runtime/memory/wire"

// packet is a retrieval as the contract has it: the records, and once more as
// what is to be shown.
type packet struct {
	Records  []packetRecord `json:"records"`
	Delivery delivery       `json:"delivery"`
	Quality  quality        `json:"quality"`
	Messages int            `json:"conversation_messages"` // how many were used
}

// packetRecord has its kind under two names: the contract's, and the one that
// clients of other services know.
type packetRecord struct {
	ID     string `json:"id,omitempty"`
	Kind   string `json:"kind"`
	Type   string `json:"record_type"`
	Title  string `json:"title"`
	Body   string `json:"body"`
	Source string `json:"source"`
}

type delivery struct {
	Status  string         `json:"status"` // ready, quiet or degraded
	Records []packetRecord `json:"records"`
}

type quality struct {
	Status string `json:"status"` // complete or degraded
	Reason string `json:"reason,omitempty"`
}

func newPacket(found Retrieval, messages int) packet {
	records := make([]packetRecord, 0, len(found.Records))
	for _, r := range found.Records {
		records = append(records, packetRecord{r.ID, r.Kind, r.Kind, r.Title, r.Body, r.Source})
	}
	p := packet{records, delivery{"ready", records}, quality{Status: "complete"}, messages}
	switch {
	case found.Degraded != "":
		p.Delivery.Status, p.Quality = wire.Degraded, quality{wire.Degraded, found.Degraded}
	case len(records) == 0:
		p.Delivery.Status = "quiet"
	}
	return p
}
