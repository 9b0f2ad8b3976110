package main

// This file holds the commands to one answer: on programs, platforms, models and mappings,
// each gives the time and the speed-up that estimate gives, and exact replay agrees.

import (
	"bytes"
	"cmp"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pathspan/build/record"
	"pathspan/build/toolchain"
	"pathspan/estimate"
	"pathspan/mapping"
	"pathspan/procmodels"
	"pathspan/profile"
	"pathspan/replay"
)

// asked is a program that is asked about, and what came of it.
type asked struct {
	name      string
	sources   []string
	cflags    []string
	arguments []string
	stdin     string // text
	bundle    string // file; "" where it is to be profiled
	settings  []setting
	memory    bool   // it is profiled with --memory, of which replay knows nothing
	seed      uint64 // of its mappings

	said map[string]spanned // by command: the smallest and largest difference, relative
	off  []deviation        // of what estimate says from replay
}

// setting is a platform, and the mappings to try on it.
type setting struct {
	model    string // for the table
	flags    []string
	platform *mapping.Platform
	uniform  bool          // the processors differ by their clocks alone
	mappings []mappingText // OpenMP's static schedule first, what explore finds last
	estimate []estimated   // by mapping: what is to be said of it
	reach    []spanned     // by mapping: what it says of other orders of stealing, as shares of the time
	replayed []float64     // seconds, by mapping; nil where there is no replay
}

// mappingText is a mapping as files and candidates of serve say it, in the order of names.
type mappingText struct {
	path string
	text string
}

// deviation is how far an estimate is from replay.
type deviation struct {
	program, model string
	equal          bool
	mapping        int
	share          float64
}

// oneAnswer is how far figures of commands may differ that sum the same in another order.
const oneAnswer = 1e-12

// platformsOf are settings of three processors each: equal ones and others that differ in
// clock and model.
func platformsOf(dir string, models []string) ([]setting, error) {
	var all []setting
	for i, model := range models {
		all = append(all, setting{model: model, flags: []string{"-p", "3", "--model", model}, platform: mapping.Homogeneous(3, model), uniform: true})
		s, err := unequalSetting(dir, "unequal", model, models[(i+1)%len(models)], 3)
		if err != nil {
			return nil, err
		}
		all = append(all, s)
	}
	return all, nil
}

// unequalSetting is one of processors of two models by turns, whose clocks differ by no
// simple ratio.
func unequalSetting(dir, kind, model, other string, processors int) (setting, error) {
	text := "processors:\n"
	for i := range processors {
		text += fmt.Sprintf("  - {name: cpu%d, model: %q, clock_mhz: %d}\n", i, []string{model, other}[i%2], 100+37*((2*i)%5))
	}
	text += "overheads: {create: 60, sync: 20, fork: 90, join: 45, dispatch: 15, lock: 7, atomic: 11, reduction: 35, barrier: 30, task: 25, undeferred: 10, steal: 40, team_of_one: 5}\n"
	file := filepath.Join(dir, fmt.Sprintf("%s-%s-%d.yaml", kind, model, processors))
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		return setting{}, err
	}
	pl, err := mapping.LoadPlatform(file)
	return setting{model: model, flags: []string{"-p", strconv.Itoa(processors), "--platform", file}, platform: pl, uniform: model == other}, err
}

// askAll asks about programs, and reports what differs.
func askAll(t *testing.T, dir string, all []*asked) {
	for _, a := range all {
		t.Run(a.name, func(t *testing.T) {
			folder := filepath.Join(dir, "asked-"+strings.ReplaceAll(a.name, "/", "-"))
			if err := os.MkdirAll(folder, 0o755); err != nil {
				t.Fatal(err)
			}
			if err := a.ask(t.Context(), folder); err != nil {
				t.Error(err)
			}
		})
	}
	said := map[string]float64{}
	var off []deviation
	for _, a := range all {
		for command, s := range a.said {
			said[command] = max(said[command], s.High, -s.Low)
		}
		off = append(off, a.off...)
	}
	for _, command := range slices.Sorted(maps.Keys(said)) {
		t.Logf("%-24s differs from estimate by %.2g at most", command, said[command])
	}
	logDeviations(t, off)
}

