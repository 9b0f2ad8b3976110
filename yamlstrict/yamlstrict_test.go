package yamlstrict

import (
	"fmt"
	"strings"
	"testing"
)

// read reads a document of a fixed form and returns the error.
func read(text string) error {
	r := Parse("f.yaml", []byte(text))
	top := r.Root().Fields("name", "count", "ratio", "kind", "list", "free")
	_ = top.Get("name").Text()
	top.Get("count").Int(1, 9)
	top.Get("ratio").Positive()
	top.Get("kind").Word("bus", "noc")
	for _, v := range top.Get("list").List() {
		v.NonNegative()
	}
	for _, e := range top.Get("free").Entries() {
		_ = e.Value.Text()
	}
	return r.Err()
}

func TestReads(t *testing.T) {
	r := Parse("f.yaml", []byte("name: &n a b\nratio: 1e3\nlist: [0, 2.5]\nfree: {x: *n, y: 7}\n"))
	top := r.Root().Fields("name", "count", "ratio", "list", "free")
	if top.Get("name").Text() != "a b" || top.Get("ratio").Positive() != 1000 || top.Get("count").Has() || top.Get("count").Int(1, 9) != 0 {
		t.Error("scalars")
	}
	if l := top.Get("list").List(); len(l) != 2 || l[0].NonNegative() != 0 || l[1].NonNegative() != 2.5 || l[1].Pos().String() != "f.yaml:3" {
		t.Error("list")
	}
	e := top.Get("free").Entries()
	if len(e) != 2 || e[0].Key != "x" || e[0].Value.Text() != "a b" || e[0].Value.Paragraph() != "a b" || e[1].Value.Text() != "7" || e[1].At.Line != 4 {
		t.Error("entries")
	}
	if err := r.Err(); err != nil {
		t.Error(err)
	}
}

func TestRefuses(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", "f.yaml: empty file"},
		{"# nothing", "f.yaml: empty file"},
		{"- 1", "f.yaml:1: the file is a list: want a mapping (key: value)"},
		{"\nnmae: x", `f.yaml:2: unknown key "nmae": want "name"`},
		{"zzz: x", `f.yaml:1: unknown key "zzz": want name, count, ratio, kind, list, free`},
		{"name: a\nname: b", `f.yaml:2: key "name" is there twice: first on line 1`},
		{"name:", "f.yaml:1: name is empty: want text"},
		{"name: ''", `f.yaml:1: name is "": want text`},
		{"count: 10", `f.yaml:1: count is "10": want a whole number from 1 to 9`},
		{"count: 1.0", `f.yaml:1: count is "1.0": want a whole number from 1 to 9`},
		{"count: 99999999999999999999", `f.yaml:1: count is "99999999999999999999": want a whole number from 1 to 9`},
		{"count: 07", `f.yaml:1: count is "07": want a number without leading zeros, which YAML reads as octal`},
		{"count: 09", `f.yaml:1: count is "09": want a number without leading zeros, which YAML reads as octal`},
		{"count: -007", `f.yaml:1: count is "-007": want a number without leading zeros, which YAML reads as octal`},
		{"ratio: 0100", `f.yaml:1: ratio is "0100": want a number without leading zeros, which YAML reads as octal`},
		{"ratio: 0_100", `f.yaml:1: ratio is "0_100": want a number without leading zeros, which YAML reads as octal`},
		{"ratio: 00.5", `f.yaml:1: ratio is "00.5": want a number without leading zeros, which YAML reads as octal`},
		{"list: [1, 010]", `f.yaml:1: list[2] is "010": want a number without leading zeros, which YAML reads as octal`},
		{"ratio: '010'", `f.yaml:1: ratio is "010": want a number above 0`},
		{`name: "a\e[31mb"`, `f.yaml:1: name is "a\x1b[31mb": want text without control characters`},
		{`name: "a\u202eb"`, `f.yaml:1: name is "a\u202eb": want text without control characters`},
		{"name: \"a\\nb\"", `f.yaml:1: name is "a b": want text without control characters`},
		{`free: {a: "b\nc"}`, `f.yaml:1: free.a is "b c": want text without control characters`},
		{`free: {"a\tb": c}`, `f.yaml:1: a key in free is no plain word`},
		{"ratio: 0", `f.yaml:1: ratio is "0": want a number above 0`},
		{"ratio: .inf", `f.yaml:1: ratio is ".inf": want a number above 0`},
		{"ratio: '2'", `f.yaml:1: ratio is "2": want a number above 0`},
		{"ratio: [1]", "f.yaml:1: ratio is a list: want a number above 0"},
		{"list: [1, -2]", `f.yaml:1: list[2] is "-2": want a number of 0 or more`},
		{"list: [.NaN]", `f.yaml:1: list[1] is ".NaN": want a number of 0 or more`},
		{"kind: can", `f.yaml:1: kind is "can": want bus, noc`},
		{"kind: nok", `f.yaml:1: kind is "nok": want "noc"`},
		{"free: {a: {b: 1}}", "f.yaml:1: free.a is a mapping: want text"},
		{"free: {[1]: 2}", "f.yaml:1: a key in free is no plain word"},
		{"free: {<<: {a: 1}}", "f.yaml:1: a key in free is no plain word"},
		{"name: a\n---\nname: b", "f.yaml:2: a second document: want one"},
		{"name: [", "f.yaml:1: not valid YAML: did not find expected node content"},
		{"name: *x", "f.yaml: not valid YAML: unknown anchor 'x' referenced"},
	} {
		err := read(c.text)
		if err == nil || err.Error() != c.want {
			t.Errorf("%q:\n got %v\nwant %s", c.text, err, c.want)
		}
	}
}

