package record

// This file holds what is told of tables that are read here and there by chance, where a byte has
// been read by other places than its neighbour, to the same reads counted in Go.

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pathspan/memory"
	"pathspan/testdata/programs"
)

const (
	tableWords, tablePlaces, tableRounds = 4096, 60, 2
	tableWrite, tableRead                = 6, 10 // lines
)

var tableProgram = fmt.Sprintf(`static unsigned table[%[1]d], x = 1;
static unsigned next(void) { x ^= x << 13; x ^= x >> 17; x ^= x << 5; return x; }
int main(void) {
  unsigned s = 0;
  for (int round = 0; round < %[2]d; round++) {
    for (int i = 0; i < %[1]d; i++) table[i] =
        1;
    for (int i = 0; i < %[1]d; i++) {
      s +=
%[3]s          0;
    }
  }
  return s & 1;
}
`, tableWords, tableRounds, strings.Repeat(fmt.Sprintf("          table[next() & %d] +\n", tableWords-1), tablePlaces))

// tableAccesses are what the program does: bytes by reader, of them those that are read for the first time
// since they were written, and by reader and how many there are what is written again that was read.
func tableAccesses() map[string]uint64 {
	out, x := map[string]uint64{}, uint32(1)
	for round := range tableRounds {
		var readers [tableWords][]int
		var first, last [tableWords]int
		for i := range tableWords {
			for place := range tablePlaces {
				x ^= x << 13
				x ^= x >> 17
				x ^= x << 5
				at, line := x%tableWords, tableRead+place
				out[fmt.Sprint("bytes ", line)] += 4
				if r := readers[at]; len(r) == 0 {
					first[at] = i
				}
				last[at] = i
				isNew := true
				for _, r := range readers[at] {
					isNew = isNew && r != line
				}
				if isNew {
					readers[at] = append(readers[at], line)
					out[fmt.Sprint("distinct ", line)] += 4
				}
			}
		}
		if round+1 == tableRounds {
			break
		}
		for at, list := range readers {
			for _, line := range list {
				key := fmt.Sprint("written again ", line, " of ", len(list))
				out[key] += 4
				if first[at] != last[at] { // those that read first may be meant, and those that read last
					out[key] += 4
				}
			}
		}
	}
	return out
}

// A state for each set of readers would be more than machines with addresses of 32 bits have room for.
func TestTablesReadByChance(t *testing.T) {
	want := tableAccesses()
	for _, machine := range []string{"", "aarch64-linux-gnu", "riscv64-linux-gnu", "arm-linux-gnueabihf"} {
		t.Run(machine, func(t *testing.T) {
			t.Parallel()
			tc, source := anyLLVM(t), filepath.Join(t.TempDir(), "table.c")
			if machine != "" {
				tc = elsewhere(t, machine, 0)
			}
			if err := os.WriteFile(source, []byte(tableProgram), 0o644); err != nil {
				t.Fatal(err)
			}
			p := profileProgram(t, tc, nil, programs.Run{}, Options{Sources: []string{source}, Level: "0", Memory: true})
			d, got := p.bundle.Memory, map[string]uint64{}
			line := func(w memory.Who) int { return d.Places[w.Place].Loc.Line }
			for _, f := range d.Flows {
				if d.Objects[f.Object].Name == "table" {
					got[fmt.Sprint("bytes ", line(f.To))] += f.Bytes
					got[fmt.Sprint("distinct ", line(f.To))] += f.Distinct
					if line(f.From) != tableWrite {
						t.Errorf("%+v: written by line %d", f, line(f.From))
					}
				}
			}
			for _, c := range d.Carried {
				if d.Objects[c.Object].Name == "table" && c.Kind == memory.AntiDependence {
					got[fmt.Sprint("written again ", line(c.From), " of ", c.Among)] += c.Bytes
				}
			}
			if len(want) < 2*tablePlaces+500 || !maps.Equal(got, want) {
				for key := range want {
					if got[key] != want[key] {
						t.Errorf("%s: %d, want %d", key, got[key], want[key])
						break
					}
				}
				t.Errorf("%d things are told, want %d", len(got), len(want))
			}
		})
	}
}