// logDeviations prints how far estimates are from replay, by model and platform, and holds
// the averages to a limit.
func logDeviations(t *testing.T, off []deviation) {
	type key struct {
		model string
		equal bool
	}
	by := map[key][]deviation{}
	for _, d := range off {
		k := key{d.model, d.equal}
		by[k] = append(by[k], d)
	}
	for _, k := range slices.SortedFunc(maps.Keys(by), func(a, b key) int { return strings.Compare(fmt.Sprint(a), fmt.Sprint(b)) }) {
		sum, worst := 0.0, deviation{}
		for _, d := range by[k] {
			sum += math.Abs(d.share)
			if math.Abs(d.share) >= math.Abs(worst.share) {
				worst = d
			}
		}
		if n := len(by[k]); n > 32 && !(sum <= 0.002*float64(n)) { // of few one may be coarse
			t.Errorf("%s: estimates are %.3g%% off replay on average", k.model, 100*sum/float64(len(by[k])))
		}
		t.Logf("%-10s equal %-5v %4d estimates: %.3g%% off on average, %.3g%% at most (%s, mapping %d)", k.model, k.equal, len(by[k]), 100*sum/float64(len(by[k])), 100*worst.share, worst.program, worst.mapping)
	}
}

// ask profiles, replays and asks every command.
func (a *asked) ask(ctx context.Context, dir string) error {
	a.said = map[string]spanned{}
	if a.bundle == "" {
		a.bundle = filepath.Join(dir, "program.pspan")
		args := []string{"profile", "-q", "-o", a.bundle}
		if a.memory {
			args = append(args, "--memory")
		}
		for _, flag := range a.cflags {
			args = append(args, "--cflags", flag)
		}
		o := pathspan(a.stdin, append(append(append(args, a.sources...), "--"), a.arguments...)...)
		if _, err := os.Stat(a.bundle); err != nil {
			return fmt.Errorf("status %d: %s", o.status, o.stderr)
		}
	}
	b, err := profile.ReadFile(a.bundle)
	if err != nil {
		return err
	}
	for i := range a.settings {
		s := &a.settings[i]
		if err := a.mappings(dir, i, b); err != nil {
			return err
		}
		if err := a.estimates(s); err != nil {
			return err
		}
	}
	if err := a.replay(ctx, dir, b); err != nil {
		return err
	}
	var problems []error
	for i := range a.settings {
		s := &a.settings[i]
		problems = append(problems, a.compareReplay(s), a.serve(s), a.tables(s))
		for k := range s.mappings {
			if k == i%len(s.mappings) || os.Getenv("PATHSPAN_TEST_ALL") != "" {
				problems = append(problems, a.one(s, k))
			}
		}
	}
	return errors.Join(problems...)
}

// mappings writes the mappings of a setting: OpenMP's static schedule, all regions at
// random, half of the regions with half of their sections elsewhere in reverse order, and
// what explore returns.
func (a *asked) mappings(dir string, i int, b *profile.Bundle) error {
	s := &a.settings[i]
	n := len(s.platform.Processors)
	static := mapping.Default(s.platform, b.Program)
	type lists map[string][]int
	all := []map[string]lists{{}, {}, {}}
	loops := []map[string]map[string]any{{}, {}, {}}
	state := a.seed*2654435761 + uint64(i)
	random := func(n int) int {
		state = state*6364136223846793005 + 1442695040888963407
		return int(state>>33) % n
	}
	for r := range b.Program.Regions {
		name, first := b.Program.Regions[r].Name, 0
		all[1][name] = lists{}
		if r%2 == 0 {
			all[2][name] = lists{}
		}
		nth := 0 // of the region's loops
		for c, proc := range static.Regions[r].Proc {
			if b.Program.Regions[r].Constructs[c].Loop != nil {
				nth++
				for k := range all {
					if _, named := all[k][name]; named && k > 0 {
						schedules := []string{"static", "static,3", "dynamic,2", "guided,1"}
						if loops[k][name] == nil {
							loops[k][name] = map[string]any{}
						}
						loops[k][name][fmt.Sprint(nth)] = map[string]any{"schedule": schedules[random(len(schedules))]}
					}
				}
				continue
			}
			before := map[string]int{} // of constructs that come first
			for p, list := range all[1][name] {
				before[p] = len(list)
			}
			for k := range proc {
				section := first + k + 1
				p := fmt.Sprintf("cpu%d", random(n))
				at := before[p] + random(len(all[1][name][p])-before[p]+1)
				all[1][name][p] = slices.Insert(all[1][name][p], at, section)
			}
			for k := len(proc) - 1; k >= 0 && r%2 == 0; k-- {
				p := fmt.Sprintf("cpu%d", (proc[k]+k%2)%n)
				all[2][name][p] = append(all[2][name][p], first+k+1)
			}
			first += len(proc)
		}
	}
	for k := range all {
		regions := map[string]map[string]any{}
		for name, sections := range all[k] {
			regions[name] = map[string]any{}
			for p, list := range sections {
				regions[name][p] = list
			}
			if of := loops[k][name]; of != nil {
				regions[name]["loops"] = of
			}
		}
		text, err := json.Marshal(map[string]any{"serial": fmt.Sprintf("cpu%d", k%2*random(n)), "regions": regions})
		if err != nil {
			return err
		}
		m := mappingText{filepath.Join(dir, fmt.Sprintf("mapping-%d-%d.yaml", i, k)), string(text)}
		if err := os.WriteFile(m.path, text, 0o644); err != nil {
			return err
		}
		s.mappings = append(s.mappings, m)
	}
	return a.explore(s, filepath.Join(dir, fmt.Sprintf("mapping-%d-best.yaml", i)))
}

