package shim

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
)

func written10(t *testing.T, s *System) (string, []string) {
	t.Helper()
	var b bytes.Buffer
	lost, err := Write10(&b, s)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "ten.xml")
	if err := os.WriteFile(path, b.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	return path, lost
}

// What came from a 1.0 file is written without loss, keeps the schema, and is read as
// the same system.
func TestWrite10RoundTrip(t *testing.T) {
	sys, _, err := Load("testdata/twocores10.xml")
	if err != nil {
		t.Fatal(err)
	}
	path, lost := written10(t, sys)
	if len(lost) != 0 {
		t.Errorf("lost %q", lost)
	}
	again, warnings, err := Load(path)
	if err != nil || len(warnings) != 0 {
		t.Fatalf("%v %v", err, warnings)
	}
	if !reflect.DeepEqual(again, sys) {
		t.Errorf("read\n%+v\nwant\n%+v", again, sys)
	}
	if findings := Lint(path); len(findings) != 0 {
		t.Errorf("findings %v", findings)
	}
	var first, second bytes.Buffer
	if _, err := Write10(&first, sys); err != nil {
		t.Fatal(err)
	}
	if _, err := Write10(&second, again); err != nil || !bytes.Equal(first.Bytes(), second.Bytes()) {
		t.Errorf("another file the second time (%v)", err)
	}
}

// What 1.0 cannot say is named, and the rest keeps the schema.
func TestWrite10Loses(t *testing.T) {
	in := func(op string, bits, simd int, cycles float64) Instruction {
		r := Range{cycles, cycles, cycles}
		return Instruction{Name: op, Operation: op, InputBits: bits, OutputBits: bits, SIMDWidth: simd, Pitch: r, Latency: r}
	}
	r := Range{1, 2, 3}
	sys := &System{Name: "s", Root: ComponentSet{Name: "c", ID: "CS",
		Sets: []ComponentSet{{Name: "inner", ID: "CS2"}},
		Masters: []Master{
			{Name: "a", ID: "MA", Type: "PU", Arch: "x", Endian: "LITTLE", Channels: 2, ClockHz: 5e6, InstructionSet: "i", Caches: []string{"L1", "L2"},
				Units: []FunctionalUnit{{"u", []Instruction{in("add", 8, 0, 1), in("add", 64, 0, 4), in("add", 32, 4, 9), in("add", 32, 0, 2), in("mul", 0, 0, 3)}}}},
			{Name: "b", ID: "MB", Type: "TU", Arch: "y", Endian: "BIG", Caches: []string{"L2"}, AccessTypes: []AccessType{{Name: "w", ID: "AT_any_1", RW: "RW"}}},
		},
		Slaves: []Slave{{Name: "ram", ID: "SC", Bytes: 1 << 20, RW: "RW", ClockHz: 7e6}},
		Caches: []Cache{{Name: "l1", ID: "L1", Type: "DATA", Coherency: "SOFTWARE", Bytes: 1024, Ways: 1, LineBytes: 16, Replacement: "LRU", ClockHz: 5e6},
			{Name: "l2", ID: "L2", Type: "UNIFIED", Coherency: "HARDWARE", Bytes: 4096, Ways: 2, LineBytes: 32, Caches: []string{"L1"}}},
	}, AddressSpaces: []AddressSpace{{Name: "as", ID: "AS", SubSpaces: []SubSpace{{Name: "ss", ID: "SS", End: 7,
		Consistency: []Consistency{{RAW: "ORDERED", RAR: "UNORDERED"}},
		Bindings: []Binding{{Slave: "SC", Accessors: []Accessor{{Master: "MA", Sets: []PerformanceSet{
			{ID: "P1", Cache: "L1", Access: []Access{{Pitch: r, Latency: r}}}, {ID: "P2", Access: []Access{{Pitch: r, Latency: r}}}}}}}}}}}}}
	path, lost := written10(t, sys)
	want := []string{
		`the clock of memory "ram"`,
		`the channels of component "a"`,
		`the widths of "add" of component "a" but one`,
		`that component "a" uses cache "L2", which others use or which lies elsewhere`,
		`that component "b" uses cache "L2", which others use or which lies elsewhere`,
		`the replacement of cache "l1"`,
		`latencies of hits in a cache, of sub-space "ss"`,
	}
	if !reflect.DeepEqual(lost, want) {
		t.Errorf("lost %q, want %q", lost, want)
	}
	for _, f := range Lint(path) {
		t.Errorf("finding %s", f)
	}
	xmllint(t, "shim10.xsd", path)
	got, warnings, err := Load(path)
	if err != nil || len(warnings) != 0 {
		t.Fatalf("%v %v", err, warnings)
	}
	if got.ClockHz != 5e6 {
		t.Errorf("clock %d, want that of the first component", got.ClockHz)
	}
	list := got.Masters()[0].Units[0].Instructions
	if len(list) != 2 || list[0].Operation != "add" || list[0].Latency.Typical != 2 || list[1].Latency.Typical != 3 {
		t.Errorf("instructions %+v", list)
	}
	if sets := got.AddressSpaces[0].SubSpaces[0].Bindings[0].Accessors[0].Sets; len(sets) != 1 || sets[0].Access[0].Latency != r {
		t.Errorf("sets %+v", sets)
	}
}

func TestWrite10NeedsAClock(t *testing.T) {
	var b bytes.Buffer
	if _, err := Write10(&b, &System{Root: ComponentSet{ID: "C"}}); err == nil || !strings.Contains(err.Error(), "needs a clock") || b.Len() > 0 {
		t.Errorf("error %v; %d bytes", err, b.Len())
	}
}

// TestWrittenFilesAreValid asks the published schemas themselves.
func TestWrittenFilesAreValid(t *testing.T) {
	sys, _, err := Load("testdata/twocores20.xml")
	if err != nil {
		t.Fatal(err)
	}
	ten, _ := written10(t, sys)
	xmllint(t, "shim10.xsd", ten)
	// The schema of 2.0 allows one kind of communication, which Lint says too.
	for kind, want := range map[string]int{"": 1, "SharedMemory": 0, "FIFO": 0} {
		one := *sys
		one.Communications = slices.DeleteFunc(slices.Clone(sys.Communications), func(c Communication) bool {
			return kind != "" && c.Kind != kind
		})
		path := filepath.Join(t.TempDir(), "twenty.xml")
		var b bytes.Buffer
		if err := Write(&b, &one); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, b.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
		if f := Lint(path); len(f) != want {
			t.Errorf("kind %q: findings %v, want %d", kind, f, want)
		}
		if want == 0 {
			xmllint(t, "shim20.xsd", path)
		}
	}
}

// xmllint validates a file where the tool and the schema are there.
func xmllint(t *testing.T, schema, file string) {
	t.Helper()
	tool, err := exec.LookPath("xmllint")
	if err != nil {
		t.Log("not asked: xmllint is not installed (libxml2-utils)")
		return
	}
	if out, err := exec.Command(tool, "--noout", "--schema", publicFile(t, schema), file).CombinedOutput(); err != nil {
		t.Errorf("%s: %v: %s", file, err, out)
	}
}
