package waves_test

// This file holds the writer to a text, and names to being told apart. What waveforms say is held
// where they are made.

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"pathspan/streams/waves"
)

func TestWriter(t *testing.T) {
	var out bytes.Buffer
	w := waves.New(&out, "tokens")
	w.Scope("a b")
	level, on := w.Number("level", 32), w.Wire("ön")
	w.Up()
	w.Set(0, level, 2)
	w.Set(0, on, 0)
	w.Set(5, level, 2)
	w.Set(7, on, 1)
	w.Set(7, level, 5)
	if err := w.End(9); err != nil {
		t.Fatal(err)
	}
	const want = `$comment tokens $end
$timescale 1 ns $end
$scope module a_b $end
$var integer 32 ! level $end
$var wire 1 " _n $end
$upscope $end
$enddefinitions $end
$dumpvars
b0 !
0"
$end
#0
b10 !
#7
1"
b101 !
#9
`
	if out.String() != want {
		t.Errorf("%s", out.String())
	}
}

func TestManySignals(t *testing.T) {
	var out bytes.Buffer
	w := waves.New(&out, "many")
	for i := range 20000 {
		w.Wire(fmt.Sprint("s", i))
	}
	w.End(0)
	seen := map[string]bool{}
	for line := range strings.Lines(out.String()) {
		if f := strings.Fields(line); f[0] == "$var" {
			if seen[f[3]] {
				t.Fatalf("%s is there twice", f[3])
			}
			seen[f[3]] = true
		}
	}
	if len(seen) != 20000 {
		t.Errorf("%d signals", len(seen))
	}
}
