package main

// This file runs one command on one cell of the matrix of figures (matrix_test.go) and
// holds what it prints against what estimate prints.

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/pprof/profile"
)

// techniques in the order in which cells ask for them.
var matrixTechniques = []string{"eb", "pb", "pb-unmapped", "at", "mt"}

// answering lists the techniques whose figures a command shows besides, or in place of, the
// ones that it is asked for. Where commands are to give one answer, this is the line to
// change.
var answering = map[string][]string{
	"why":          {"eb", "pb"},
	"explore":      {"eb", "pb", "at", "mt"},
	"report json":  {"pb", "at", "mt", "eb"},
	"export pprof": {"eb", "pb"},
}

// bundleCommands print figures of a bundle; sourceCommands run the program again.
var (
	bundleCommands = []string{
		"estimate", "estimate verify", "explain", "explain json", "why", "why json", "suggest", "suggest json", "explore", "explore json", "serve", "report html", "report md", "report json",
		"export chrome", "export cilkscale", "export csv", "export pprof", "export sdf3", "export wfformat",
		"diff", "diff json", "graph", "inspect", "comm", "races", "model compare",
	}
	sourceCommands = []string{"replay", "measure", "validate"}
)

// cell is one combination: a bundle on a platform under a mapping, and a technique for the
// commands that take one.
type cell struct {
	bundle    string
	other     string   // another bundle, to compare with
	dir       string   // for files
	target    []string // flags that name platform and number of processors
	model     string
	mapping   string // file, "" for OpenMP's static schedule
	count     int
	technique string
	function  string               // whose execution is estimated, "" for main
	known     map[string]estimated // by technique: what estimate prints, once it was asked
	refused   string               // or its refusal
}

func (c *cell) String() string {
	return fmt.Sprintf("%s %s %s %s %s", c.bundle, strings.Join(c.target, " "), c.mapping, c.function, c.technique)
}

// program is what the bundle was made of.
func (c *cell) program() *profiled {
	return &profiledPrograms[slices.IndexFunc(profiledPrograms, func(p profiled) bool { return p.name == c.bundle })]
}

// refusals are what commands may say instead of a figure.
var refusals = []string{
	`the bundle keeps no executions .*leave --technique out`,
	`the recursion through \w+ has no solution under this mapping`,
	`no section of a parallel region ran in this profile`,
	`reaches no parallel region that ran`,
	`replay: the program starts threads of its own`,
	`chrome: the trace would last .* s at most`,
	`sdf3: a task takes .* more than SDF3 can hold`,
	`replay: a block costs .* too many to count in a run`,
	`pprof: the program takes more than .* cycles`,
	`it keeps nothing of the program's memory: profile again with --memory`,
}

var mayRefuse = regexp.MustCompile(strings.Join(refusals, "|"))

// What no output may hold: figures that are none, negative times and energies, numbers
// that went round.
var (
	noNumber = regexp.MustCompile(`(?i)(^|[^a-z_.\-])[+-]?(nan|inf)([^a-z_(\-]|$)`)
	negative = regexp.MustCompile(`(^|[\s|>(])-\d[\d,.]*(e[+-]\d+)? ?([mu]?s|[mu]?J)\b`)
	wrapped  = regexp.MustCompile(`9,?223,?372,?036,?854,?775,?80|18,?446,?744,?073,?709,?5`)
	noTime   = regexp.MustCompile(`seconds$|^(sequential|parallel)_cycles$|^ts$|^dur$|^runtimeInSeconds$`)
	scripts  = regexp.MustCompile(`(?s)<script.*?</script>`)
)

// sane says what is wrong with figures in a text, "" when nothing is.
func sane(text string) string {
	for _, r := range []*regexp.Regexp{noNumber, negative, wrapped} {
		if at := r.FindStringIndex(text); at != nil {
			return fmt.Sprintf("%q in ...%s...", text[at[0]:at[1]], text[max(0, at[0]-80):min(len(text), at[1]+40)])
		}
	}
	return ""
}

// saneJSON parses a JSON value and says where it holds a negative time.
func saneJSON(text string) error {
	d := json.NewDecoder(strings.NewReader(text))
	var v any
	if err := d.Decode(&v); err != nil {
		return fmt.Errorf("the JSON does not parse: %w in %.300s", err, text)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return errors.New("something follows the JSON")
	}
	var walk func(path string, v any) error
	walk = func(path string, v any) error {
		switch v := v.(type) {
		case map[string]any:
			for k, x := range v {
				if f, ok := x.(float64); ok && f < 0 && noTime.MatchString(k) {
					return fmt.Errorf("%s.%s is %g", path, k, f)
				}
				if err := walk(path+"."+k, x); err != nil {
					return err
				}
			}
		case []any:
			for i, x := range v {
				if err := walk(fmt.Sprintf("%s[%d]", path, i), x); err != nil {
					return err
				}
			}
		}
		return nil
	}
	return walk("", v)
}

