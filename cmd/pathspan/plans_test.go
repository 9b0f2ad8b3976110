package main

// This file holds programs with plans to the same programs with the pragmas written: their
// costed modules, profiles and estimates are equal to the last bit. The pragmas of the test
// programs and of random ones are taken out and said by plans.

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pathspan/build/toolchain"
	"pathspan/profile"
	"pathspan/testdata/programs"
)

// unplanned takes the pragmas that a plan can say out of a source, without moving a line,
// and says them in the entries of a plan. File is the source's name in them.
type unplanned struct {
	file    string
	lines   []string
	entries []string
	random  *rand.Rand // how entries name places
	some    bool       // of random programs: some pragmas stay, and loops are named by their functions too
}

var (
	pragmaLine = regexp.MustCompile(`^\s*#\s*pragma omp (.*)$`)
	oneClause  = regexp.MustCompile(`^\s*,?\s*([a-z_]+)\s*(\(((?:[^()]|\([^()]*\))*)\))?`)
)

// plainly returns a source without pragmas where a plan can say them, and the plan.
func plainly(file, source string, seed uint64, some bool) (plain, plan string, constructs int) {
	u := &unplanned{file: file, lines: strings.Split(source, "\n"), random: rand.New(rand.NewPCG(seed, 3)), some: some}
	for i := range u.lines {
		m := pragmaLine.FindStringSubmatch(u.lines[i])
		if m == nil {
			continue
		}
		last, text := i, m[1]
		for strings.HasSuffix(text, "\\") {
			last++
			text = strings.TrimSuffix(text, "\\") + u.lines[last]
		}
		if u.some && u.random.IntN(5) == 0 {
			continue
		}
		if clauses, ok := strings.CutPrefix(text, "parallel for"); ok && !strings.HasPrefix(clauses, " simd") {
			u.loop(i, last, clauses)
		} else if clauses, ok := strings.CutPrefix(text, "parallel sections"); ok {
			u.sections(i, last, clauses)
		}
	}
	return strings.Join(u.lines, "\n"), "plan:\n" + strings.Join(u.entries, ""), len(u.entries)
}

// keys says clauses as a plan does, where it can.
func keys(clauses string, sections bool) (text string, ok bool) {
	for strings.TrimSpace(clauses) != "" {
		m := oneClause.FindStringSubmatch(clauses)
		if m == nil {
			return "", false
		}
		clauses = clauses[len(m[0]):]
		key := m[1]
		switch key {
		case "num_threads":
			key = "threads"
		case "ordered":
			m[3] = "true"
		case "schedule":
			if strings.Contains(m[3], "(") {
				return "", false
			}
		case "collapse", "reduction", "private", "firstprivate", "lastprivate":
		default:
			return "", false
		}
		if strings.Contains(text, "    "+key+":") || key == "threads" && strings.Trim(m[3], "0123456789") != "" {
			return "", false
		}
		text += fmt.Sprintf("    %s: %q\n", key, strings.Join(strings.Fields(m[3]), " "))
	}
	return regexp.MustCompile(`(collapse|threads|ordered): "(.*)"`).ReplaceAllString(text, "$1: $2"), true
}

// loop takes the pragma of lines i to last out, which is for the loop behind it.
func (u *unplanned) loop(i, last int, clauses string) {
	text, ok := keys(clauses, false)
	if !ok {
		return
	}
	at := last + 1
	column := len(u.lines[at]) - len(strings.TrimLeft(u.lines[at], " \t"))
	place := fmt.Sprintf("%s:%d", u.file, at+1)
	if !strings.HasPrefix(u.lines[at][column:], "for") || u.random.IntN(2) == 0 {
		place += fmt.Sprintf(":%d", column+1)
	}
	if u.some && u.random.IntN(2) == 0 {
		place = u.numbered(at)
	}
	u.entries = append(u.entries, fmt.Sprintf("  - loop: %s\n%s", place, text))
	u.blank(i, last)
}

var definition = regexp.MustCompile(`^[a-z_].*\b([a-z0-9]+)\([^;]*$`)

// numbered names the loop of a line by the function that it is in.
func (u *unplanned) numbered(line int) string {
	count := 0
	for ; line >= 0; line-- {
		count += strings.Count(u.lines[line], "for (")
		if m := definition.FindStringSubmatch(u.lines[line]); m != nil {
			return fmt.Sprintf("{function: %s, loop: %d}", m[1], count)
		}
	}
	return "in no function"
}

func (u *unplanned) blank(from, to int) {
	for k := from; k <= to; k++ {
		u.lines[k] = ""
	}
}