// run runs a command on a setting that must succeed.
func (a *asked) run(s *setting, stdin, command string, flags ...string) (string, error) {
	o := pathspan(stdin, slices.Concat([]string{command, a.bundle}, s.flags, flags)...)
	if o.status != 0 {
		return "", fmt.Errorf("%s %v: status %d: %s", command, flags, o.status, o.stderr)
	}
	return o.stdout, nil
}

func (a *asked) decode(v any, s *setting, command string, flags ...string) error {
	text, err := a.run(s, "", command, flags...)
	if err != nil {
		return err
	}
	return json.Unmarshal([]byte(text), v)
}

// explore adds the mapping that a search returns. Its time is held against estimate's once
// that is known.
func (a *asked) explore(s *setting, path string) error {
	var out struct {
		Searches []struct {
			Proven bool
			Best   struct {
				Speedup float64
				Seconds float64 `json:"parallel_seconds"`
			}
		}
	}
	if err := a.decode(&out, s, "explore", "--json", "--budget", "300", "-o", path); err != nil {
		return err
	}
	s.mappings = append(s.mappings, mappingText{path: path})
	best := &out.Searches[0].Best
	var again struct{ Estimates []estimated }
	if err := a.decode(&again, s, "estimate", "--json", "--samples", "0", "--mapping", path); err != nil {
		return err
	}
	return a.same(s, "explore", len(s.mappings)-1, again.Estimates[0], best.Seconds, best.Speedup)
}

// files names all mappings.
func (s *setting) files() (flags []string) {
	for _, m := range s.mappings {
		flags = append(flags, "--mapping", m.path)
	}
	return flags
}

// estimates asks estimate: what comes first of each mapping is the answer. No technique
// exceeds what the processors can do together.
func (a *asked) estimates(s *setting) error {
	var out struct {
		Estimates []estimated
		Notes     []string
	}
	if err := a.decode(&out, s, "estimate", append(s.files(), "--json", "--samples", "0", "--technique", strings.Join(matrixTechniques, ","))...); err != nil {
		if !strings.Contains(err.Error(), "keeps no executions") {
			return err
		}
		if err := a.decode(&out, s, "estimate", append(s.files(), "--json", "--samples", "0")...); err != nil {
			return err
		}
	}
	for k := range s.mappings {
		s.reach = append(s.reach, stealingReach(out.Notes, out.Estimates[k*len(out.Estimates)/len(s.mappings)].Mapping))
	}
	var problems []error
	for i, r := range out.Estimates {
		if i%(len(out.Estimates)/len(s.mappings)) == 0 {
			s.estimate = append(s.estimate, r)
		}
		serial, speeds := r.SequentialCycles/r.SequentialSeconds/1e6, 0.0 // its clock
		for _, p := range s.platform.Processors {
			speeds += cmp.Or(p.ClockMHz, serial) / serial
		}
		if s.uniform && r.Technique != "pb-unmapped" && r.Speedup > speeds*(1+1e-9) {
			problems = append(problems, fmt.Errorf("%v, mapping %d: speed-up %v by %s, and all processors do %v times the work of the serial one", s.flags, i/(len(out.Estimates)/len(s.mappings)), r.Speedup, r.Technique, speeds))
		}
	}
	return errors.Join(problems...)
}