// args puts a command line on the cell together.
func (c *cell) args(at func(string) string, command ...string) []string {
	args := append(append(command, at(c.bundle)), c.target...)
	if c.mapping != "" {
		args = append(args, "--mapping", c.mapping)
	}
	return append(args, c.root()...)
}

// root names the function, for commands that take one.
func (c *cell) root() []string {
	if c.function == "" {
		return nil
	}
	return []string{"--function", c.function}
}

// ask asks estimate for the figures of all techniques.
func (c *cell) ask(at func(string) string) (map[string]estimated, error) {
	if c.known != nil || c.refused != "" {
		return c.known, nil
	}
	o := pathspan("", c.args(at, "estimate", "--json", "--samples", "0", "--technique", strings.Join(matrixTechniques, ","))...)
	if o.status != 0 {
		c.refused = o.stderr
		return nil, c.refusedRightly(o)
	}
	if err := saneJSON(o.stdout); err != nil {
		return nil, err
	}
	var out struct{ Estimates []estimated }
	if err := json.Unmarshal([]byte(o.stdout), &out); err != nil {
		return nil, err
	}
	c.known = map[string]estimated{}
	for _, e := range out.Estimates {
		c.known[e.Technique] = e
	}
	for _, t := range matrixTechniques {
		e, ok := c.known[t]
		if !ok || !(e.SequentialCycles > 0 && e.ParallelCycles > 0 && e.Speedup > 0) || e.Speedup != e.SequentialCycles/e.ParallelCycles {
			return nil, fmt.Errorf("%s: %+v", t, e)
		}
		if busy := t == "eb" || t == "pb"; e.Joules < 0 || busy && (e.Joules > 0) != c.knowsPower() {
			return nil, fmt.Errorf("%s: %g J, and that the platform says what processors take is %t", t, e.Joules, c.knowsPower())
		}
	}
	return c.known, nil
}

// refusedRightly says what is wrong with a refusal.
func (c *cell) refusedRightly(o outcome) error {
	if problem := o.refusal(); problem != "" {
		return errors.New(problem)
	}
	if !mayRefuse.MatchString(o.stderr) {
		return fmt.Errorf("it may not refuse: %s", o.stderr)
	}
	return nil
}

// check runs a command on the cell and reports what is wrong.
func (c *cell) check(t *testing.T, at func(string) string, name string) {
	t.Helper()
	known, err := c.ask(at)
	if err != nil {
		t.Errorf("%s: estimate: %v", c, err)
		return
	}
	o, err := c.run(at, name, known)
	switch {
	case o.status != 0:
		err = c.refusedRightly(o)
	case err == nil && name == "report html":
		if problem := sane(scripts.ReplaceAllString(o.stdout, "")); problem != "" {
			err = errors.New(problem)
		}
	case err == nil && name != "export pprof":
		if problem := sane(o.stdout + o.stderr); problem != "" {
			err = errors.New(problem)
		}
	}
	if err != nil {
		t.Errorf("%s: %s: %v", c, name, err)
	}
}

// same compares a result with that of estimate, as far as both name it.
func same(where string, got, want estimated, tolerance float64) error {
	for _, x := range [][2]float64{
		{got.SequentialCycles, want.SequentialCycles}, {got.ParallelCycles, want.ParallelCycles}, {got.SequentialSeconds, want.SequentialSeconds},
		{got.ParallelSeconds, want.ParallelSeconds}, {got.Speedup, want.Speedup},
	} {
		if !near(x[0], x[1], tolerance) {
			return fmt.Errorf("%s: %+v, and estimate says %+v", where, got, want)
		}
	}
	return nil
}

// sameEnergy does the same of energy, which not all commands say.
func sameEnergy(got, want estimated) error {
	if !near(got.Joules, want.Joules, reordered) {
		return fmt.Errorf("%s: %g J, and estimate says %g J", got.Technique, got.Joules, want.Joules)
	}
	return nil
}

// knowsPower tells whether the cell's platform file says what processors take.
func (c *cell) knowsPower() bool {
	at := slices.Index(c.target, "--platform")
	if at < 0 {
		return false
	}
	text, err := os.ReadFile(c.target[at+1])
	return err == nil && strings.Contains(string(text), "power:")
}

// Tolerances, relative. Where sums are the same but for the order of additions, and where
// the output has ten digits.
const (
	reordered = 1e-12
	tenDigits = 1e-9
)

// run runs a command and compares its figures with the known ones; these are nil where
// estimate refused, and then the command must refuse as well if it succeeds in figures.
func (c *cell) run(at func(string) string, name string, known map[string]estimated) (outcome, error) {
	check := cellCommands[name]
	o, verify := check(c, at, known)
	if o.status != 0 {
		return o, nil
	}
	if verify == nil {
		return o, nil
	}
	return o, verify()
}

