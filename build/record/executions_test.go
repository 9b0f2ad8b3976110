package record

// This file holds the executions of a bundle to the events of the same program, metered in
// each block, and reads them as they were.

import (
	"encoding/binary"
	"fmt"
	"io"
	"maps"
	"math"
	"os"
	"path/filepath"
	"testing"

	"pathspan/build/probe"
	"pathspan/build/toolchain"
	"pathspan/ir"
	"pathspan/profile"
	"pathspan/testdata/programs"
)

// sameExecutions compares all but how means of works are rounded.
func sameExecutions(t testing.TB, what string, got, want *profile.Executions) {
	t.Helper()
	if len(got.Entries) != len(want.Entries) || got.Grid != want.Grid || got.Depth != want.Depth {
		t.Errorf("%s: %d entries (grid %d, depth %d), want %d (%d, %d)", what, len(got.Entries), got.Grid, got.Depth, len(want.Entries), want.Grid, want.Depth)
		return
	}
	g, w := totals(got), totals(want)
	if !maps.Equal(g, w) {
		t.Errorf("%s: executions add up to %v, want %v", what, g, w)
	}
}

// totals adds up what executions did: by construct and section the work of each kind, and
// how often what was executed there.
func totals(x *profile.Executions) map[string]uint64 {
	out := map[string]uint64{}
	for _, r := range x.Roots {
		e := &x.Entries[r.Entry]
		out[fmt.Sprintf("root %d.%d", e.Region, e.Construct)] += r.Count
	}
	for i := range x.Entries {
		e := &x.Entries[i]
		out[fmt.Sprintf("%d.%d", e.Region, e.Construct)] += e.Count
		for s, lane := range e.Lanes {
			for _, p := range lane {
				n := e.Count * p.Times
				for k, w := range p.Work {
					if sum := uint64(math.Round(w * float64(n))); sum > 0 {
						out[fmt.Sprintf("%d.%d/%d %d", e.Region, e.Construct, s, k)] += sum
					}
				}
				if p.Entry >= 0 {
					c := &x.Entries[p.Entry]
					out[fmt.Sprintf("%d.%d/%d holds %d.%d", e.Region, e.Construct, s, c.Region, c.Construct)] += n
				}
			}
		}
	}
	return out
}

// followed adds up the same from the events of a program.
type followed struct {
	out   map[string]uint64
	open  []*ir.Mark // sections under way, outermost first, and nil for regions in no section
	sizes func(region, construct int) int
}

func (f *followed) event(mark *ir.Mark, work []uint64) {
	for i := len(f.open) - 1; i >= 0; i-- {
		if m := f.open[i]; m != nil {
			for k, n := range work {
				if n > 0 {
					f.out[fmt.Sprintf("%d.%d/%d %d", m.Region, m.Construct, m.Section, k)] += n
				}
			}
			break
		}
	}
	if mark == nil {
		return
	}
	top := len(f.open) - 1
	switch mark.Kind {
	case ir.RegionBegin:
		f.open = append(f.open, nil)
	case ir.RegionEnd:
		f.open = f.open[:top]
	case ir.SectionBegin:
		f.open[top] = mark
	case ir.SectionEnd:
		f.open[top] = nil
		if mark.Section+1 < f.sizes(mark.Region, mark.Construct) {
			return
		}
		name := fmt.Sprintf("%d.%d", mark.Region, mark.Construct)
		f.out[name]++
		for i := top - 1; i >= 0; i-- {
			if m := f.open[i]; m != nil {
				f.out[fmt.Sprintf("%d.%d/%d holds %s", m.Region, m.Construct, m.Section, name)]++
				return
			}
		}
		f.out["root "+name]++
	}
}

func TestExecutionsAreThoseOfEvents(t *testing.T) {
	list, err := programs.Load(testdata)
	if err != nil {
		t.Fatal(err)
	}
	tc, err := toolchain.Find("")
	if err != nil {
		t.Skipf("nothing to compile with: %v", err)
	}
	source := filepath.Join(t.TempDir(), "leaving.cc")
	if err := os.WriteFile(source, []byte(leaving), 0o644); err != nil {
		t.Fatal(err)
	}
	type run struct {
		name string
		opt  Options
		args programs.Run
	}
	runs := []run{{"nested sorting", Options{Sources: []string{filepath.Join(testdata, "bench/own/nested_regions.c")}, Level: "2"}, programs.Run{Args: []string{"small"}}}}
	for _, p := range list {
		switch p.Name {
		case "openmp/nested", "openmp/recursive_region", "openmp/loop_and_branch", "openmp/objects", "mixer", "dijkstra", "strsearch":
			for _, level := range []string{"0", "2"} {
				runs = append(runs, run{p.Name + " -O" + level, optionsOf(p, level), p.Small()})
			}
		}
	}
	for _, r := range runs {
		t.Run(r.name, func(t *testing.T) {
			t.Parallel()
			ctx := t.Context()
			rec := &Recorder{Toolchain: tc, Dir: t.TempDir()}
			built, err := rec.Build(ctx, r.opt)
			if err != nil {
				t.Fatal(err)
			}
			bundle, _, err := rec.Run(ctx, built, r.args.Args, Streams{})
			if err != nil {
				t.Fatal(err)
			}
			meters := built.Instr.Work.Meters(built.Program, false)
			exe, err := rec.Metered(ctx, built, meters)
			if err != nil {
				t.Fatal(err)
			}
			f := &followed{out: map[string]uint64{}, sizes: func(region, construct int) int {
				return len(built.Program.Regions[region].Constructs[construct].Sections)
			}}
			_, err = rec.Follow(ctx, built, exe, r.args.Args, Streams{}, func(events io.Reader) error {
				words := make([]byte, 8*(1+meters.Count))
				for {
					if _, err := io.ReadFull(events, words); err != nil {
						return err
					}
					event := binary.LittleEndian.Uint64(words)
					if event>>56 == probe.StreamEnd {
						return nil
					}
					work := make([]uint64, meters.Count)
					for k := range work {
						work[k] = binary.LittleEndian.Uint64(words[8+8*k:])
					}
					f.event(probe.MarkOf(event), work)
				}
			})
			if err != nil {
				t.Fatal(err)
			}
			if got := totals(bundle.Executions); !maps.Equal(got, f.out) {
				t.Errorf("executions add up to %v, events to %v", got, f.out)
			}
		})
	}
}
