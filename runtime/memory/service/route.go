package service

import (
	"errors"
	"io"
	"net/http"

	"kitsoki/runtime/journal"
	"kitsoki/runtime/memory/wire"
)

// drained is how much of a body that is too large is read and thrown away, so
// that a client which first sends all of it hears the answer.
const drained = 8 << 20

// refusal is an answer that is not the one asked for. Code is stable.
type refusal struct {
	status        int
	code, message string
}

func (r *refusal) Error() string { return r.code + ": " + r.message }

func refuse(status int, code, message string) error { return &refusal{status, code, message} }

func invalid(message string) error { return refuse(http.StatusBadRequest, "invalid", message) }

func conflict(message string) error { return refuse(http.StatusBadRequest, "conflict", message) }

// call is a request that may be answered: who asks, and what.
type call struct {
	r         *http.Request
	namespace string
	turn      string // from the path
	body      wire.Object
}

// handle answers one request.
func (s *Service) handle(w http.ResponseWriter, r *http.Request) {
	reply, err := s.answer(w, r)
	if err == nil {
		write(w, http.StatusOK, reply)
		return
	}
	var ref *refusal
	if !errors.As(err, &ref) {
		s.opts.Report(err)
		ref = &refusal{http.StatusInternalServerError, "internal", "the service failed"}
	}
	switch ref.status {
	case http.StatusUnauthorized:
		w.Header().Set("WWW-Authenticate", "Bearer")
	case http.StatusMethodNotAllowed:
		w.Header().Set("Allow", http.MethodPost)
	}
	write(w, ref.status, errorReply{errorBody{ref.code, ref.message}})
}

type (
	errorReply struct {
		Error errorBody `json:"error"`
	}
	errorBody struct {
		Code    string `json:"code"`
		Message string `json:"message"`
	}
)

// answer takes a request through its checks: where from, where to, who, what.
func (s *Service) answer(w http.ResponseWriter, r *http.Request) (any, error) {
	if err := s.fromPage(r); err != nil {
		return nil, err
	}
	do, turn := s.route(r.URL.EscapedPath())
	if do == nil {
		return nil, refuse(http.StatusNotFound, "not_found", "there is nothing at this path")
	}
	if r.Method != http.MethodPost { // the path exists: 405, which the contract leaves open
		return nil, refuse(http.StatusMethodNotAllowed, "wrong_method", "this path takes POST")
	}
	namespace, err := s.authorize(r)
	if err != nil {
		return nil, err
	}
	body, err := read(w, r)
	if err != nil {
		return nil, err
	}
	if err := claims(body, namespace); err != nil {
		return nil, err
	}
	return do(call{r, namespace, turn, body})
}

// route finds what a path is for; nil for a path that is for nothing.
func (s *Service) route(path string) (do func(call) (any, error), turn string) {
	switch path {
	case wire.PathOpen:
		return s.open, ""
	case wire.PathStart:
		return s.start, ""
	}
	if turn, ok := wire.CompletedTurn(path); ok {
		return s.complete, turn
	}
	return nil, ""
}

// read reads a body of up to wire.MaxBody bytes.
func read(w http.ResponseWriter, r *http.Request) (wire.Object, error) {
	data, err := io.ReadAll(io.LimitReader(r.Body, wire.MaxBody+1))
	if err != nil {
		return nil, invalid("the body could not be read")
	}
	if len(data) > wire.MaxBody {
		_, _ = io.Copy(io.Discard, http.MaxBytesReader(w, r.Body, drained))
		return nil, refuse(http.StatusBadRequest, "too_large", "the body has more than 2000000 bytes")
	}
	body, err := wire.Parse(data)
	if err != nil {
		return nil, invalid("the body can't be used: " + err.Error())
	}
	return body, nil
}

// write sends a reply. One that can't be sent has nobody to be told.
func write(w http.ResponseWriter, status int, reply any) {
	data, err := journal.PlainJSON(reply)
	if err != nil {
		status, data = http.StatusInternalServerError, []byte(`{"error":{"code":"internal","message":"the service failed"}}`)
	}
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, _ = w.Write(append(data, '\n'))
}

// needed reads texts that must be there and say something.
func needed(body wire.Object, keys ...string) ([]string, error) {
	out := make([]string, len(keys))
	for i, key := range keys {
		text, err := body.Text(key)
		if err != nil {
			return nil, invalid(err.Error())
		}
		if wire.Cut(text, 1) == "" {
			return nil, invalid(`"` + key + `" is needed`)
		}
		out[i] = text
	}
	return out, nil
}
