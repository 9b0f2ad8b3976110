package plan

// This file holds the reader of plans to its format.

import (
	"fmt"
	"strings"
	"testing"

	"pathspan/yamlstrict/keytest"
)

const whole = `schema: pathspan.plan/1
plan:
  - loop: src/app.c:57
    function: blur
    schedule: "dynamic, (n + 3) / 4"
    collapse: 2
    ordered: true
    simd: true
    threads: 4
    reduction: "+: sum"
    linear: [p, "q: 2"]
    private: i
    firstprivate: [j, k]
    lastprivate: [l]
  - sections: [src/app.c:80-84, "src/app.c:85:3"]
    if: n > 100
  - sections: {function: main, calls: [f, g]}
    team: around
    nowait: true
  - loop: {function: "a.cc:A::b", loop: 9}
  - parallel: b.c:1-20
    threads: cores / 2
    shared: [t, u]
  - single: b.c:2
    copyprivate: t
  - task: {function: sort, calls: [merge]}
    depend: ["in: a[i][0 : n], b", "out: c"]
    final: depth(n) > 3
    priority: n - i
    untied: true
    mergeable: true
    wait: true
  - task: [b.c:5, b.c:7-9]
  - taskloop: b.c:11
    grainsize: 100
    nogroup: true
  - taskloop: b.c:13
    num_tasks: 8
  - taskgroup: b.c:15
  - taskwait: b.c:16
  - taskyield: b.c:17
  - master: b.c:18
  - masked: b.c:19
    filter: 1
  - critical: b.c:20
    name: best
  - atomic: b.c:21-22
    access: capture
  - ordered: b.c:23
  - barrier: [b.c:24, "b.c:25:3"]
  - flush: b.c:26
  - pipeline: [b.c:31, b.c:32]
    depth: 4
    stateless: 2
  - pipeline: {function: run, calls: [get, shape, put]}
    stages: [in, body, out]
    depth: [3, 1]
    stateless: body
`

// shown is all that a plan says.
func shown(t *testing.T, text string) string {
	p, err := Parse("plan.yaml", []byte(text))
	if err != nil {
		return err.Error()
	}
	var b strings.Builder
	for i := range p.Entries {
		e := &p.Entries[i]
		fmt.Fprintf(&b, "%d %s", e.At.Line, e.pragma(e.Clauses.team == "around"))
		if e.Clauses.wait {
			b.WriteString(" and wait")
		}
		for k := range e.Places {
			fmt.Fprintf(&b, " [%s]", &e.Places[k])
		}
		if p := &e.Clauses; e.kind.key == "pipeline" {
			fmt.Fprintf(&b, " stages %v depth %v stateless %v", p.stages, p.depths, p.stateless)
		}
		if e.Caller != nil {
			fmt.Fprintf(&b, " %s calls %v", e.Caller, e.Calls)
		}
		if e.Function != nil {
			fmt.Fprintf(&b, " in %s", e.Function)
		}
		b.WriteString("\n")
	}
	return b.String()
}