// cellCommand runs a command, and returns what verifies its output where it succeeded.
type cellCommand func(c *cell, at func(string) string, known map[string]estimated) (outcome, func() error)

var cellCommands = map[string]cellCommand{
	"estimate": func(c *cell, at func(string) string, known map[string]estimated) (outcome, func() error) {
		o := pathspan("", c.args(at, "estimate", "--technique", c.technique)...)
		return o, func() error { return shows(o.stdout, known, c.technique) }
	},
	"estimate verify": func(c *cell, at func(string) string, known map[string]estimated) (outcome, func() error) {
		o := pathspan("", c.args(at, "estimate", "--verify", "--technique", strings.Join(matrixTechniques, ","))...)
		return o, func() error {
			// All that are shown: where sections hold regions, by executions and unmapped alone.
			agree := `verified: ([1-5] results agree|1 result agrees) with a second computation`
			if strings.Contains(strings.Join(c.target, " "), "/local-") { // regions in regions then are nobody's but replay's
				agree += `|verified: 0 results agree with a second computation \(not recomputed: EB, PB, PB unmapped, AT, MT`
			}
			if !regexp.MustCompile(agree).MatchString(o.stdout) {
				return fmt.Errorf("not verified: %s", o.stdout)
			}
			return nil
		}
	},
	"explain": func(c *cell, at func(string) string, known map[string]estimated) (outcome, func() error) {
		return pathspan("", c.args(at, "estimate", "--explain")...), nil
	},
	"explain json": func(c *cell, at func(string) string, known map[string]estimated) (outcome, func() error) {
		o := pathspan("", c.args(at, "estimate", "--explain", "--json")...)
		return o, func() error { return saneJSON(o.stdout) }
	},
	"why": func(c *cell, at func(string) string, known map[string]estimated) (outcome, func() error) {
		o := pathspan("", c.args(at, "why")...)
		return o, func() error { return shows(o.stdout, known, answering["why"]...) }
	},
	"why json": whyJSON,
	"suggest": func(c *cell, at func(string) string, known map[string]estimated) (outcome, func() error) {
		return pathspan("", c.args(at, "suggest")...), nil
	},
	"suggest json": suggestJSON,
	"explore":      exploreText,
	"explore json": exploreJSON,
	"serve":        serveLines,
	"report html": func(c *cell, at func(string) string, known map[string]estimated) (outcome, func() error) {
		return c.report(at, known, "html")
	},
	"report md": func(c *cell, at func(string) string, known map[string]estimated) (outcome, func() error) {
		return c.report(at, known, "md")
	},
	"report json": reportJSON,
	"export chrome": func(c *cell, at func(string) string, known map[string]estimated) (outcome, func() error) {
		return c.exportJSON(at, "chrome")
	},
	"export wfformat": func(c *cell, at func(string) string, known map[string]estimated) (outcome, func() error) {
		return c.exportJSON(at, "wfformat")
	},
	"export cilkscale": exportCilkscale,
	"export csv":       exportCSV,
	"export pprof":     exportPprof,
	"export sdf3": func(c *cell, at func(string) string, known map[string]estimated) (outcome, func() error) {
		o := pathspan("", c.args(at, "export", "--format", "sdf3")...)
		return o, func() error { return wellFormed(o.stdout) }
	},
	"diff": func(c *cell, at func(string) string, known map[string]estimated) (outcome, func() error) {
		return pathspan("", append(c.args(at, "diff", "--technique", c.technique), at(c.compared()))...), nil
	},
	"diff json": diffJSON,
	"graph":     graphs,
	"inspect":   inspects,
	"comm":      communicates,
	"races": func(c *cell, at func(string) string, known map[string]estimated) (outcome, func() error) {
		o := pathspan("", "races", "--json", at(c.bundle))
		return o, func() error { return saneJSON(o.stdout) }
	},
	"model compare": modelCompare,
	"replay":        replays,
	"measure":       measures,
	"validate":      validates,
}

// shows reports techniques whose speed-ups are not in a text, as it rounds them.
func shows(text string, known map[string]estimated, techniques ...string) error {
	for _, t := range techniques {
		if want := fmt.Sprintf("%.2f", known[t].Speedup); !strings.Contains(text, want) {
			return fmt.Errorf("%s of %s is not in\n%s", want, t, text)
		}
	}
	return nil
}

func whyJSON(c *cell, at func(string) string, known map[string]estimated) (outcome, func() error) {
	o := pathspan("", c.args(at, "why", "--json")...)
	return o, func() error {
		if err := saneJSON(o.stdout); err != nil {
			return err
		}
		var out struct {
			Technique string
			Parallel  float64 `json:"parallel_cycles"`
			Speedup   float64
			Ideal     float64 `json:"ideal_cycles"`
			Losses    []struct{ Cycles float64 }
		}
		if err := json.Unmarshal([]byte(o.stdout), &out); err != nil {
			return err
		}
		want := known[out.Technique]
		if !c.accounts(out.Technique) {
			return fmt.Errorf("the account is that of %s", out.Technique)
		}
		sum := out.Ideal
		for _, l := range out.Losses {
			sum += l.Cycles
		}
		if !near(out.Parallel, want.ParallelCycles, reordered) || !near(out.Speedup, want.Speedup, reordered) || !near(sum, out.Parallel, 1e-9) {
			return fmt.Errorf("%g cycles, speed-up %g, terms that add up to %g, and estimate says %+v", out.Parallel, out.Speedup, sum, want)
		}
		return nil
	}
}

