package main

import "testing"

func TestPlain(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"rebase · ⌁ 新":                   "rebase · ⌁ 新",
		"\x1b[31mred\a":                  `\x1b[31mred\a`,
		"a\tb\r\nc":                      "a\tb" + `\r` + "\nc",
		"\x9b31m \xff":                   `\x9b31m \xff`,
		"\u009b31m \ufffd \u202egnp.exe": `\u009b31m ` + "\ufffd" + ` \u202egnp.exe`,
	} {
		if got := plain(text); got != want {
			t.Errorf("plain(%q) is %q, expected %q", text, got, want)
		}
	}
	if got := plainLine("a\nb"); got != `a\nb` {
		t.Errorf("one line: %q", got)
	}
}
