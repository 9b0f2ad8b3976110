package page_test

// This file holds reports of real programs to what a reader takes for granted: shares are
// parts of a whole, what is listed twice differs, and places are lines that the user wrote.

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pathspan/ir"
	"pathspan/mapping"
	"pathspan/report/document"
)

// truthful are programs whose reports once broke this: regions within regions, recursion,
// branches within a line, code of the standard library.
var truthful = [][]string{
	{"../cmd/pathspan/testdata/figures/nested.c"}, {"../cmd/pathspan/testdata/figures/recursion.c"}, {"../cmd/pathspan/testdata/figures/handler.c"},
	{"bench/paper/jpeg.c", "small"}, {"packet/packet.c", "300"}, {"dijkstra/dijkstra.c", "80"},
	{"mixer/mixer.cc", "400"}, {"openmp/templates.cc"}, {"openmp/recursive_region.c"},
}

func TestReportsAreTrue(t *testing.T) {
	for _, program := range truthful {
		t.Run(program[0], func(t *testing.T) {
			t.Parallel()
			p := recorded(t, program[0], program[1:]...)
			d := p.document(t, mapping.Homogeneous(4, "arm922t"))
			sharesAreParts(t, d)
			pathsDiffer(t, d)
			placesAreTheUsers(t, p, d)
		})
	}
}

func sharesAreParts(t *testing.T, d *document.Document) {
	var all any
	text, err := json.Marshal(d)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &all); err != nil {
		t.Fatal(err)
	}
	seen := 0
	var walk func(path string, v any)
	walk = func(path string, v any) {
		switch v := v.(type) {
		case map[string]any:
			for k, x := range v {
				if share, ok := x.(float64); ok && strings.HasSuffix(k, "share") {
					if seen++; share < 0 || share > 1+1e-9 {
						t.Errorf("%s.%s is %g", path, k, share)
					}
				}
				walk(path+"."+k, x)
			}
		case []any:
			for i, x := range v {
				walk(fmt.Sprintf("%s[%d]", path, i), x)
			}
		}
	}
	walk("", all)
	if seen < 5 {
		t.Errorf("only %d shares were seen", seen)
	}
	for _, g := range d.Graphs {
		for _, l := range g.Levels {
			sum := 0.0
			for _, task := range l.Tasks {
				sum += task.Share
			}
			if sum > 1+1e-9 {
				t.Errorf("the tasks of level %d of %s have %g of the time", l.Level, g.Function, sum)
			}
		}
	}
}

func pathsDiffer(t *testing.T, d *document.Document) {
	seen := map[string]uint64{}
	for _, p := range d.Paths {
		shown := map[string]bool{}
		for _, r := range p.Lines {
			for n := r.First; n <= r.Last; n++ {
				shown[fmt.Sprint(r.File, n, r.Loop)] = true
			}
		}
		var lines []string
		for l := range shown {
			lines = append(lines, l)
		}
		slices.Sort(lines)
		key := fmt.Sprint(p.Symbol, p.Level, p.End, lines)
		if other, twice := seen[key]; twice {
			t.Errorf("nothing tells paths %d and %d of %s apart: both run %s", p.ID, other, p.Function, p.Text)
		}
		seen[key] = p.ID
		sum, ways := p.Seconds, 0.0
		for _, w := range p.Ways {
			ways += w.Seconds
		}
		if len(p.Ways) == 1 || p.WaysLeft == 0 && len(p.Ways) > 0 && (ways < sum*(1-1e-9) || ways > sum*(1+1e-9)) {
			t.Errorf("a path of %g s has %d ways with %g s", sum, len(p.Ways), ways)
		}
	}
	var md bytes.Buffer
	if err := d.WriteMarkdown(&md); err != nil {
		t.Fatal(err)
	}
	_, text, _ := strings.Cut(md.String(), "\n## Paths that matter\n")
	text, _, _ = strings.Cut(text, "\n## ")
	rows := map[string]bool{}
	for _, row := range strings.Split(text, "\n") {
		if cells := strings.Split(row, "|"); len(cells) > 6 {
			if key := strings.Join(cells[4:], "|"); rows[key] {
				t.Errorf("two rows of the Markdown say %s", row)
			} else {
				rows[key] = true
			}
		}
	}
}

// blockName is what compilers call blocks.
var blockName = regexp.MustCompile(`\bblock \S|\b(?:for|if|while|do|switch|land|lor|cond|sw|invoke|omp|bb\d*)\.[a-z]\w*(?:\.\w+)*\b|^bb\d*$|\bbb\d*\b`)

func placesAreTheUsers(t *testing.T, p profiled, d *document.Document) {
	judge := func(what, text string) {
		if name := blockName.FindString(text); name != "" {
			t.Errorf("%s: %q holds the compiler's name %s", what, text, name)
		}
		if file, _, _ := strings.Cut(text, ":"); ir.Foreign(file) {
			t.Errorf("%s: %q is a line of a header that the user did not write", what, text)
		}
	}
	for _, g := range d.Graphs {
		for _, l := range g.Levels {
			judge("loop", l.Loop)
			for _, task := range l.Tasks {
				judge(task.Label, task.File)
				if task.Share > 0.001 && task.Line == 0 && task.CodeOf == "" && task.Kind != "compound" {
					// What is left is code that no line has: entries of functions.
					if f := p.bundle.Program.Funcs[g.Index]; task.Label != "Task0" {
						t.Errorf("%s of %s has %g of the time and no place", task.Label, f.Name, task.Share)
					}
				}
			}
		}
	}
	for _, path := range d.Paths {
		judge("path", path.Text)
		judge("path", path.Loop)
	}
	for _, tl := range d.Timelines {
		for _, row := range tl.Rows {
			if row.Text == "" {
				t.Errorf("a row of the timeline of %s says nothing", tl.Name)
			}
		}
	}
	places := 0
	for _, l := range d.Losses.Losses {
		for _, item := range l.Items {
			places++
			judge("loss", item.Place)
		}
	}
	if places == 0 {
		t.Error("no place of a loss was seen")
	}
}