func TestParse(t *testing.T) {
	const want = `3 omp parallel for simd schedule(dynamic, (n + 3) / 4) collapse(2) ordered num_threads(4) reduction(+: sum) linear(p) linear(q: 2) private(i) firstprivate(j, k) lastprivate(l) [src/app.c:57] in blur
15 omp parallel sections if(n > 100) [src/app.c:80-84] [src/app.c:85:3]
17 omp sections nowait main calls [f g]
20 omp parallel for [loop 9 of a.cc:A::b]
21 omp parallel num_threads(cores / 2) shared(t, u) [b.c:1-20]
24 omp single copyprivate(t) [b.c:2]
26 omp task depend(in: a[i][0 : n], b) depend(out: c) final(depth(n) > 3) priority(n - i) untied mergeable and wait sort calls [merge]
33 omp task [b.c:5] [b.c:7-9]
34 omp taskloop grainsize(100) nogroup [b.c:11]
37 omp taskloop num_tasks(8) [b.c:13]
39 omp taskgroup [b.c:15]
40 omp taskwait [b.c:16]
41 omp taskyield [b.c:17]
42 omp master [b.c:18]
43 omp masked filter(1) [b.c:19]
45 omp critical(best) [b.c:20]
47 omp atomic capture [b.c:21-22]
49 omp ordered [b.c:23]
50 omp barrier [b.c:24] [b.c:25:3]
51 omp flush [b.c:26]
52 omp task [b.c:31] [b.c:32] stages [] depth [4] stateless [2]
55 omp task stages [in body out] depth [3 1] stateless [2] run calls [get shape put]
`
	if got := shown(t, whole); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

func TestKeysAreUsed(t *testing.T) {
	keytest.Check(t, []string{"plan.go", "place.go"}, whole, shown, []keytest.Change{
		{Key: "schema", Old: "plan/1", New: "plan/2"}, {Key: "plan", Old: "plan:\n", New: "plan:\n  - loop: a.c:1\n"},
		{Key: "loop", Old: "app.c:57", New: "app.c:58"}, {Key: "loop", Old: "loop: 9", New: "loop: 8"},
		{Key: "function", Old: "blur", New: "blend"}, {Key: "function", Old: "function: main", New: "function: other"},
		{Key: "schedule", Old: "dynamic,", New: "guided,"}, {Key: "collapse", Old: "collapse: 2", New: "collapse: 3"},
		{Key: "ordered", Old: "    ordered: true\n", New: ""}, {Key: "threads", Old: "threads: 4", New: "threads: 5"},
		{Key: "reduction", Old: "+: sum", New: "*: sum"}, {Key: "private", Old: " private: i", New: " private: m"},
		{Key: "linear", Old: "p, \"q: 2\"", New: "p, \"q: 3\""}, {Key: "firstprivate", Old: "[j, k]", New: "[j]"}, {Key: "lastprivate", Old: "[l]", New: "[m]"},
		{Key: "sections", Old: "80-84", New: "80-83"}, {Key: "calls", Old: "[f, g]", New: "[f, h]"},
		{Key: "simd", Old: "    simd: true\n", New: ""}, {Key: "if", Old: "if: n > 100", New: "if: n > 99"},
		{Key: "team", Old: "team: around", New: "team: own"}, {Key: "nowait", Old: "    nowait: true\n", New: ""},
		{Key: "shared", Old: "[t, u]", New: "[t]"}, {Key: "copyprivate", Old: "copyprivate: t", New: "copyprivate: u"},
		{Key: "depend", Old: "out: c", New: "inout: c"}, {Key: "final", Old: "> 3", New: "> 4"}, {Key: "priority", Old: "n - i", New: "i"},
		{Key: "untied", Old: "    untied: true\n", New: ""}, {Key: "mergeable", Old: "    mergeable: true\n", New: ""},
		{Key: "wait", Old: "    wait: true\n", New: ""}, {Key: "grainsize", Old: "100\n    nogroup", New: "99\n    nogroup"},
		{Key: "nogroup", Old: "    nogroup: true\n", New: ""}, {Key: "num_tasks", Old: "num_tasks: 8", New: "num_tasks: 9"},
		{Key: "filter", Old: "filter: 1", New: "filter: 0"}, {Key: "name", Old: "name: best", New: "name: worst"},
		{Key: "access", Old: "access: capture", New: "access: update"}, {Key: "parallel", Old: "1-20", New: "1-21"},
		{Key: "single", Old: "single: b", New: "single: c"}, {Key: "task", Old: "7-9", New: "7-8"}, {Key: "taskloop", Old: "b.c:11", New: "b.c:12"},
		{Key: "taskgroup", Old: "taskgroup", New: "master"}, {Key: "taskwait", Old: "taskwait", New: "flush"}, {Key: "taskyield", Old: "taskyield", New: "flush"},
		{Key: "master", Old: "master", New: "masked"}, {Key: "masked", Old: "b.c:19", New: "b.c:29"}, {Key: "critical", Old: "b.c:20\n    name", New: "c.c:20\n    name"},
		{Key: "atomic", Old: "21-22", New: "21"}, {Key: "barrier", Old: "25:3", New: "25"}, {Key: "flush", Old: "flush", New: "barrier"},
		{Key: "pipeline", Old: "b.c:31, b.c:32", New: "b.c:31, b.c:34"}, {Key: "depth", Old: "depth: 4", New: "depth: 5"}, {Key: "stateless", Old: "stateless: 2", New: "stateless: 1"},
		{Key: "stages", Old: "[in, body, out]", New: "[in, body, last]"},
	}, append(append(clauseKeys(), kindNames()...), "function")...)
}

// TestBadPlans holds that each fault is one line that says where, and what to do.
func TestBadPlans(t *testing.T) {
	for text, want := range map[string]string{
		"":                                      "plan.yaml: empty file",
		"plan:":                                 `plan.yaml:1: plan is empty: want a list`,
		"plan: []":                              "plan.yaml:1: the plan is empty: want a list of loops, sections, tasks, such as - loop: app.c:57",
		"plans: [{loop: a.c:1}]":                `plan.yaml:1: unknown key "plans": want "plan"`,
		"plan: [{}]":                            "plan.yaml:1: the entry names no construct: want loop, sections, parallel, task, pipeline, taskloop, taskgroup, taskwait and 9 more",
		"plan:\n- loop: a.c":                    `plan.yaml:2: "a.c" is no place: want FILE:LINE, FILE:LINE:COLUMN or FILE:FIRST-LAST`,
		"plan:\n- loop: a.c:0":                  `plan.yaml:2: "a.c:0": lines and columns are numbers from 1`,
		"plan:\n- loop: a.c:99999999999":        `plan.yaml:2: "a.c:99999999999": lines and columns are numbers from 1`,
		"plan:\n- loop: a.c:5-9":                "plan.yaml:2: a.c:5-9: a loop is named by the one line on which its for begins",
		"plan:\n- loop: {function: f}":          `plan.yaml:2: key "loop" is missing in plan[1].loop`,
		"plan:\n- loop: {function: f, loop: 0}": "plan.yaml:2: plan[1].loop.loop is \"0\": want a whole number from 1 to 2147483647",
		"plan:\n- loop: {function: f, loop: 1}\n  function: g":                               "plan.yaml:3: function is there twice: leave out the one behind the construct",
		"plan:\n- loop: {function: 'a.c:', loop: 1}":                                         `plan.yaml:2: "a.c:" names no function: want NAME or FILE:NAME`,
		"plan:\n- loop: a.c:1\n  sections: [a.c:2, a.c:3]":                                   "plan.yaml:3: one entry with loop and sections: make two of it",
		"plan:\n- loop: a.c:1\n  schedule: statical":                                         `plan.yaml:3: schedule "statical": there is no schedule "statical": want static`,
		"plan:\n- loop: a.c:1\n  schedule: fair":                                             `plan.yaml:3: schedule "fair": there is no schedule "fair": want static, dynamic, guided, auto, runtime`,
		"plan:\n- loop: a.c:1\n  schedule: static,0":                                         `plan.yaml:3: schedule "static,0": a chunk of "0": want a number of iterations from 1, or an expression of the program`,
		"plan:\n- loop: a.c:1\n  schedule: static,":                                          `plan.yaml:3: schedule "static,": a chunk of "": want a number of iterations from 1, or an expression of the program`,
		"plan:\n- loop: a.c:1\n  schedule: 'static,4) nowait ('":                             `plan.yaml:3: schedule "static,4) nowait (": a chunk of "4) nowait (": want a number of iterations from 1, or an expression of the program`,
		"plan:\n- loop: a.c:1\n  schedule: auto,4":                                           `plan.yaml:3: schedule "auto,4": auto takes no chunk; leave out the comma and what follows`,
		"plan:\n- loop: a.c:1\n  schedule: 'simd:static'":                                    `plan.yaml:3: schedule "simd:static": unknown modifier "simd": want monotonic or nonmonotonic`,
		"plan:\n- loop: a.c:1\n  schedule: 'nonmonotonic:static'":                            `plan.yaml:3: schedule "nonmonotonic:static": nonmonotonic is for dynamic and guided; leave it out`,
		"plan:\n- loop: a.c:1\n  collapse: 1":                                                `plan.yaml:3: plan[1].collapse is "1": want a whole number from 2 to 64`,
		"plan:\n- loop: a.c:1\n  threads: 0":                                                 `plan.yaml:3: threads: "0": want a whole number from 1 to 2147483647, or an expression of the program`,
		"plan:\n- loop: a.c:1\n  ordered: false":                                             `plan.yaml:3: plan[1].ordered is "false": want true`,
		"plan:\n- loop: a.c:1\n  reduction: sum":                                             `plan.yaml:3: reduction "sum": want OPERATOR: VARIABLES, such as "+: sum"`,
		"plan:\n- loop: a.c:1\n  reduction: '+: s) private(i'":                               `plan.yaml:3: reduction "+: s) private(i": want OPERATOR: VARIABLES, such as "+: sum"`,
		"plan:\n- loop: a.c:1\n  private: 'i) shared(j'":                                     `plan.yaml:3: private: "i) shared(j" is no name of a variable`,
		"plan:\n- loop: a.c:1\n  private: i\n  lastprivate: [j, i]":                          "plan.yaml:4: lastprivate: i is in private already",
		"plan:\n- loop: a.c:1\n  private: []":                                                "plan.yaml:3: an empty list: leave the key out",
		"plan:\n- sections: [a.c:1]":                                                         "plan.yaml:2: want two sections or more, such as [app.c:80-84, app.c:85]",
		"plan:\n- sections: [a.c:5-2, a.c:7]":                                                `plan.yaml:2: "a.c:5-2": the last line is before the first`,
		"plan:\n- sections:\n  - a.c:1-5\n  - a.c:5":                                         "plan.yaml:4: a.c:1-5 and a.c:5 overlap: give each section lines of its own, or FILE:LINE:COLUMN where one line has several statements",
		"plan:\n- sections: [a.c:1, a.c:2]\n  schedule: static":                              "plan.yaml:3: plan[1].schedule is not used: sections has none; leave it out",
		"plan:\n- sections: {function: f, calls: [g]}":                                       "plan.yaml:2: want the calls of two sections or more, such as calls: [f, g]",
		"plan:\n- pipeline: [a.c:1]":                                                         "plan.yaml:2: want two stages or more, such as [app.c:80-84, app.c:85]",
		"plan:\n- pipeline: [a.c:1, a.c:2]\n  depth: 0":                                      `plan.yaml:3: plan[1].depth is "0": want a whole number from 1 to 65536`,
		"plan:\n- pipeline: [a.c:1, a.c:2]\n  stateless: [3]":                                `plan.yaml:3: plan[1].stateless[1] is "3": want a whole number from 1 to 2`,
		"plan:\n- pipeline: [a.c:1, a.c:2]\n  stateless: [1, 1]":                             "plan.yaml:3: stage 1 is there twice",
		"plan:\n- pipeline: [a.c:1, a.c:2]\n  stages: [a, b]\n  stateless: [a, 1]":           "plan.yaml:4: stage 1 is there twice",
		"plan:\n- pipeline: [a.c:1, a.c:2]\n  stages: [a, b]\n  stateless: c":                `plan.yaml:4: stateless: no stage is called "c": want a, b, or a number from 1 to 2`,
		"plan:\n- pipeline: [a.c:1, a.c:2]\n  stages: [a]":                                   "plan.yaml:3: 1 names for 2 stages: name each",
		"plan:\n- pipeline: [a.c:1, a.c:2]\n  stages: [a, a]":                                "plan.yaml:3: stages: a is there twice; give each stage a name of its own",
		"plan:\n- pipeline: [a.c:1, a.c:2]\n  stages: [a, b c]":                              `plan.yaml:3: stages: "b c" is no name: want letters, digits and _`,
		"plan:\n- pipeline: [a.c:1, a.c:2]\n  depth: [1, 2]":                                 "plan.yaml:3: 2 depths for the 1 buffers between 2 stages: give one for each, or one number for all",
		"plan:\n- pipeline: [a.c:1, a.c:2]\n  depth: [0]":                                    `plan.yaml:3: plan[1].depth[1] is "0": want a whole number from 1 to 65536`,
		"plan:\n- task: a.c:1\n  stages: [a]":                                                "plan.yaml:3: plan[1].stages is not used: a task has none; leave it out",
		"plan:\n- pipeline: [a.c:1-3, a.c:2]":                                                "plan.yaml:2: a.c:1-3 and a.c:2 overlap: give each stage lines of its own, or FILE:LINE:COLUMN where one line has several statements",
		"plan:\n- pipeline: [a.c:1, a.c:2]\n  schedule: static":                              "plan.yaml:3: plan[1].schedule is not used: a pipeline has none; leave it out",
		"plan:\n- task: a.c:1\n  depth: 2":                                                   "plan.yaml:3: plan[1].depth is not used: a task has none; leave it out",
		"plan:\n- task: a.c:1\n  depend: 'a[i]'":                                             `plan.yaml:3: depend "a[i]": want in, out or inout, and what is read or written, such as "in: block[i]"`,
		"plan:\n- task: a.c:1\n  depend: 'in: a[i'":                                          `plan.yaml:3: depend "in: a[i": want in, out or inout, and what is read or written, such as "in: block[i]"`,
		"plan:\n- task: a.c:1\n  if: 'n) untied if(m'":                                       `plan.yaml:3: if: "n) untied if(m" is no expression of the program`,
		"plan:\n- task: a.c:1\n  final: n, m":                                                `plan.yaml:3: final: "n, m" is no expression of the program`,
		"plan:\n- task: a.c:1\n  schedule: static":                                           "plan.yaml:3: plan[1].schedule is not used: a task has none; leave it out",
		"plan:\n- task: {function: f, calls: []}":                                            "plan.yaml:2: want the functions that statements call, such as calls: [f]",
		"plan:\n- taskwait: a.c:1-2":                                                         "plan.yaml:2: a.c:1-2: a taskwait stands before one line; name that",
		"plan:\n- task: a.c:1\n  taskwait: a.c:2":                                            "plan.yaml:3: one entry with task and taskwait: make two of it",
		"plan:\n- loop: a.c:1\n  threads: 'n // 2'":                                          `plan.yaml:3: threads: "n // 2" is no expression of the program`,
		"plan:\n- critical: a.c:1\n  name: a b":                                              `plan.yaml:3: name: "a b" is no name of a critical section`,
		"plan:\n- taskloop: a.c:1\n  grainsize: 0":                                           `plan.yaml:3: grainsize: "0": want a whole number from 1 to 2147483647, or an expression of the program`,
		"plan:\n- barrier: {function: f, calls: [g]}":                                        "plan.yaml:2: plan[1].barrier is a mapping: want a list",
		"plan:\n- sections: {function: f, calls: [g, h]}\n  function: f":                     "plan.yaml:3: function is there twice: leave out the one behind the construct",
		"plan:\n- loop: a.c:1\n  linear: 'p; x'":                                             `plan.yaml:3: linear "p; x": want a variable and by what it goes on in each iteration, such as "out: 2"; 1 may be left out`,
		"plan:\n- loop: a.c:1\n  reduction: ['+: s', '|| : any, all', 'max: b[:n]']\n  x: 1": `plan.yaml:4: unknown key "x" in plan[1]: want loop, sections, parallel, task, pipeline, taskloop, taskgroup, taskwait and 39 more`,
	} {
		_, err := Parse("plan.yaml", []byte(text))
		if err == nil {
			t.Errorf("%q is accepted", text)
		} else if err.Error() != want {
			t.Errorf("%q:\n got %s\nwant %s", text, err, want)
		}
	}
}
