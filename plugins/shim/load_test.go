package shim

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the golden files")

// public is where copies of the schemas and of published files may lie, beside the tree.
const public = "../../../shared/data/shim"

func publicFile(t *testing.T, name string) string {
	t.Helper()
	path := filepath.Join(public, name)
	if _, err := os.Stat(path); err != nil {
		t.Skipf("no copy of %s beside the tree", name)
	}
	return path
}

// golden compares with a file, or writes it with -update.
func golden(t *testing.T, file, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s:\n got\n%s\nwant\n%s", file, got, want)
	}
}

func TestLoad10(t *testing.T) {
	sys, warnings, err := Load("testdata/twocores10.xml")
	if err != nil || len(warnings) != 0 {
		t.Fatal(err, warnings)
	}
	masters := sys.Masters()
	if sys.Name != "Two cores" || len(masters) != 2 || sys.ClockHz != 1e8 {
		t.Fatalf("%+v", sys)
	}
	host := masters[0]
	if host.Name != "host" || host.Type != "PU" || sys.ClockOf(host) != 2e8 || host.Threads != 1 {
		t.Errorf("%+v", host)
	}
	if !reflect.DeepEqual(host.Caches, []string{"C_l1", "C_l2"}) {
		t.Errorf("caches %q", host.Caches)
	}
	if c := sys.Root.Caches; len(c) != 2 || c[1].Coherency != "HARDWARE" || c[1].Bytes != 64<<10 ||
		!reflect.DeepEqual(c[1].Caches, []string{"C_l1"}) || c[0].ClockHz != 2e8 {
		t.Errorf("caches %+v", c)
	}
	mul := host.Units[0].Instructions[4]
	if mul.Operation != "mul" || mul.Pitch != (Range{1, 1, 2}) || mul.Latency != (Range{2, 3, 5}) {
		t.Errorf("%+v", mul)
	}
	mail := sys.Communications[0]
	if mail.Kind != "SharedMemory" || mail.Bytes != 1024 || mail.SubSpace != "SS_0" ||
		mail.Connections[0].Access[0].Latency.Typical != 20 {
		t.Errorf("%+v", mail)
	}
	sub := sys.AddressSpaces[0].SubSpaces[0]
	if sub.End != 65535 || sub.Consistency[0].WAW != "UNORDERED" || sub.Bindings[0].Slave != "SC_sram" ||
		sub.Bindings[0].Accessors[1].Sets[0].Access[0].Latency != (Range{2, 4, 8}) {
		t.Errorf("%+v", sub)
	}
}

// What Load cannot use it warns of, and leaves the rest whole.
func TestLoadWarnings(t *testing.T) {
	sys, warnings, err := Load("testdata/lint/faults10.xml")
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, w := range warnings {
		b.WriteString(w.String() + "\n")
	}
	golden(t, "testdata/faults10.warnings", b.String())
	host := sys.Masters()[0]
	if n := len(host.Units[0].Instructions); n != 15 || sys.ClockOf(host) != 1e8 {
		t.Errorf("%d instructions, %d Hz", n, sys.ClockOf(host))
	}
}

// What Write writes is a fixed point, for each file at hand.
func TestRoundTrip(t *testing.T) {
	files, err := filepath.Glob("testdata/*.xml")
	if err != nil {
		t.Fatal(err)
	}
	published, _ := filepath.Glob(public + "/*.xml")
	loaded := 0
	for _, file := range append(files, published...) {
		sys, _, err := Load(file)
		if err != nil {
			continue
		}
		loaded++
		roundTrip(t, file, sys)
	}
	if loaded < 3 {
		t.Errorf("only %d files could be loaded", loaded)
	}
}

func roundTrip(t *testing.T, file string, sys *System) {
	t.Helper()
	var first, second bytes.Buffer
	if err := Write(&first, sys); err != nil {
		t.Errorf("%s: %v", file, err)
		return
	}
	root, err := parseTree("written", first.Bytes())
	if err != nil {
		t.Errorf("%s: %v", file, err)
		return
	}
	again, _, err := load(root, "")
	if err != nil {
		t.Errorf("%s: %v", file, err)
		return
	}
	if !reflect.DeepEqual(sys, again) {
		t.Errorf("%s: the system changed:\n%+v\n%+v", file, sys, again)
	}
	if err := Write(&second, again); err != nil || !bytes.Equal(first.Bytes(), second.Bytes()) {
		t.Errorf("%s: the bytes changed, %v", file, err)
	}
}

func TestWriteGolden(t *testing.T) {
	sys, _, err := Load("testdata/twocores10.xml")
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := Write(&b, sys); err != nil {
		t.Fatal(err)
	}
	golden(t, "testdata/twocores20.xml", b.String())
}

func TestLoadPublished(t *testing.T) {
	for name, want := range map[string]struct {
		masters, instructions int
		hz                    int64
	}{
		"shim10_i5_3550.xml": {5, 290, 3.3e9},
		"shim10_sample.xml":  {8, 464, 1e8},
		"shim20_sample1.xml": {1, 58, 0},
		"shim20_sample2.xml": {8, 464, 0},
	} {
		t.Run(name, func(t *testing.T) {
			sys, _, err := Load(publicFile(t, name))
			if err != nil {
				t.Fatal(err)
			}
			n := 0
			for _, m := range sys.Masters() {
				for _, u := range m.Units {
					n += len(u.Instructions)
				}
				if sys.Root.Sets != nil && len(m.Caches) == 0 && m.Type == "PU" && name != "shim10_sample.xml" {
					t.Errorf("%s: no cache; references by path are not resolved", m.Name)
				}
			}
			if len(sys.Masters()) != want.masters || n != want.instructions || sys.ClockOf(sys.Masters()[0]) != want.hz {
				t.Errorf("%d masters, %d instructions, %d Hz; want %v", len(sys.Masters()), n, sys.ClockOf(sys.Masters()[0]), want)
			}
		})
	}
}

func FuzzLoad(f *testing.F) {
	for _, pattern := range []string{"testdata/*.xml", "testdata/lint/*.xml"} {
		files, err := filepath.Glob(pattern)
		if err != nil {
			f.Fatal(err)
		}
		for _, file := range files {
			data, err := os.ReadFile(file)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(data)
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		root, err := parseTree("f.xml", data)
		if err == nil {
			for _, x := range lintTree(root, "") {
				if x.Line < 1 || strings.Contains(x.String(), "\n") {
					t.Errorf("finding %q", x)
				}
			}
			var sys *System
			if sys, _, err = load(root, ""); err == nil {
				roundTrip(t, "f.xml", sys)
			}
		}
		if err != nil && strings.Contains(err.Error(), "\n") {
			t.Errorf("message of several lines: %q", err)
		}
	})
}
