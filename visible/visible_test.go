package visible

// This file tests what is escaped, and that nothing else changes.

import (
	"bytes"
	"reflect"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

func TestLine(t *testing.T) {
	for in, want := range map[string]string{
		"":                            "",
		"main":                        "main",
		"_ZNSt6vectorIiSaIiEE4pushEv": "_ZNSt6vectorIiSaIiEE4pushEv",
		"größe 目的.c":                  "größe 目的.c",
		`C:\new\x.c "quoted" it's`:    `C:\new\x.c "quoted" it's`,
		"a\nb\r\tc":                   `a\nb\r\tc`,
		"\x1b]0;title\a\x7f":          `\x1b]0;title\a\x7f`,
		"caf\xe9\xff":                 `caf\xe9\xff`,
		"\u009b31m\u202egnp\u2066":    `\u009b31m\u202egnp\u2066`,
		"\u2028\U000e0041\ufeff":      `\u2028\U000e0041\ufeff`,
		"\xed\xa0\x80":                `\xed\xa0\x80`, // half a surrogate pair
	} {
		if got := Line(in); got != want {
			t.Errorf("Line(%q) = %s, want %s", in, got, want)
		}
		if IsLine(in) != (in == want) {
			t.Errorf("IsLine(%q) = %v", in, IsLine(in))
		}
	}
	for s, want := range map[string]bool{"a\nb\x1b\x00": true, "größe": true, "\xff": false, "\u202e": false, "\x7f": false, "\u009b": false} {
		if InJSON(s) != want {
			t.Errorf("InJSON(%q) = %v", s, !want)
		}
	}
	if got := Text("a\tb\n\x1bc\r\n"); got != "a\tb\n\\x1bc\\r\n" {
		t.Errorf("Text gives %q", got)
	}
}

func TestStrings(t *testing.T) {
	type part struct {
		Name  string
		Any   any
		Parts []part
		Map   map[string]*part
		Order []int
	}
	const bad, good = "a\x1bb", `a\x1bb`
	v := part{Name: bad, Any: map[string]any{bad: []any{bad, 1.0, nil}}, Parts: []part{{Name: bad}, {Any: bad}},
		Map: map[string]*part{bad: {Name: bad}}, Order: []int{1}}
	Strings(&v)
	want := part{Name: good, Any: map[string]any{good: []any{good, 1.0, nil}}, Parts: []part{{Name: good}, {Any: good}},
		Map: map[string]*part{good: {Name: good}}, Order: []int{1}}
	if !reflect.DeepEqual(v, want) {
		t.Errorf("%+v, want %+v", v, want)
	}
	Strings((*part)(nil))
}

func TestWriterOfPieces(t *testing.T) {
	const text = "größe\x1b[31m\n目\t\u202e\xff\xe2\x82 \U0001f600!"
	for size := 1; size < 9; size++ {
		var out bytes.Buffer
		w := &Writer{W: &out}
		for rest := text; len(rest) > 0; {
			n := min(size, len(rest))
			if k, err := w.Write([]byte(rest[:n])); k != n || err != nil {
				t.Fatal(k, err)
			}
			rest = rest[n:]
		}
		if want := Text(text); out.String() != want {
			t.Errorf("in pieces of %d: %q, want %q", size, out.String(), want)
		}
	}
}

func FuzzLine(f *testing.F) {
	for _, s := range []string{"main", "a\nb", "\xff\xfe", "\u202e", "\\x1b"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		line := Line(s)
		if !utf8.ValidString(line) || strings.ContainsFunc(line, func(r rune) bool { return !unicode.IsPrint(r) }) {
			t.Errorf("%q becomes %q", s, line)
		}
		if Line(line) != line || !IsLine(line) {
			t.Errorf("%q becomes another line the second time", s)
		}
		if got := Line(Text(s)); got != line {
			t.Errorf("%q: by way of a text %q, else %q", s, got, line)
		}
	})
}
