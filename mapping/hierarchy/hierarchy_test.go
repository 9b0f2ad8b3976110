package hierarchy

import (
	"math"
	"reflect"
	"strings"
	"testing"

	"pathspan/mapping/caches"
	"pathspan/yamlstrict"
)

var names = []string{"big", "small0", "small1"}

func read(text string) (*Memory, error) {
	r := yamlstrict.Parse("p.yaml", []byte(text))
	m := Read(r.Root(), names)
	return m, r.Err()
}

const whole = `levels:
  - {name: L1, size: 32768, line: 64, ways: 4, processors: [small1, small0]}
  - {name: L1 big, size: 65536, line: 64, ways: 8, processors: [big]}
  - {name: L2, size: 1048576, line: 64, ways: 16, latency: 10, shared: true}
main: {latency_ns: 80}
`

func TestRead(t *testing.T) {
	got, err := read(whole)
	want := &Memory{Caches: []Level{
		{"L1", caches.Cache{Size: 32768, Line: 64, Ways: 4}, Latency{}, []int{1, 2}, false},
		{"L1 big", caches.Cache{Size: 65536, Line: 64, Ways: 8}, Latency{}, []int{0}, false},
		{"L2", caches.Cache{Size: 1048576, Line: 64, Ways: 16}, Latency{Cycles: 10}, []int{0, 1, 2}, true},
	}, Main: Main{Latency: Latency{NS: 80}}}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, %v", got, err)
	}
	seen := got.Of(0, 2000)
	if !seen.Equal(Seen{[]caches.Cache{want.Caches[1].Cache, want.Caches[2].Cache}, []bool{false, true}, []float64{10, 160}, false, 0, 0}) || seen.Equal(got.Of(1, 2000)) || !got.Of(1, 500).Equal(got.Of(2, 500)) {
		t.Errorf("%+v", seen)
	}
}

// What is wrong is told in a line that says where.
func TestReadErrors(t *testing.T) {
	for _, c := range []struct{ old, new, want string }{
		{"size: 32768", "size: 30000", "p.yaml:2: level L1: 30000 bytes in lines of 64: want a multiple"},
		{"ways: 4", "ways: 3", "p.yaml:2: level L1: 32768 bytes in lines of 64, 3 ways: want line x ways x a power of two"},
		{"line: 64, ways: 4", "line: 128, ways: 4", "p.yaml:2: level L1: a line of 128 bytes: profiles tell lines of 64 bytes apart: want 64 or less"},
		{"[small1, small0]", "[small1, smal0]", `p.yaml:2: levels[1].processors[2] is "smal0": want "small0"`},
		{"[small1, small0]", "[small1, small1]", "p.yaml:2: processor small1 is there twice"},
		{"[small1, small0]", "[small1]", "p.yaml:4: level L2 is the first of some of its processors, and lies behind a cache for the rest: make it two"},
		{"[big]", "[]", "p.yaml:3: processors is empty: leave it out for all of them"},
		{"L1 big", "L1", `p.yaml:3: level "L1" is there twice`},
		{"ways: 4,", "ways: 4, latency: 2,", "p.yaml:2: level L1 is the first of its processors: what a model says of loads and stores is what they take there, so leave its latency out"},
		{"ways: 8, ", "ways: 8, shared: true, ", "p.yaml:3: level L1 big is shared by one processor: leave shared out, or name the others"},
		{"processors: [small1, small0]", "processors: [small1, small0], shared: yes", `p.yaml:2: levels[1].shared is "yes": want true, false`},
		{", latency: 10", "", "p.yaml:4: level L2 lies behind a cache: give its latency (cycles) or latency_ns, what an access takes longer that finds its line there and not before"},
		{"latency: 10", "latency: 10, latency_ns: 3", "p.yaml:4: latency and latency_ns: give one of the two"},
		{"latency: 10", "latency: 0", "p.yaml:4: levels[3].latency is \"0\": want a number from 1e-09 to 1e+09"},
		{"size: 1048576", "size: 65536", "p.yaml:4: level L2 of 65536 bytes lies behind L1 big of 65536, and would hold nothing that is not there: list levels from the processors outwards"},
		{"size: 1048576, line: 64", "size: 1048576, line: 32", "p.yaml:4: level L2 has lines of 32 bytes behind those of L1 of 64: want no shorter ones"},
		{"{latency_ns: 80}", "{}", "p.yaml:5: main says nothing: give its latency (cycles), latency_ns or dram"},
		{"{latency_ns: 80}", "{latency_ns: 80, dram: {}}", "p.yaml:5: main has a latency and dram: give one of the two; dram has a latency_ns of its own"},
		{"{latency_ns: 80}", "{dram: {ras_ns: 35}}", `p.yaml:5: key "rcd_ns" is missing in main.dram`},
		{"main: {latency_ns: 80}", "", `p.yaml:1: key "main" is missing`},
		{"ways: 4", "sets: 4", `p.yaml:2: unknown key "sets" in levels[1]`},
		{"processors: [small1, small0]}", "processors: [small1, small0], shared: true}\n  - {name: mid, size: 131072, line: 64, ways: 4, latency: 5, processors: [small0, small1]}", "p.yaml:3: level mid does not nest: level L1 before it is shared, so all who share that must share this one"},
		{"main:", "elsewhere: {read: 20}\nmain:", "p.yaml:5: give write (cycles) or write_ns, one of the two: what an access takes longer whose line is at another processor"},
		{"main:", "elsewhere: {read: 20, read_ns: 4, write: 30}\nmain:", "p.yaml:5: give read (cycles) or read_ns, one of the two"},
		{"main:", "elsewhere: {read: 0, write: 30}\nmain:", `p.yaml:5: elsewhere.read is "0": want a number from 1e-09 to 1e+09`},
		{"main:", "stores: buffer\nmain:", `p.yaml:5: stores is "buffer": want "buffered"`},
	} {
		if strings.Count(whole, c.old) != 1 {
			t.Fatalf("%q is there %d times", c.old, strings.Count(whole, c.old))
		}
		_, err := read(strings.Replace(whole, c.old, c.new, 1))
		if err == nil || !strings.HasPrefix(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s in place of %s:\n got %v\nwant %s", c.new, c.old, err, c.want)
		}
	}
	if _, err := read("levels: []\nmain: {latency: 1}\n"); err == nil || !strings.HasPrefix(err.Error(), "p.yaml:1: memory.levels is empty") {
		t.Error(err)
	}
	_, err := read("levels: [{name: L1, size: 4096, line: 64, processors: [big, small0]}]\nmain: {latency: 1}\n")
	if err == nil || !strings.HasPrefix(err.Error(), "p.yaml:1: processor small1 has no cache") {
		t.Error(err)
	}
}

