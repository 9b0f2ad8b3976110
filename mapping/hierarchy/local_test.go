package hierarchy

// This file tests local memories and what connects them.

import (
	"slices"
	"strings"
	"testing"

	"pathspan/yamlstrict"
)

func readBoth(text string) (*Memory, error) {
	r := yamlstrict.Parse("p.yaml", []byte(text))
	top := r.Root().Fields("memory", "interconnect")
	m := Read(top.Get("memory"), names)
	ReadInterconnect(top.Get("interconnect"), m, names)
	return m, r.Err()
}

const pads = `memory:
  levels: [{name: L1, size: 4096, line: 64, processors: [big, small0]}]
  local: [{name: pad, size: 65536, latency: 5, processors: [small0]}, {name: far, copies: none, processors: [small1]}]
  main: {latency_ns: 80}
interconnect:
  links:
    - {between: [main, small0], mhz: 500, latency: 5, bytes_per_cycle: 8}
    - {between: [small0, small1], latency_ns: 10, gb_s: 0.5}
`

func TestLocal(t *testing.T) {
	m, err := readBoth(pads)
	if err != nil {
		t.Fatal(err)
	}
	if got := m.Of(1, 1000); len(got.Caches) != 1 || !slices.Equal(got.Longer, []float64{5}) {
		t.Errorf("small0 sees %+v", got)
	}
	if got := m.Of(2, 1000); len(got.Caches) != 0 || !slices.Equal(got.Longer, []float64{0}) {
		t.Errorf("small1 sees %+v", got)
	}
	if m.Node(0) != MainNode || m.Node(1) != 1 || !m.LocalOf(2).Remote || m.LocalOf(1).Size != 65536 {
		t.Errorf("%+v", m)
	}
	if l := m.Links[0]; l.Latency != 10 || l.GBs != 4 {
		t.Errorf("%+v", l)
	}
}

// What is wrong is told in a line that says where.
func TestLocalErrors(t *testing.T) {
	for _, c := range []struct{ old, new, want string }{
		{"size: 65536", "size: 4096", "p.yaml:3: local memory pad of 4096 bytes lies behind L1 of 4096, and would hold nothing that is not there"},
		{"size: 65536, ", "", `p.yaml:3: key "size" is missing`},
		{", latency: 5, processors", ", processors", "p.yaml:3: local memory pad lies behind a cache: give its latency"},
		{"copies: none", "copies: none, latency: 3", "p.yaml:3: local memory far is the first of its processors"},
		{"copies: none", "copies: none, size: 512", "p.yaml:3: local memory far has copies: none, so that nothing asks how large it is: leave size out"},
		{"copies: none", "copies: never", `p.yaml:3: memory.local[2].copies is "never": want ends, none`},
		{"processors: [small1]", "processors: [small0]", "p.yaml:3: processor small0 has local memory pad, and far as well: give it one"},
		{"line: 64, processors", "line: 64, shared: true, processors", "p.yaml:3: local memory pad does not nest: level L1 before it is shared, so leave shared out there"},
		{"processors: [small1]", "processors: [small1, big]", "p.yaml:3: local memory far is the first of some of its processors, and lies behind a cache for the rest"},
		{"  main: {latency_ns: 80}\n", "", `p.yaml:2: key "main" is missing in memory`},
		{"[main, small0]", "[main, small2]", `p.yaml:7: interconnect.links[1].between[2] is "small2": want `},
		{"[main, small0]", "[big, small0]", "p.yaml:7: a link leads to processor big, which has no local memory: want main, where its data lie"},
		{"[main, small0]", "[main]", "p.yaml:7: a link lies between two memories, not 1"},
		{"[main, small0]", "[small0, small0]", "p.yaml:7: the link leads from small0 to itself"},
		{"[main, small0]", "[small1, small0]", "p.yaml:7: no link leads from main to small0, and what one computes the other may need"},
		{"mhz: 500, ", "", `p.yaml:7: key "mhz" is missing`},
		{"mhz: 500, latency: 5, bytes_per_cycle: 8", "mhz: 500, latency_ns: 5, gb_s: 8", "p.yaml:7: mhz is the clock of latency and bytes_per_cycle, and neither is there: leave it out"},
		{"latency_ns: 10, gb_s", "gb_s", "p.yaml:8: what does it take until the first byte moves?"},
		{"latency_ns: 10, gb_s: 0.5", "latency_ns: 10", "p.yaml:8: how fast is it?"},
		{"  links:", "  bus: {latency_ns: 1, gb_s: 1}\n  links:", "p.yaml:8: interconnect has a bus and links: give one of the two"},
	} {
		if strings.Count(pads, c.old) != 1 {
			t.Fatalf("%q is there %d times", c.old, strings.Count(pads, c.old))
		}
		_, err := readBoth(strings.Replace(pads, c.old, c.new, 1))
		if err == nil || !strings.HasPrefix(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s in place of %s:\n got %v\nwant %s", c.new, c.old, err, c.want)
		}
	}
	_, err := readBoth("memory: {local: [{name: pad, size: 4096}], main: {latency: 3}}\ninterconnect: {bus: {latency_ns: 1, gb_s: 1}}\n")
	if err == nil || !strings.HasPrefix(err.Error(), "p.yaml:1: all processors work on local memories, and none on main: leave it out") {
		t.Error(err)
	}
}

// Ways have the least latency, and of these the fewest links.
func TestRoute(t *testing.T) {
	const text = `memory: {local: [{name: pad, size: 4096}]}
interconnect:
  links:
    - {between: [big, small1], latency_ns: 9, gb_s: 1}
    - {between: [big, small0], latency_ns: 4, gb_s: 1}
    - {between: [small0, small1], latency_ns: 4, gb_s: 1}
`
	for _, c := range []struct {
		latency  string
		from, to int
		want     []int
	}{
		{"9", 0, 2, []int{1, 2}}, {"8", 0, 2, []int{0}}, {"9", 2, 0, []int{2, 1}}, {"9", 1, 2, []int{2}}, {"9", 1, 1, nil},
	} {
		m, err := readBoth(strings.Replace(text, "latency_ns: 9", "latency_ns: "+c.latency, 1))
		if err != nil {
			t.Fatal(err)
		}
		if got := m.Route(c.from, c.to); !slices.Equal(got, c.want) {
			t.Errorf("from %d to %d, at %s: %v, want %v", c.from, c.to, c.latency, got, c.want)
		}
		if m.Alike(0, 1, 3) {
			t.Error("ways of different latency are alike")
		}
	}
	star, err := readBoth(strings.NewReplacer("[{name: pad, size: 4096}]", "[{name: pad, size: 4096, processors: [small0, small1]}], levels: [{name: L1, size: 64, line: 64, processors: [big]}], main: {latency: 1}",
		"    - {between: [big, small1], latency_ns: 9, gb_s: 1}\n", "", "big, small0", "main, small0", "small0, small1], latency", "main, small1], latency").Replace(text))
	if err != nil || !star.Alike(1, 2, 3) {
		t.Errorf("equal links to main memory are not alike: %v", err)
	}
}

func FuzzReadLocal(f *testing.F) {
	f.Add(pads)
	f.Fuzz(func(t *testing.T, text string) {
		m, err := readBoth(text)
		if err != nil {
			if strings.Contains(err.Error(), "\n") {
				t.Errorf("%q", err)
			}
			return
		}
		for p := range names {
			for q := range names {
				if way := m.Route(m.Node(p), m.Node(q)); (way == nil) != (m.Node(p) == m.Node(q)) {
					t.Errorf("from %s to %s leads %v", names[p], names[q], way)
				}
			}
		}
	})
}