// suggestJSON holds that suggestions are measured on the times that estimate gives, and that no
// more is saved than there is.
func suggestJSON(c *cell, at func(string) string, known map[string]estimated) (outcome, func() error) {
	o := pathspan("", c.args(at, "suggest", "--json", "--items", "0")...)
	return o, func() error {
		if err := saneJSON(o.stdout); err != nil {
			return err
		}
		var out struct {
			Sequential  float64 `json:"sequential_seconds"`
			Present     float64 `json:"present_seconds"`
			Suggestions []struct {
				Saves    float64 `json:"saves_seconds"`
				Share    float64
				Together float64 `json:"speedup_together"`
			}
		}
		if err := json.Unmarshal([]byte(o.stdout), &out); err != nil {
			return err
		}
		want := known["pb"]
		if x, ok := known["eb"]; ok && x.ParallelSeconds > 0 && c.accounts("eb") && !c.accounts("pb") {
			want = x
		}
		if !near(out.Sequential, want.SequentialSeconds, 1e-9) || !near(out.Present, want.ParallelSeconds, 1e-9) {
			return fmt.Errorf("%g and %g seconds, and estimate says %+v", out.Sequential, out.Present, want)
		}
		for i, s := range out.Suggestions {
			if s.Saves > out.Present || s.Share > 1+1e-9 || i > 0 && s.Together < out.Suggestions[i-1].Together {
				return fmt.Errorf("suggestion %d of %+v", i, out)
			}
		}
		return nil
	}
}

// accounts tells whether the account of losses may be that of a technique when nobody
// names one.
func (c *cell) accounts(technique string) bool {
	return technique == "eb" || technique == "pb" && slices.Contains([]string{"threads", "plain", "paths-only"}, c.bundle)
}

// exploreFlags keep searches short.
var exploreArgs = []string{"--budget", "200"}

func (c *cell) explore(at func(string) string, flags ...string) outcome {
	return pathspan("", slices.Concat([]string{"explore", at(c.bundle)}, c.target, c.root(), exploreArgs, flags)...)
}

func exploreText(c *cell, at func(string) string, known map[string]estimated) (outcome, func() error) {
	return c.explore(at), nil
}

// exploreJSON values what was found again, and OpenMP's static schedule beside it.
func exploreJSON(c *cell, at func(string) string, known map[string]estimated) (outcome, func() error) {
	file := filepath.Join(c.dir, "best.yaml")
	o := c.explore(at, "--json", "-o", file)
	return o, func() error {
		if err := saneJSON(o.stdout); err != nil {
			return err
		}
		var out struct {
			Searches []struct {
				Best struct {
					Speedup   float64
					Seconds   float64 `json:"parallel_seconds"`
					Joules    float64
					Estimates []estimated
				}
				Static []estimated `json:"openmp_static"`
				Bounds struct {
					Combined float64 `json:"combined_seconds"`
				}
			}
		}
		if err := json.Unmarshal([]byte(o.stdout), &out); err != nil {
			return err
		}
		s := &out.Searches[0]
		for _, x := range []struct {
			mapping string
			results []estimated
		}{{"", s.Static}, {file, s.Best.Estimates}} {
			valued := *c
			valued.mapping, valued.known, valued.refused = x.mapping, nil, ""
			again, err := valued.ask(at)
			if err != nil {
				return err
			}
			for _, r := range x.results {
				if err := cmp.Or(same("mapping "+x.mapping, r, again[r.Technique], reordered), sameEnergy(r, again[r.Technique])); err != nil {
					return err
				}
			}
			if first := again[answering["explore"][0]]; x.mapping == file && !(near(s.Best.Seconds, first.ParallelSeconds, reordered) && near(s.Best.Joules, first.Joules, tenDigits)) {
				return fmt.Errorf("the best takes %g s, and estimate says %+v", s.Best.Seconds, again)
			}
		}
		// A mapping that does well in other orders of stealing may be behind in the fixed one.
		steady := strings.Contains(o.stdout, "takes less time over others")
		if s.Best.Speedup < s.Static[0].Speedup*(1-reordered) && !steady || s.Bounds.Combined > s.Best.Seconds*(1+tenDigits) {
			return fmt.Errorf("best %+v, bound %g s, static %+v", s.Best, s.Bounds.Combined, s.Static[0])
		}
		return nil
	}
}