// sections takes the pragmas of sections and their braces out, where each has lines of its
// own.
func (u *unplanned) sections(i, last int, clauses string) {
	text, ok := keys(clauses, true)
	open := last + 1
	if !ok || strings.TrimSpace(u.lines[open]) != "{" {
		return
	}
	indent := u.lines[open][:strings.Index(u.lines[open], "{")]
	var marks []int // lines of the section pragmas, and of the brace that closes
	inner := ""
	for k := open + 1; ; k++ {
		m := pragmaLine.FindStringSubmatch(u.lines[k])
		if m != nil && m[1] == "section" && (inner == "" || strings.HasPrefix(u.lines[k], inner+"#")) {
			inner = u.lines[k][:strings.Index(u.lines[k], "#")]
			marks = append(marks, k)
		}
		if u.lines[k] == indent+"}" {
			marks = append(marks, k)
			break
		}
	}
	if len(marks) < 3 || marks[0] != open+1 {
		return
	}
	entry := "  - sections:\n"
	for k := range marks[:len(marks)-1] {
		first, end := marks[k]+1, marks[k+1]-1
		for strings.TrimSpace(u.lines[first]) == "" {
			first++
		}
		place := fmt.Sprintf("%s:%d-%d", u.file, first+1, end+1)
		if first == end || u.random.IntN(2) == 0 && strings.TrimSpace(u.lines[first]) == "{" {
			place = fmt.Sprintf("%s:%d", u.file, first+1) // one block
		}
		entry += "      - " + place + "\n"
	}
	u.entries = append(u.entries, entry+text)
	u.blank(i, last)
	u.blank(open, open)
	for _, k := range marks {
		u.blank(k, k)
	}
}

var (
	placeText = regexp.MustCompile(`(?m)^(@[0-9]+ = private unnamed_addr constant (\[[0-9]+ x i8\] c";|%struct.ident_t)|![0-9]+ = ).*\n`)
	numbered  = regexp.MustCompile(`[@!][0-9]+|__omp_offloading_[0-9a-f_]+|"pathspan-task"="[0-9]+;[0-9]+`)
)

// placeless is a module without the texts in which OpenMP's calls say lines and columns, and
// without the numbers of what has no name, and of files on the disk.
func placeless(module []byte) []byte {
	return numbered.ReplaceAll(placeText.ReplaceAll(module, nil), []byte("@0"))
}

// samePlanned profiles a program with pragmas and the same with a plan in their place, in
// folders of the same depth, and compares what came of them.
func samePlanned(t *testing.T, name, source string, clang string, flags, arguments []string, plain, plan string) {
	t.Helper()
	dir := t.TempDir()
	var bundles []*profile.Bundle
	var files []string
	for i, text := range []string{source, plain} {
		folder := filepath.Join(dir, fmt.Sprint(i))
		if err := os.MkdirAll(folder, 0o755); err != nil {
			t.Fatal(err)
		}
		t.Chdir(folder)
		writeText(t, folder, name, text)
		file := filepath.Join(folder, "app.pspan")
		args := append([]string{"profile", "-q", "-o", file, "--clang", clang}, flags...)
		if i == 1 {
			args = append(args, "--plan", writeText(t, folder, "plan.yaml", plan))
		}
		args = append(append(args, name, "--"), arguments...)
		o := pathspan("", args...) // the status may be the program's
		b, err := profile.ReadFile(file)
		if err != nil {
			t.Fatalf("%v: %s\n%s\n%s", err, o.stderr, plan, plain)
		}
		bundles, files = append(bundles, b), append(files, file)
	}
	a, b := bundles[0], bundles[1]
	if len(a.Program.Regions) == 0 {
		t.Error("the program has no region, so that nothing is compared")
	}
	if x, y := placeless(a.Module), placeless(b.Module); !bytes.Equal(x, y) {
		at := 0
		for at < min(len(x), len(y)) && x[at] == y[at] {
			at++
		}
		t.Errorf("the costed modules differ: %.300q, planned %.300q", x[max(0, at-100):], y[max(0, at-100):])
	}
	if !reflect.DeepEqual(a.Funcs, b.Funcs) || !reflect.DeepEqual(a.Executions, b.Executions) {
		t.Error("the profiles differ")
	}
	if b.Provenance.Plan == nil || b.Provenance.Plan.Text != plan {
		t.Error("the bundle does not hold the plan")
	}
	for _, technique := range []string{"eb", "pb"} {
		var figures []string
		for _, file := range files {
			var out struct{ Estimates []json.RawMessage }
			if err := json.Unmarshal([]byte(succeed(t, "estimate", "--json", "--samples", "8", "-p", "2,3", "--technique", technique, file)), &out); err != nil || len(out.Estimates) != 2 {
				t.Fatal(len(out.Estimates), err)
			}
			figures = append(figures, fmt.Sprintf("%s", out.Estimates))
		}
		if figures[0] != figures[1] {
			t.Errorf("%s differs:\n%s\n%s", technique, figures[0], figures[1])
		}
	}
}

