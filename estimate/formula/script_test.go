package formula

// This file holds the page's evaluator against this one, bit by bit, in a browser.

import (
	"encoding/json"
	"fmt"
	"html"
	"math"
	"math/rand"
	"os"
	"regexp"
	"strings"
	"testing"

	"pathspan/testdata/chromium"
)

// script evaluates all formulas for all their inputs, and writes the bits of the outputs.
const script = `
const bits = (x) => { const v = new DataView(new ArrayBuffer(8)); v.setFloat64(0, x); return v.getBigUint64(0).toString(16); };
const results = cases.map((c) => c.inputs.map((x) => evalFormula(c.formula, x).map(bits).join(" ")).join("\n")).join("\n");
`

func TestTheScriptComputesTheSameBits(t *testing.T) {
	source, err := os.ReadFile("../../report/page/formula.js")
	if err != nil {
		t.Fatal(err)
	}
	type formulaCase struct {
		Formula *Formula    `json:"formula"`
		Inputs  [][]float64 `json:"inputs"`
	}
	var cases []formulaCase
	var want []string
	for seed := range int64(60) {
		f, _, _ := random(seed)
		c := formulaCase{Formula: f, Inputs: [][]float64{f.Initial()}}
		r := rand.New(rand.NewSource(seed))
		for range 3 {
			var x []float64
			for _, in := range f.Inputs {
				x = append(x, in.Min+(in.Max-in.Min)*r.Float64())
			}
			c.Inputs = append(c.Inputs, x)
		}
		for _, x := range c.Inputs {
			out, err := f.Eval(x)
			if err != nil {
				t.Fatal(err)
			}
			var line []string
			for _, y := range out {
				line = append(line, fmt.Sprintf("%x", math.Float64bits(y)))
			}
			want = append(want, strings.Join(line, " "))
		}
		cases = append(cases, c)
	}
	data, err := json.Marshal(cases)
	if err != nil {
		t.Fatal(err)
	}
	program := fmt.Sprintf("%s\nconst cases = %s;\n%s", source, data, script)
	got := strings.Split(interpret(t, program), "\n")
	if len(got) != len(want) {
		t.Fatalf("%d lines, want %d: %.300s", len(got), len(want), got[0])
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("formula %d, inputs %d: %s, want %s", i/4, i%4, got[i], want[i])
		}
	}
}

var results = regexp.MustCompile(`(?s)<pre id="results">(.*?)</pre>`)

// interpret runs a script in a browser and returns its results.
func interpret(t *testing.T, program string) string {
	t.Helper()
	out := chromium.DumpDOM(t, chromium.Find(t), `<!doctype html><meta charset="utf-8"><pre id="results"></pre><script>
const say = (x) => { document.getElementById("results").textContent = x; };
onerror = (e) => say(e);
</script><script>`+program+`say(results);</script>`)
	found := results.FindStringSubmatch(out)
	if found == nil {
		t.Fatalf("no results in %.1000s", out)
	}
	return html.UnescapeString(found[1])
}