// serveLines sends the mapping file as a candidate: by names, and by indices.
func serveLines(c *cell, at func(string) string, known map[string]estimated) (outcome, func() error) {
	regions, err := regionsIn(at(c.bundle))
	if err != nil {
		return outcome{}, func() error { return err }
	}
	full, indices, byIndices := map[string]map[string]any{}, []int{}, true
	name := processorNames(c.target)
	for _, r := range regions {
		lists, said := map[string][]int{}, map[string]any{}
		for n := range r.Sections {
			p := processorOf(n, len(r.Sections), c.count)
			lists[name(p)], indices = append(lists[name(p)], n+1), append(indices, p)
		}
		for p, list := range lists {
			said[p] = list
		}
		if len(r.Loops) > 0 {
			loops := map[string]any{}
			for n := range r.Loops {
				schedule, processor := loopWay(n, c.count)
				loops[strconv.Itoa(n+1)] = map[string]any{"schedule": schedule, "processors": []string{name(processor)}}
			}
			said["loops"], byIndices = loops, false // indices know sections only
		}
		full[r.Name] = said
	}
	line := func(v map[string]any) string {
		v["techniques"] = []string{c.technique}
		text, _ := json.Marshal(v) // plain maps have JSON
		return string(text) + "\n"
	}
	named := map[string]any{"id": 2, "mapping": map[string]any{"regions": full}}
	stdin := line(map[string]any{"id": 1, "sections": indices}) + line(named)
	if !byIndices {
		stdin = line(named) + line(named)
	}
	o := pathspan(stdin, slices.Concat([]string{"serve", at(c.bundle)}, c.target, c.root())...)
	return o, func() error {
		mapped := *c
		if c.mapping == "" && len(regions) > 0 {
			mapped.known, mapped.refused = nil, ""
			if mapped.mapping, err = writeMapping(c.dir, at(c.bundle), c.target, c.count); err != nil {
				return err
			}
		}
		want, err := mapped.ask(at)
		if err != nil {
			return err
		}
		lines := strings.Split(strings.TrimSpace(o.stdout), "\n")
		if len(lines) != 3 {
			return fmt.Errorf("%d lines: %s", len(lines), o.stdout)
		}
		for _, l := range lines {
			if err := saneJSON(l); err != nil {
				return err
			}
		}
		for _, l := range lines[1:] {
			var out struct {
				Results []estimated
				Error   *struct{ Message string }
			}
			if err := json.Unmarshal([]byte(l), &out); err != nil {
				return err
			}
			if out.Error != nil {
				if !mayRefuse.MatchString(out.Error.Message) || mapped.refused == "" {
					return fmt.Errorf("it may not refuse: %s", l)
				}
				continue
			}
			if err := same("serve", out.Results[0], want[c.technique], reordered); err != nil {
				return err
			}
		}
		return nil
	}
}

// report writes a page or Markdown.
func (c *cell) report(at func(string) string, known map[string]estimated, format string) (outcome, func() error) {
	o := pathspan("", c.args(at, "report", "-o", "-", "--format", format, "--technique", c.technique)...)
	return o, func() error { return shows(o.stdout, known, c.technique) }
}

func reportJSON(c *cell, at func(string) string, known map[string]estimated) (outcome, func() error) {
	o := pathspan("", c.args(at, "report", "-o", "-", "--format", "json", "--technique", c.technique)...)
	return o, func() error {
		if err := saneJSON(o.stdout); err != nil {
			return err
		}
		var out struct {
			Answer struct {
				Technique string
				Speedup   float64
				Seconds   float64 `json:"parallel_seconds"`
				Estimates []estimated
			}
			Losses struct {
				Technique string
				Parallel  float64 `json:"parallel_cycles"`
			}
		}
		if err := json.Unmarshal([]byte(o.stdout), &out); err != nil {
			return err
		}
		a := &out.Answer
		if want := known[c.technique]; a.Technique != c.technique || !near(a.Speedup, want.Speedup, reordered) || !near(a.Seconds, want.ParallelSeconds, reordered) {
			return fmt.Errorf("the answer is %+v, and estimate says %+v", *a, want)
		}
		for _, r := range a.Estimates {
			if err := cmp.Or(same("answer", r, known[r.Technique], reordered), sameEnergy(r, known[r.Technique])); err != nil {
				return err
			}
		}
		by := out.Losses.Technique
		answers := c.accounts(by)
		if slices.Contains([]string{"eb", "pb", "at"}, c.technique) {
			answers = by == c.technique
		}
		if want := known[by]; !answers || !near(out.Losses.Parallel, want.ParallelCycles, reordered) {
			return fmt.Errorf("losses of %g cycles, and estimate says %+v", out.Losses.Parallel, want)
		}
		return nil
	}
}

func (c *cell) exportJSON(at func(string) string, format string) (outcome, func() error) {
	o := pathspan("", c.args(at, "export", "--format", format)...)
	return o, func() error { return saneJSON(o.stdout) }
}

