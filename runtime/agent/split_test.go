package agent

import (
	"encoding/json"
	"reflect"
	"testing"
)

// same holds what split reads against encoding/json.
func same(t *testing.T, data []byte) {
	t.Helper()
	var want map[string]json.RawMessage
	err := json.Unmarshal(data, &want)
	got, ok := split(data)
	if !ok {
		return // then encoding/json is asked
	}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Fatalf("%q: expected %q, %v, observed %q", data, want, err, got)
	}
	for key, raw := range got {
		var text, plainly string
		err := json.Unmarshal(raw, &text)
		if plain(raw, &plainly) && (err != nil || text != plainly) {
			t.Fatalf("%q: expected %q, %v, observed %q", key, text, err, plainly)
		}
	}
}

func splitSeeds() []string {
	return []string{
		`{}`, ` { } `, `{"a":1}`, "\t{ \"a\" : -1.5e3 ,\r\n\"b\":true}", `{"a":"x\"}y","b":[1,{"c":"]"}],"d":{"e":null}}`,
		`{"a":1,"a":2}`, `{"\u0061":1,"a":2}`, "{\"\xff\":\"\xff\"}", `{"a":"\ud800"}`, `{"":""}`, `{"a":"\\"}`, `{"a":"ü\u2028"}`,
		`{"prompt":"run the tests","cwd":"/w","stop_hook_active":false,"n":null}`,
		``, ` `, `null`, `[]`, `{`, `{"a"}`, `{"a":}`, `{"a":1,}`, `{"a":1}{`, `{"a":1} x`, `{"a":"`, `{"a":"\`, `"a"`, `{]`,
	}
}

func TestSplit(t *testing.T) {
	t.Parallel()
	for _, in := range splitSeeds() {
		same(t, []byte(in))
	}
	if _, ok := split([]byte(`{"prompt":"run","n":[1]}`)); !ok {
		t.Error("a common payload is not split")
	}
}

func FuzzSplit(f *testing.F) {
	for _, in := range splitSeeds() {
		f.Add([]byte(in))
	}
	f.Fuzz(func(t *testing.T, data []byte) { same(t, data) })
}
