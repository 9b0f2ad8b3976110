package fifo_test

// This file reads waveforms back, and holds them to what was counted, by a reader of value change
// dumps that knows nothing of how they are written.

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"pathspan/streams/fifo"
)

// dump is a value change dump: by signal, the value in each unit of time.
type dump struct {
	values map[string][]int64
	end    int64
}

func readDump(t *testing.T, text string) *dump {
	t.Helper()
	d := &dump{values: map[string][]int64{}}
	name, value := map[string]string{}, map[string]int64{}
	var scope []string
	defined, initial := false, false
	tokens := strings.Fields(text)
	for i := 0; i < len(tokens); i++ {
		switch tok := tokens[i]; {
		case tok == "$dumpvars":
			initial = true
		case tok == "$end":
			if !initial {
				t.Fatal("$end of nothing")
			}
			initial = false
		case tok[0] == '$':
			var words []string
			for i++; tokens[i] != "$end"; i++ {
				words = append(words, tokens[i])
			}
			switch tok {
			case "$scope":
				scope = append(scope, words[1])
			case "$upscope":
				scope = scope[:len(scope)-1]
			case "$var":
				if len(words) != 4 || name[words[2]] != "" {
					t.Fatalf("$var %q", words)
				}
				name[words[2]] = strings.Join(append(scope, words[3]), ".")
			case "$enddefinitions":
				defined = len(scope) == 0
			case "$comment", "$timescale":
			default:
				t.Fatalf("%s", tok)
			}
		case tok[0] == '#':
			var at int64
			if fmt.Sscanf(tok, "#%d", &at); !defined || at < d.end {
				t.Fatalf("time %d behind %d", at, d.end)
			}
			for ; d.end < at; d.end++ {
				for id, v := range value {
					d.values[name[id]] = append(d.values[name[id]], v)
				}
			}
		default:
			id, v := tok[1:], int64(tok[0]-'0')
			if tok[0] == 'b' {
				fmt.Sscanf(tok, "b%b", &v)
				i++
				id = tokens[i]
			}
			if name[id] == "" {
				t.Fatalf("no signal %q", id)
			}
			value[id] = v
		}
	}
	return d
}

// TestVCDOfRandom: levels and states add up to what is counted.
func TestVCDOfRandom(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	cut, deadlocks, both := 0, 0, 0
	for k := range 2000 {
		n := network(rng)
		if len(n.FIFOs) == 0 {
			continue
		}
		r := simulate(t, n)
		most := int64(1 + rng.IntN(400))
		var out bytes.Buffer
		cycles, whole, err := fifo.VCD(n, &out, most)
		if err != nil {
			t.Fatal(err)
		}
		if cycles != min(most, r.Cycles) || !whole && r.Cycles < most {
			t.Fatalf("network %d: %d of %d cycles, %t", k, cycles, r.Cycles, whole)
		}
		d := readDump(t, out.String())
		if d.end != cycles {
			t.Fatalf("network %d: it ends in cycle %d, not %d", k, d.end, cycles)
		}
		if cycles < r.Cycles {
			cut++
			continue
		}
		if r.Deadlock != nil {
			deadlocks++
		}
		for f, q := range n.FIFOs {
			var g fifo.Gauge
			g.Most = q.Initial
			for _, v := range d.values["network.fifos."+q.Name] {
				g.Most = max(g.Most, v)
				if v >= q.Depth {
					g.Full++
				}
				if v == 0 {
					g.Empty++
				}
			}
			was := r.FIFOs[f]
			if g.Full != was.Full || g.Empty != was.Empty || g.Most > was.Most {
				t.Fatalf("network %d: %s %+v, counted %+v", k, q.Name, g, was)
			}
		}
		for i, m := range n.Modules {
			at := "network." + m.Name + "."
			runs, full, empty := d.values[at+"runs"], d.values[at+"waits_full"], d.values[at+"waits_empty"]
			var waited int64
			for c := range runs {
				switch over := r.Modules[i].Finish > 0 && int64(c) >= r.Modules[i].Finish; {
				case full[c]+empty[c] > 0:
					waited++
					if runs[c] != 0 || over {
						t.Fatalf("network %d: %s waits and runs in cycle %d", k, m.Name, c)
					}
					both += int(full[c] * empty[c])
				case (runs[c] == 1) == over:
					t.Fatalf("network %d: %s in cycle %d", k, m.Name, c)
				}
			}
			if waited != r.Modules[i].Waited() {
				t.Fatalf("network %d: %s waits for %d cycles, counted %d", k, m.Name, waited, r.Modules[i].Waited())
			}
		}
	}
	if cut < 100 || deadlocks < 100 || both < 10 {
		t.Errorf("%d cut, %d deadlocks, %d waits for both: too few to tell", cut, deadlocks, both)
	}
}