func exportCilkscale(c *cell, at func(string) string, known map[string]estimated) (outcome, func() error) {
	o := pathspan("", c.args(at, "export", "--format", "cilkscale")...)
	return o, func() error {
		rows, err := csv.NewReader(strings.NewReader(o.stdout)).ReadAll()
		if err != nil {
			return err
		}
		whole := rows[len(rows)-1]
		for _, text := range whole[1:] {
			if x, err := strconv.ParseFloat(text, 64); err != nil || !(x >= 0) || math.IsInf(x, 0) {
				return fmt.Errorf("%q in %q", text, whole)
			}
		}
		x, _ := strconv.ParseFloat(whole[len(whole)-1], 64)
		by := "eb"
		if strings.Contains(o.stderr, "the times are those of PB") {
			by = "pb"
		}
		if want := known[by]; !c.accounts(by) || !near(x, want.ParallelSeconds, tenDigits) {
			return fmt.Errorf("%g s, and estimate says %+v", x, want)
		}
		return nil
	}
}

func exportCSV(c *cell, at func(string) string, known map[string]estimated) (outcome, func() error) {
	o := pathspan("", c.args(at, "export", "--format", "csv", "--technique", strings.Join(matrixTechniques, ","))...)
	return o, func() error {
		rows, err := csv.NewReader(strings.NewReader(o.stdout)).ReadAll()
		if err != nil || len(rows) != 1+len(matrixTechniques) {
			return fmt.Errorf("%d rows: %w", len(rows), err)
		}
		for i, row := range rows[1:] {
			figures := make([]float64, 5)
			for k := range figures {
				if figures[k], err = strconv.ParseFloat(row[4+k], 64); err != nil {
					return err
				}
			}
			got := estimated{SequentialCycles: figures[0], ParallelCycles: figures[1], SequentialSeconds: figures[2], ParallelSeconds: figures[3], Speedup: figures[4]}
			if err := same("csv", got, known[matrixTechniques[i]], 0); err != nil {
				return err
			}
		}
		return nil
	}
}

// exportPprof adds up the samples: of one processor, and those that the end waits for,
// which are cycles of the serial processor.
func exportPprof(c *cell, at func(string) string, known map[string]estimated) (outcome, func() error) {
	o := pathspan("", c.args(at, "export", "--format", "pprof")...)
	return o, func() error {
		p, err := profile.Parse(bytes.NewReader([]byte(o.stdout)))
		if err != nil {
			return err
		}
		sums := make([]float64, len(p.SampleType))
		for _, s := range p.Sample {
			for k, v := range s.Value {
				if v < 0 {
					return fmt.Errorf("a sample of %d", v)
				}
				sums[k] += float64(v)
			}
		}
		want, kept := known["eb"]
		if !kept {
			want = known["pb"]
		}
		if len(sums) < 3 || math.Abs(sums[0]-want.SequentialCycles) > 1+1e-9*want.SequentialCycles || math.Abs(sums[2]-want.ParallelCycles) > 1+1e-9*want.ParallelCycles {
			return fmt.Errorf("samples add up to %v, and estimate says %+v", sums, want)
		}
		return nil
	}
}

// wellFormed reads XML to its end.
func wellFormed(text string) error {
	for d := xml.NewDecoder(strings.NewReader(text)); ; {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
	}
}

// compared is the bundle that diff compares with.
func (c *cell) compared() string {
	if c.other != "" {
		return c.other
	}
	return c.bundle
}

func diffJSON(c *cell, at func(string) string, known map[string]estimated) (outcome, func() error) {
	o := pathspan("", append(c.args(at, "diff", "--json", "--technique", c.technique), at(c.compared()))...)
	return o, func() error {
		if err := saneJSON(o.stdout); err != nil {
			return err
		}
		var out struct {
			Figures []struct {
				Name string
				A    float64
			}
		}
		if err := json.Unmarshal([]byte(o.stdout), &out); err != nil {
			return err
		}
		want := known[c.technique]
		for _, f := range out.Figures {
			is := map[string]float64{"sequential cycles": want.SequentialCycles, "speed-up": want.Speedup, "parallel time": want.ParallelSeconds}
			if x, ok := is[f.Name]; ok && f.A != x {
				return fmt.Errorf("%s is %g, and estimate says %+v", f.Name, f.A, want)
			}
		}
		return nil
	}
}

// graphs writes every kind of graph in every format.
func graphs(c *cell, at func(string) string, known map[string]estimated) (outcome, func() error) {
	var all outcome
	for _, kind := range []string{"htg", "cfg", "cdg", "calls"} {
		for format, verify := range map[string]func(string) error{"dot": func(string) error { return nil }, "json": saneJSON, "svg": wellFormed} {
			o := pathspan("", append([]string{"graph", at(c.bundle), "--kind", kind, "--format", format}, c.root()...)...)
			if o.status != 0 {
				return o, nil
			}
			if err := verify(o.stdout); err != nil {
				return o, func() error { return fmt.Errorf("%s as %s: %w", kind, format, err) }
			}
			all.stdout, all.stderr = all.stdout+o.stdout, all.stderr+o.stderr
		}
	}
	return all, nil
}