// Stores are buffered for processors without a local memory, and alike are those that say the same of it.
func TestStores(t *testing.T) {
	wait, err := read("stores: wait\n" + whole)
	if err != nil {
		t.Fatal(err)
	}
	buffered, err := read("stores: buffered\n" + whole)
	if err != nil {
		t.Fatal(err)
	}
	if a, b := wait.Of(0, 500), buffered.Of(0, 500); a.Buffered || !b.Buffered || a.Equal(b) {
		t.Errorf("%+v, %+v", a, b)
	}
}

func FuzzRead(f *testing.F) {
	f.Add(whole)
	f.Add("levels: [{name: a, size: 64, line: 1}]\nmain: {dram: {ras_ns: 35, rcd_ns: 1, cas_ns: 1, rp_ns: 1, data_bits: 64, data_mhz: 1600, bus_bits: 8, bus_mhz: 1, gb_s: 1}}\n")
	f.Fuzz(func(t *testing.T, text string) {
		m, err := read(text)
		if err != nil {
			if strings.Contains(err.Error(), "\n") {
				t.Errorf("%q", err)
			}
			return
		}
		h := caches.Histogram{{Lines: caches.First, Times: 3}, {Lines: 2, Times: 1}, {Lines: 1 << 20, Times: 100}}
		for p := range names {
			if s := m.Of(p, 100).Stall(h); !(s >= 0) || math.IsInf(s, 1) {
				t.Errorf("processor %d waits %g cycles", p, s)
			}
		}
	})
}

// An access waits for the level that serves it.
func TestStall(t *testing.T) {
	m, err := read(`levels:
  - {name: L1, size: 256, line: 64}
  - {name: L2, size: 1024, line: 64, latency: 10}
main: {latency_ns: 80}
`)
	if err != nil {
		t.Fatal(err)
	}
	// Of 4 lines, of 16, and more: 1,000 hits, 100 in the second, 20 and 5 first ones in main memory.
	h := caches.Histogram{{Lines: caches.First, Times: 5}, {Lines: 4, Times: 1000}, {Lines: 16, Times: 100}, {Lines: 24, Times: 20}}
	if got := m.Of(0, 500).Stall(h); got != 100*10+25*40 {
		t.Errorf("%v cycles, want 2000", got)
	}
}

// What another processor wrote last is where both find it.
func TestApart(t *testing.T) {
	m, err := read(whole)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range [][3]int{{0, 0, 0}, {1, 2, 1}, {0, 2, 1}, {2, 0, 1}} {
		if got := m.Levels(c[0], c[1]); got != c[2] {
			t.Errorf("processor %d is %d levels from what %d wrote, want %d", c[1], got, c[0], c[2])
		}
	}
	if !m.Alike(1, 2, 3) || m.Levels(1, 2) != m.Levels(2, 1) {
		t.Error("small processors are alike")
	}
	m.Caches[2].Shared = false
	if m.Levels(0, 1) != 2 {
		t.Errorf("nothing is shared, and %d levels are not", m.Levels(0, 1))
	}
	// 1,000 lines that the first level has, 100 that the second has, 10 of main memory.
	h := caches.Histogram{{Lines: caches.First, Times: 10}, {Lines: 4, Times: 1000}, {Lines: 8192, Times: 100}}
	s := Seen{[]caches.Cache{{Size: 32768, Line: 64}, {Size: 1 << 20, Line: 64}}, []bool{false, true}, []float64{10, 160}, false, 0, 0}
	for levels, want := range []float64{0, 1000 * 10, 1000*160 + 100*150} {
		if got := s.Apart(h, levels); got != want {
			t.Errorf("%d levels apart: %v cycles more, want %v", levels, got, want)
		}
	}
}