// stealingReach is how far a mapping's time reaches where few tasks decide, if a note says so.
func stealingReach(notes []string, mapping string) spanned {
	text := regexp.MustCompile(`some cycles, (.*) on \d+ processors? takes ([0-9.]+) to ([0-9.]+) times`)
	for _, note := range notes {
		if m := text.FindStringSubmatch(note); m != nil && m[1] == mapping {
			low, _ := strconv.ParseFloat(m[2], 64)
			high, _ := strconv.ParseFloat(m[3], 64)
			return spanned{low, high}
		}
	}
	return spanned{1, 1}
}

// same notes how far a command's figures are from those of estimate.
func (a *asked) same(s *setting, command string, k int, want estimated, seconds, speedup float64) error {
	x := a.said[command]
	for _, d := range []float64{seconds/want.ParallelSeconds - 1, speedup/want.Speedup - 1} {
		x.Low, x.High = min(x.Low, d), max(x.High, d)
		if !(math.Abs(d) <= oneAnswer) {
			a.said[command] = x
			return fmt.Errorf("%v, mapping %d: %s says %v s, speed-up %v, and estimate %+v", s.flags, k, command, seconds, speedup, want)
		}
	}
	a.said[command] = x
	return nil
}

// one asks the commands that take one mapping.
func (a *asked) one(s *setting, k int) error {
	flags := []string{"--mapping", s.mappings[k].path}
	if k == 0 {
		flags = nil
	}
	want := s.estimate[k]
	var why struct {
		Parallel   float64 `json:"parallel_cycles"`
		Sequential float64 `json:"sequential_cycles"`
		Speedup    float64
	}
	if err := a.decode(&why, s, "why", append(flags, "--json")...); err != nil {
		return err
	}
	if err := a.same(s, "why", k, want, why.Parallel/want.ParallelCycles*want.ParallelSeconds, why.Speedup); err != nil {
		return err
	}
	var doc struct {
		Answer struct {
			Speedup   float64
			Seconds   float64 `json:"parallel_seconds"`
			Estimates []estimated
		}
		Losses struct {
			Parallel float64 `json:"parallel_cycles"`
			Speedup  float64
		}
	}
	if err := a.decode(&doc, s, "report", append(flags, "-o", "-", "--format", "json")...); err != nil {
		return err
	}
	err := errors.Join(a.same(s, "report", k, want, doc.Answer.Seconds, doc.Answer.Speedup),
		a.same(s, "report, estimates", k, want, doc.Answer.Estimates[0].ParallelSeconds, doc.Answer.Estimates[0].Speedup),
		a.same(s, "report, losses", k, want, doc.Losses.Parallel/want.ParallelCycles*want.ParallelSeconds, doc.Losses.Speedup))
	if err != nil {
		return err
	}
	text, err := a.run(s, "", "export", append(flags, "--format", "cilkscale")...)
	if err != nil {
		return err
	}
	lines := strings.Split(strings.TrimSpace(text), "\n")
	whole := strings.Split(lines[len(lines)-1], ",")
	seconds, err := strconv.ParseFloat(whole[len(whole)-1], 64)
	if err != nil || !near(seconds, want.ParallelSeconds, tenDigits) {
		return fmt.Errorf("%s %v, mapping %d: cilkscale says %v s, and estimate %+v (%w)", a.name, s.flags, k, seconds, want, err)
	}
	return nil
}

// serve sends the mappings as candidates.
func (a *asked) serve(s *setting) error {
	var stdin strings.Builder
	for i, m := range s.mappings {
		if m.text != "" {
			fmt.Fprintf(&stdin, "{\"id\":%d,\"mapping\":%s}\n", i, m.text)
		}
	}
	text, err := a.run(s, stdin.String(), "serve")
	if err != nil {
		return err
	}
	for i, line := range strings.Split(strings.TrimSpace(text), "\n")[1:] {
		var out struct {
			Results []estimated
			Error   *struct{ Message string }
		}
		if err := json.Unmarshal([]byte(line), &out); err != nil || len(out.Results) == 0 {
			return fmt.Errorf("%s: serve: %s (%w)", a.name, line, err)
		}
		if err := a.same(s, "serve", i, s.estimate[i], out.Results[0].ParallelSeconds, out.Results[0].Speedup); err != nil {
			return err
		}
	}
	return nil
}