func inspects(c *cell, at func(string) string, known map[string]estimated) (outcome, func() error) {
	o := pathspan("", "inspect", "--json", at(c.bundle))
	if o.status != 0 {
		return o, nil
	}
	return pathspan("", "inspect", at(c.bundle)), func() error { return saneJSON(o.stdout) }
}

// communicates asks for all views and formats of a bundle's communication.
func communicates(c *cell, at func(string) string, known map[string]estimated) (outcome, func() error) {
	for _, args := range [][]string{{"--by", "loop", "--per-call"}, {"--by", "object"}, {"--graph", "--by", "line"}, {"--format", "svg"}, {"--matrix", "--by", "section"}, {"--ports"}, {"--format", "csv"}} {
		o := pathspan("", append([]string{"comm", "-q", at(c.bundle)}, args...)...)
		if o.status != 0 {
			return o, nil
		}
		if problem := sane(o.stdout); problem != "" {
			return o, func() error { return fmt.Errorf("%q: %s", args, problem) }
		}
	}
	o := pathspan("", "comm", "--json", "--ports", at(c.bundle))
	return pathspan("", "comm", at(c.bundle)), func() error { return saneJSON(o.stdout) }
}

// modelCompare prices with the cell's model and another. The program's total holds what
// main does not account for, and so is no less than what estimate shows for that model.
func modelCompare(c *cell, at func(string) string, known map[string]estimated) (outcome, func() error) {
	o := pathspan("", "model", "compare", "--json", c.model, "c6000", at(c.bundle))
	if o.status != 0 {
		return o, nil
	}
	return pathspan("", "model", "compare", c.model, "c6000", at(c.bundle)), func() error { return saneJSON(o.stdout) }
}

// wholeRuns are bundles of one run that ended by returning from main, and of nothing else.
var wholeRuns = []string{"sizes", "nested", "recursion", "planned", "plain"}

// replays follows the program again. Its sequential cycles are estimate's where the run is
// that of the bundle.
func replays(c *cell, at func(string) string, known map[string]estimated) (outcome, func() error) {
	p := c.program()
	if p.merged != nil || p.flags != nil {
		return outcome{}, nil // no run of its own
	}
	args := slices.Concat([]string{"replay", "-q", "--json"}, c.target, c.root())
	if c.mapping != "" {
		args = append(args, "--mapping", c.mapping)
	}
	o := pathspan("", slices.Concat(args, p.command())...)
	return o, func() error {
		if err := saneJSON(o.stdout); err != nil {
			return err
		}
		var out struct{ Estimates []estimated }
		if err := json.Unmarshal([]byte(o.stdout), &out); err != nil {
			return err
		}
		got, want := out.Estimates[0], known["pb"]
		if !(got.Speedup > 0) {
			return fmt.Errorf("%+v", got)
		}
		if !slices.Contains(wholeRuns, c.bundle) || c.function != "" {
			return nil
		}
		if !near(got.SequentialCycles, want.SequentialCycles, 1e-6) {
			return fmt.Errorf("%+v, and estimate says %+v", got, want)
		}
		// Executions tell what replay sees, whatever the mapping; work is told in kinds of
		// instructions, which models price block by block.
		if exact := known["eb"]; !near(got.ParallelCycles, exact.ParallelCycles, 1e-2) {
			return fmt.Errorf("%+v, and estimate says %+v", got, exact)
		}
		return nil
	}
}

// measures times one run of each. Platforms play no part but for their number of
// processors.
func measures(c *cell, at func(string) string, known map[string]estimated) (outcome, func() error) {
	p := c.program()
	if p.merged != nil || p.flags != nil {
		return outcome{}, nil
	}
	args := []string{"measure", "-q", "--json", "-n", "1", "-p", strconv.Itoa(min(c.count, 2))}
	o := pathspan("", slices.Concat(args, p.command())...)
	return o, func() error { return saneJSON(o.stdout) }
}

// validates holds the cell's program against replay, as a benchmark of its own. Those are
// left out that do not end well, or are no single run.
func validates(c *cell, at func(string) string, known map[string]estimated) (outcome, func() error) {
	p := c.program()
	if c.mapping+c.function != "" || !slices.Contains([]string{"sizes", "nested", "recursion"}, c.bundle) {
		return outcome{}, nil
	}
	folder, err := writeBenchmark(c.dir, p)
	if err != nil {
		return outcome{}, func() error { return err }
	}
	o := pathspan("", slices.Concat([]string{"validate", "-q", "--json", "--levels", "2", folder}, c.target)...)
	return o, func() error {
		if err := saneJSON(o.stdout); err != nil {
			return err
		}
		var out struct {
			Rows []struct {
				estimated
				Reference float64 `json:"reference_speedup"`
			}
		}
		if err := json.Unmarshal([]byte(o.stdout), &out); err != nil || len(out.Rows) != len(matrixTechniques) {
			return fmt.Errorf("%d rows: %w", len(out.Rows), err)
		}
		for _, r := range out.Rows {
			if err := same("row", r.estimated, known[r.Technique], tenDigits); err != nil {
				return err
			}
			if !(r.Reference > 0) {
				return fmt.Errorf("replay's speed-up is %g", r.Reference)
			}
		}
		return nil
	}
}