// TestPlansOfPrograms tries each program of C++ and every second of C with one LLVM, by turns, and with
// PATHSPAN_TEST_ALL=1 each with all; then also those that have plans of their own, which
// TestPlansOfTestdata tries.
func TestPlansOfPrograms(t *testing.T) {
	all := toolchain.All()
	if len(all) == 0 {
		t.Skip("no LLVM is installed")
	}
	for _, folder := range []string{"../../testdata", "../../testdata/parallel"} {
		root, err := filepath.Abs(folder)
		if err != nil {
			t.Fatal(err)
		}
		list, err := programs.Load(root)
		if err != nil {
			t.Fatal(err)
		}
		done := map[string]bool{}
		for n, p := range list {
			if len(p.Sources) != 1 || p.Stdin != "" || done[p.Sources[0]] {
				continue
			}
			done[p.Sources[0]] = true
			if p.Language == "c" && n%2 == 1 && os.Getenv("PATHSPAN_TEST_ALL") == "" {
				continue
			}
			file := p.Paths(root)[0]
			if _, err := os.Stat(planBeside(file)); err == nil && os.Getenv("PATHSPAN_TEST_ALL") == "" {
				continue
			}
			source, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			name := filepath.Base(p.Sources[0])
			plain, plan, constructs := plainly(name, string(source), uint64(n), false)
			if constructs == 0 {
				continue
			}
			var flags []string
			for _, lib := range p.Link {
				flags = append(flags, "--cflags", "-l"+lib)
			}
			for i, tc := range all {
				if i != n/2%len(all) && os.Getenv("PATHSPAN_TEST_ALL") == "" {
					continue
				}
				t.Run(fmt.Sprintf("%s/llvm%d", p.Name, tc.Version), func(t *testing.T) {
					t.Logf("%d constructs", constructs)
					samePlanned(t, name, string(source), fmt.Sprint(tc.Version), flags, p.Small().Args, plain, plan)
				})
			}
		}
	}
}

func TestPlansOfRandomPrograms(t *testing.T) {
	all := toolchain.All()
	if len(all) == 0 {
		t.Skip("no LLVM is installed")
	}
	seeds := uint64(6)
	if os.Getenv("PATHSPAN_TEST_ALL") != "" {
		seeds = 60
	}
	for seed := range seeds {
		tc := all[int(seed)%len(all)]
		t.Run(fmt.Sprintf("%d/llvm%d", seed, tc.Version), func(t *testing.T) {
			source := randomSource(100+seed, true)
			plain, plan, constructs := plainly("random.c", source, seed, true)
			if constructs == 0 {
				t.Skip("a program without a construct that plans have")
			}
			t.Logf("%d constructs", constructs)
			samePlanned(t, "random.c", source, fmt.Sprint(tc.Version), nil, nil, plain, plan)
		})
	}
}

// TestPlansOfTestdata compares test programs without any pragma but declarations, with the plans
// that lie beside them, to the same with all pragmas: each with one LLVM, by turns, and with
// PATHSPAN_TEST_ALL=1 with all.
func TestPlansOfTestdata(t *testing.T) {
	all := toolchain.All()
	if len(all) == 0 {
		t.Skip("no LLVM is installed")
	}
	root, err := filepath.Abs("../../testdata/parallel")
	if err != nil {
		t.Fatal(err)
	}
	list, err := programs.Load(root)
	if err != nil {
		t.Fatal(err)
	}
	for n, p := range list {
		source := p.Paths(root)[0]
		plan, err := os.ReadFile(planBeside(source))
		if err != nil {
			t.Error(err)
			continue
		}
		text, err := os.ReadFile(source)
		if err != nil {
			t.Fatal(err)
		}
		with, without := string(text), onlyPragmas(string(text), "declare", "threadprivate")
		for i, tc := range all {
			if i != n%len(all) && os.Getenv("PATHSPAN_TEST_ALL") == "" {
				continue
			}
			t.Run(fmt.Sprintf("%s/llvm%d", p.Name, tc.Version), func(t *testing.T) {
				samePlanned(t, filepath.Base(source), with, fmt.Sprint(tc.Version), nil, p.Small().Args, without, string(plan))
			})
		}
	}
}

// planBeside names the file of a program's own plan.
func planBeside(source string) string {
	return strings.TrimSuffix(source, filepath.Ext(source)) + ".plan.yaml"
}

// onlyPragmas blanks the lines of all OpenMP pragmas but those that begin with some words.
func onlyPragmas(source string, words ...string) string {
	lines := strings.Split(source, "\n")
	for i := 0; i < len(lines); i++ {
		m := pragmaLine.FindStringSubmatch(lines[i])
		if m == nil {
			continue
		}
		keep := slices.ContainsFunc(words, func(w string) bool { return strings.HasPrefix(m[1], w) })
		for {
			more := strings.HasSuffix(lines[i], "\\")
			if !keep {
				lines[i] = ""
			}
			if !more {
				break
			}
			i++
		}
	}
	return strings.Join(lines, "\n")
}
