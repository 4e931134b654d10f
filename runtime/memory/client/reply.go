package client

import (
	"errors"
	"strings"

	"kitsoki/runtime/memory/wire"
)

// Record is one piece of what a service knows, as it came: making it harmless
// is the part of whoever shows it. A text that the service did not give is "".
type Record struct{ Kind, Title, Body, Source string }

// Recall is what a service answers to the start of a turn. Status is one line
// that says that the service was not at its best, "" when it was: without it,
// no records mean that nothing is known.
type Recall struct {
	Records []Record
	Status  string
	Resumed bool // the service had this turn already
}

var errNoSession = errors.New(`"session_id" is missing`)

func openReply(data []byte) (string, error) {
	reply, err := wire.Parse(data)
	if err != nil {
		return "", err
	}
	id, err := reply.Text("session_id")
	if err == nil && strings.TrimSpace(id) == "" {
		err = errNoSession
	}
	return id, err
}

// startReply reads retrieval.delivery.records when delivery is an object, else
// retrieval.records.
func startReply(data []byte) (Recall, error) {
	reply, err := wire.Parse(data)
	if err != nil {
		return Recall{}, err
	}
	retrieval, err := reply.Object("retrieval")
	if err != nil || retrieval == nil {
		return Recall{}, err
	}
	delivery, isObject := retrieval.Object("delivery")
	from := retrieval
	if isObject == nil && delivery != nil {
		from = delivery
	}
	list, err := from.Objects("records")
	if err != nil {
		return Recall{}, err
	}
	records, err := records(list)
	if err != nil {
		return Recall{}, err
	}
	status, err := status(retrieval, delivery)
	return Recall{Records: records, Status: status, Resumed: string(reply["resumed"]) == "true"}, err
}

// records reads records; one that says nothing is none.
func records(list []wire.Object) ([]Record, error) {
	var out []Record
	for _, o := range list {
		r, err := record(o)
		if err != nil {
			return nil, err
		}
		if r.Title != "" || r.Body != "" {
			out = append(out, r)
		}
	}
	return out, nil
}

// record reads one. The contract calls the texts kind, title, body and source;
// services also send what they have under the names behind these, which count
// where the first is missing.
func record(o wire.Object) (r Record, err error) {
	for _, f := range []struct {
		to    *string
		names []string
	}{
		{&r.Kind, []string{"kind", "record_type"}},
		{&r.Title, []string{"title", "query"}},
		{&r.Body, []string{"body", "excerpt", "content", "summary", "answer"}},
		{&r.Source, []string{"source", "source_url", "url", "path"}},
	} {
		if *f.to, err = oneOf(o, f.names); err != nil {
			return Record{}, err
		}
	}
	return r, nil
}

// oneOf is the first text that says something.
func oneOf(o wire.Object, names []string) (string, error) {
	for _, name := range names {
		text, err := o.Text(name)
		if err != nil {
			return "", err
		}
		if text = strings.TrimSpace(text); text != "" {
			return text, nil
		}
	}
	return "", nil
}

// status is the line for a service that answered, but not with all it has.
// delivery is nil when there is none.
func status(retrieval, delivery wire.Object) (string, error) {
	quality, err := retrieval.Object("quality")
	if err != nil {
		return "", err
	}
	var parts []string
	for _, part := range []struct {
		name string
		of   wire.Object
	}{{"delivery", delivery}, {"quality", quality}} {
		said, err := part.of.Text("status")
		if err != nil {
			return "", err
		}
		if said == wire.Degraded {
			parts = append(parts, part.name)
		}
	}
	if parts == nil {
		return "", nil
	}
	return "kitsoki: the memory service is degraded (" + strings.Join(parts, ", ") + "): what it knows may be missing here.", nil
}