// tables asks the commands that take several mappings.
func (a *asked) tables(s *setting) error {
	text, err := a.run(s, "", "export", append(s.files(), "--format", "csv")...)
	if err != nil {
		return err
	}
	rows, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil {
		return err
	}
	each := (len(rows) - 1) / len(s.mappings)
	for k := range s.mappings {
		row := rows[1+k*each]
		seconds, err := strconv.ParseFloat(row[7], 64)
		speedup, other := strconv.ParseFloat(row[8], 64)
		if err := errors.Join(err, other, a.same(s, "export csv", k, s.estimate[k], seconds, speedup)); err != nil {
			return err
		}
	}
	o := pathspan("", slices.Concat([]string{"diff", a.bundle, a.bundle, "--json"}, s.flags, s.files())...)
	var out struct {
		Figures []struct {
			Name string
			A    float64
		}
	}
	if err := json.Unmarshal([]byte(o.stdout), &out); err != nil {
		return fmt.Errorf("diff: %s: %w", o.stderr, err)
	}
	var seconds, speedups []float64
	for _, f := range out.Figures {
		switch f.Name {
		case "parallel time":
			seconds = append(seconds, f.A)
		case "speed-up":
			speedups = append(speedups, f.A)
		}
	}
	each = len(seconds) / len(s.mappings)
	for k := range s.mappings {
		if err := a.same(s, "diff", k, s.estimate[k], seconds[k*each], speedups[k*each]); err != nil {
			return err
		}
	}
	return nil
}

// replay follows the program once, under all mappings on all platforms. Programs are left
// out that it does not follow.
func (a *asked) replay(ctx context.Context, dir string, b *profile.Bundle) error {
	if notReplayed[a.name] != "" || a.memory {
		return nil
	}
	tc, err := toolchain.Find("")
	if err != nil {
		return err
	}
	most := 1
	for i := range a.settings {
		most = max(most, len(a.settings[i].platform.Processors))
	}
	b = b.WithTeams(most)
	pricer := &estimate.Pricer{Program: b.Program, Module: b.Module}
	procs := make([]estimate.Processors, len(a.settings))
	var costs []*procmodels.Costs
	for i := range a.settings {
		if procs[i], err = pricer.Processors(ctx, a.settings[i].platform); err != nil {
			return err
		}
		costs = append(costs, procs[i].Costs...)
	}
	plan, err := replay.NewPlan(b.Program, b.Program.Func("main").Index, costs)
	if err != nil {
		return err
	}
	plan.TellUpdates()
	var sims []*replay.Simulator
	for i, s := range a.settings {
		for _, text := range s.mappings {
			file, err := mapping.LoadMapping(text.path)
			if err != nil {
				return err
			}
			m, err := mapping.Resolve(s.platform, file, b.Program)
			if err != nil {
				return err
			}
			sim, err := replay.NewSimulator(plan, m, procs[i].Costs, procs[i].ClockMHz, procs[i].Overheads, b.Program)
			if err != nil {
				return err
			}
			sims = append(sims, sim)
		}
	}
	r := &record.Recorder{Toolchain: tc, Dir: dir}
	built := r.FromBundle(b, record.Options{Sources: []string{a.bundle}, Level: "2", CFlags: a.cflags})
	exe, err := r.Metered(ctx, built, &plan.Meters)
	if err != nil {
		return err
	}
	_, err = r.Follow(ctx, built, exe, a.arguments, record.Streams{Stdin: strings.NewReader(a.stdin), Stdout: io.Discard, Stderr: new(bytes.Buffer)}, func(events io.Reader) error {
		_, err := replay.Read(events, plan, sims)
		return err
	})
	if err != nil && !errors.Is(err, replay.ErrCut) {
		return err
	}
	next := 0
	for i := range a.settings {
		s := &a.settings[i]
		for range s.mappings {
			s.replayed = append(s.replayed, sims[next].Sequential()/sims[next].Parallel())
			next++
		}
	}
	return nil
}

// compareReplay notes how far the answers are from replay.
func (a *asked) compareReplay(s *setting) error {
	var problems []error
	for k, exact := range s.replayed {
		d := exact/s.estimate[k].Speedup - 1 // of the parallel time
		a.off = append(a.off, deviation{a.name, s.model, s.flags[2] == "--model", k, d})
		longer := 1 / (1 + d) // replay's time, as a share of the estimate's
		limit := 0.01
		if a.name == "openmp/critical" {
			limit = 0.015 // who comes first to a lock turns on single cycles of hundreds
		}
		if beyond := max(longer-s.reach[k].High, s.reach[k].Low-longer, 0); math.Abs(d) > limit && beyond > 0.001 {
			problems = append(problems, fmt.Errorf("%v, mapping %d: estimate says %v, replay %v: %.3g%%", s.flags, k, s.estimate[k].Speedup, exact, 100*d))
		}
	}
	return errors.Join(problems...)
}