// Where it is said what a line takes that is at another processor, that is what the level behind those takes that the two do not share;
// what is in none of them comes from main memory all the same.
func TestElsewhere(t *testing.T) {
	m, err := read(whole + "elsewhere: {read_ns: 60, write: 25}\n")
	if err != nil {
		t.Fatal(err)
	}
	s := m.Of(0, 500)
	if s.Read != 30 || s.Write != 25 || s.Equal(Seen{Caches: s.Caches, Shared: s.Shared, Longer: s.Longer}) {
		t.Errorf("%+v", s)
	}
	s.Caches, s.Longer = []caches.Cache{{Size: 32768, Line: 64}, {Size: 1 << 20, Line: 64}}, []float64{10, 160}
	h := caches.Histogram{{Lines: caches.First, Times: 10}, {Lines: 4, Times: 1000}, {Lines: 8192, Times: 100}}
	// 1,000 lines that the first level had and 100 that the second has come from the other one, and ten from main memory as before.
	if got, want := s.Apart(h, 1), 1100*30-100*10.; got != want {
		t.Errorf("%v cycles more, want %v", got, want)
	}
	if got := s.Apart(h, 0); got != 0 || s.Longer[0] != 10 {
		t.Errorf("%v cycles more on one processor, %v behind the first level", got, s.Longer[0])
	}
	if text := strings.Join(m.Says(names), "\n"); !strings.Contains(text, "lines at another processor: 60 ns longer to read, 25 cycles longer to write") {
		t.Errorf("it says %s", text)
	}
	r := yamlstrict.Parse("p.yaml", []byte("levels: [{name: L1, size: 4096, line: 64}]\nmain: {latency: 1}\nelsewhere: {read: 1, write: 1}\n"))
	if Read(r.Root(), names[:1]); r.Err() == nil || !strings.Contains(r.Err().Error(), "and there is one: leave it out") {
		t.Error(r.Err())
	}
}

// Three who share the second level have a third of it each: 100 lines that it holds for one of them
// are in main memory then. What is in the first is there. Where all three use the same lines, so that there are no more, all are there.
func TestCrowded(t *testing.T) {
	h := caches.Histogram{{Lines: caches.First, Times: 10}, {Lines: 4, Times: 1000}, {Lines: 8192, Times: 100}, {Lines: 1024, Times: 30}}
	s := Seen{[]caches.Cache{{Size: 32768, Line: 64}, {Size: 1 << 20, Line: 64}}, []bool{false, true}, []float64{10, 160}, false, 0, 0}
	for lines, want := range map[float64]float64{3 * 8192: 100 * 150, 16384: 0} {
		if got := s.Crowded(h, nil, 3, lines); got != want || s.Crowded(h, nil, 1, lines) != 0 {
			t.Errorf("of %v lines: %v cycles more, want %v; %v for one", lines, got, want, s.Crowded(h, nil, 1, lines))
		}
	}
}

// The boards of the thesis (sections 3.2.4 and 3.2.4.1): a random word of four bytes takes 76 and 62 ns.
func TestDRAMOfTheThesis(t *testing.T) {
	for controller, want := range map[float64][2]float64{26.5: {76, 0.053}, 12.5: {62, 0.065}} {
		d := DRAM{RAS: 36, RCD: 0, CAS: 13.5, RP: 13.5, Controller: controller, Pins: 128, DataMHz: 1330, Banks: 1}
		if got := d.Access(4); got != want[0] || math.Abs(d.Bandwidth(4)-want[1]) > 5e-4 {
			t.Errorf("%v ns and %v GB/s, want %v", got, d.Bandwidth(4), want)
		}
		if got := d.Bandwidth(1 << 28); math.Abs(got-21.3) > 0.05 {
			t.Errorf("the module's peak is %v GB/s", got)
		}
		if d.Occupied(4) != want[0] {
			t.Errorf("others wait %v ns", d.Occupied(4))
		}
		d.Banks = 4
		if d.Occupied(4) != want[0]/4 || d.Access(4) != want[0] {
			t.Errorf("others wait %v ns for one of four banks", d.Occupied(4))
		}
		d.BusBits, d.BusMHz = 512, 200
		if got := d.Bandwidth(1 << 28); got != 12.8 {
			t.Errorf("the bus lets pass %v GB/s", got)
		}
		d.BusBits = 32
		if got := d.Bandwidth(1 << 28); got != 0.8 {
			t.Errorf("a bus of 32 bits lets pass %v GB/s", got)
		}
		d.BusBits, d.GBs, d.Latency = 512, 9.5, 542
		if got := d.Bandwidth(1 << 28); got != 9.5 || d.Transfer(950) < 542+100 {
			t.Errorf("the controller lets pass %v GB/s, and 950 bytes take %v ns", got, d.Transfer(950))
		}
	}
}