// writeBenchmark makes a folder with one program as validate reads it.
func writeBenchmark(dir string, p *profiled) (string, error) {
	folder := filepath.Join(dir, "benchmark-"+p.name)
	if err := os.MkdirAll(filepath.Join(folder, "own"), 0o755); err != nil {
		return "", err
	}
	source, err := os.ReadFile(p.path())
	if err != nil {
		return "", err
	}
	arguments, _ := json.Marshal(append([]string{}, p.arguments...)) // strings have JSON, and YAML reads it
	sections := map[string]string{"sizes": "[3]", "nested": "[2, 5]", "recursion": "[2]"}[p.name]
	index := fmt.Sprintf("schema: pathspan.bench/1\nprograms:\n  - name: %s\n    title: of the matrix\n    group: own\n    files: [%s]\n    arguments: {small: %s, large: %s}\n    regions: %s\n    correlated: true\n",
		p.name, p.source, arguments, arguments, sections)
	for name, data := range map[string][]byte{
		p.source: source, "bench.yaml": []byte(index), filepath.Join("own", p.name+".small.expected"): nil, filepath.Join("own", p.name+".large.expected"): nil,
	} {
		if err := os.WriteFile(filepath.Join(folder, name), data, 0o644); err != nil {
			return "", err
		}
	}
	return folder, nil
}

// region is one as inspect tells it.
type region struct {
	Name     string // file:function:line
	Sections []string
	Loops    []struct{}
}

// function is the one that holds the region.
func (r *region) function() string {
	_, function, _ := strings.Cut(r.Name[:strings.LastIndexByte(r.Name, '#')], ":")
	return function
}

// regionsIn lists the regions of a bundle.
func regionsIn(bundle string) ([]region, error) {
	o := pathspan("", "inspect", "--json", bundle)
	var out struct{ Regions []region }
	if err := json.Unmarshal([]byte(o.stdout), &out); err != nil {
		return nil, fmt.Errorf("%w: %s", err, o.stderr)
	}
	return out.Regions, nil
}

func regionsOf(t *testing.T, bundle string) []region {
	t.Helper()
	all, err := regionsIn(bundle)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// processorOf is where the mapping files of cells put section n of a region: from the last
// processor to the first, round and round.
func processorOf(n, sections, processors int) int { return (processors*sections - 1 - n) % processors }

// loopWay is how the mapping files of cells share loop n: in another way than its clause says.
func loopWay(n, processors int) (schedule string, processor int) {
	return []string{"guided,2", "static,5", "dynamic"}[n%3], processors - 1
}

// writeMapping writes the mapping file of a bundle.
func writeMapping(dir, bundle string, target []string, processors int) (string, error) {
	regions, err := regionsIn(bundle)
	if err != nil {
		return "", err
	}
	name := processorNames(target)
	text := "serial: " + name(0) + "\nregions:\n"
	for _, r := range regions {
		text += "  " + r.Name + ":\n"
		lists := make([]string, processors)
		for n := range r.Sections {
			p := processorOf(n, len(r.Sections), processors)
			lists[p] += fmt.Sprintf("%d, ", n+1)
		}
		for p, list := range lists {
			if list != "" {
				text += fmt.Sprintf("    %s: [%s]\n", name(p), strings.TrimSuffix(list, ", "))
			}
		}
		if len(r.Loops) > 0 {
			text += "    loops:\n"
		}
		for n := range r.Loops {
			schedule, processor := loopWay(n, processors)
			text += fmt.Sprintf("      %d: {schedule: \"%s\", processors: [%s]}\n", n+1, schedule, name(processor))
		}
	}
	if len(regions) == 0 {
		text = "serial: " + name(0) + "\n"
	}
	path := filepath.Join(dir, fmt.Sprintf("%s-%s%d.yaml", strings.TrimSuffix(filepath.Base(bundle), ".pspan"), name(0), processors))
	return path, os.WriteFile(path, []byte(text), 0o644)
}

// processorNames names the processors of a platform: those of files begin with p, equal
// ones with cpu.
func processorNames(target []string) func(int) string {
	prefix := "cpu"
	if slices.Contains(target, "--platform") {
		prefix = "p"
	}
	return func(p int) string { return prefix + strconv.Itoa(p) }
}