// Numbers that look like padded ones, and text of several lines.
func TestReadsAsMeant(t *testing.T) {
	r := Parse("f.yaml", []byte("- 0\n- 0.5\n- 0e3\n- 100\n- 0x10\n- 0o17\n- 1_000\n"))
	for i, v := range r.Root().List() {
		if got, want := v.NonNegative(), []float64{0, 0.5, 0, 100, 16, 15, 1000}[i]; got != want {
			t.Errorf("number %d is %v, want %v", i, got, want)
		}
	}
	if err := r.Err(); err != nil {
		t.Error(err)
	}
	r = Parse("f.yaml", []byte("- 0100\n- |\n  two\n  lines\n- \"a\\eb\"\n"))
	list := r.Root().List()
	if list[0].Text() != "0100" || list[1].Paragraph() != "two\nlines\n" || r.Err() != nil {
		t.Error("text", r.Err())
	}
	if list[2].Paragraph(); r.Err() == nil || !strings.Contains(r.Err().Error(), "without control characters") {
		t.Error("an escape in a paragraph:", r.Err())
	}
}

// Aliases of aliases end at a bound.
func TestAliasesAreBounded(t *testing.T) {
	var text strings.Builder
	text.WriteString("- &a0 [x, x, x, x, x, x, x, x, x, x]\n")
	for i := 1; i < 9; i++ {
		fmt.Fprintf(&text, "- &a%d [%s*a%d]\n", i, strings.Repeat(fmt.Sprintf("*a%d, ", i-1), 9), i-1)
	}
	r := Parse("f.yaml", []byte(text.String()))
	var walk func(v Value)
	walk = func(v Value) {
		for _, x := range v.List() {
			if !x.IsScalar() {
				walk(x)
			}
		}
	}
	walk(r.Root())
	if err := r.Err(); err == nil || !strings.Contains(err.Error(), "more than 1048576 values: want fewer, or fewer aliases") {
		t.Error(err)
	}
}

func TestTheFirstErrorStays(t *testing.T) {
	r := Parse("f.yaml", []byte("a: x\nb: y"))
	top := r.Root().Fields("a", "b")
	top.Get("b").Positive()
	top.Get("a").Positive()
	if err := r.Err(); err == nil || !strings.Contains(err.Error(), `b is "y"`) {
		t.Error(err)
	}
}

// TestChangedPlaces: letters that changed places are nearer than a letter less and another.
func TestChangedPlaces(t *testing.T) {
	if got := Nearest("mian", []string{"map", "main"}); got != "main" {
		t.Errorf("mian is nearest to %q, want main", got)
	}
}

func TestNearest(t *testing.T) {
	words := []string{"name", "model", "clock_mhz", "count", "power"}
	for word, want := range map[string]string{
		"nmae": "name", "clock": "clock_mhz", "clock-mhz": "clock_mhz", "counts": "count",
		"modell": "model", "xyzzy": "", "": "", "a": "", "powers": "power",
	} {
		if got := Nearest(word, words); got != want {
			t.Errorf("Nearest(%q) = %q, want %q", word, got, want)
		}
	}
	if distance("kitten", "sitting") != 3 || distance("", "abc") != 3 || distance("abc", "abc") != 0 {
		t.Error("distance")
	}
}

func FuzzRead(f *testing.F) {
	for _, s := range []string{"name: a", "list: [1, 2]\nfree: {a: b}", "count: &x 3\nratio: *x", "a: *a", "? {a}: b", "free: &f {x: *f}", "!!binary x: y", "%YAML 1.1\n---\nname: x", "\xff\xfe", "name: !!null x"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if err := read(s); err != nil && strings.Contains(err.Error(), "\n") {
			t.Errorf("message of several lines: %q", err)
		}
	})
}

// What the YAML library finds is told on the line where it is, and quotes that are missing
// are named.
func TestSyntaxErrors(t *testing.T) {
	for text, want := range map[string]string{
		"a: 1\nb:\n  - {name: a, model: plugin:x?cpu=y}\n  - {name: b}\n": `f.yaml:3: not valid YAML: a text with a question mark needs quotes within braces or brackets: write "plugin:x?cpu=y"`,
		"b: [{name: a},\n  {name: b, model: plugin:x?cpu=y&load=3}]\n":    `f.yaml:2: not valid YAML: a text with a question mark needs quotes within braces or brackets: write "plugin:x?cpu=y&load=3"`,
		"b: {model: shim:a.xml?figure=pitch#cpu0}\n":                      `f.yaml:1: not valid YAML: a text with a question mark needs quotes within braces or brackets: write "shim:a.xml?figure=pitch#cpu0"`,
		"a: 1\nb: [1, 2\nc: 3\n":                                          "f.yaml:2: not valid YAML: did not find expected ',' or ']'",
		"b: [1, 2\nc: 3\n":                                                "f.yaml:2: not valid YAML: did not find expected ',' or ']'",
		"a: 1\nb: \"x\n":                                                  "f.yaml:2: not valid YAML: found unexpected end of stream",
		"a: 1\nb: c: d\n":                                                 "f.yaml:2: not valid YAML: mapping values are not allowed in this context",
		"a: 1\nb: @x\n":                                                   "f.yaml:2: not valid YAML: found character that cannot start any token",
	} {
		if err := Parse("f.yaml", []byte(text)).Err(); err == nil || err.Error() != want {
			t.Errorf("%q:\n got %v\nwant %s", text, err, want)
		}
	}
	// In block style it is a text.
	if err := Parse("f.yaml", []byte("model: plugin:x?cpu=y\n")).Err(); err != nil {
		t.Error(err)
	}
}
