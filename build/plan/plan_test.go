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
    schedule: dynamic,4
    collapse: 2
    ordered: true
    threads: 4
    reduction: "+: sum"
    private: i
    firstprivate: [j, k]
    lastprivate: [l]
  - sections: [src/app.c:80-84, "src/app.c:85:3"]
  - sections: {function: main, calls: [f, g]}
  - loop: {function: "a.cc:A::b", loop: 9}
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
		fmt.Fprintf(&b, "%d %s", e.At.Line, e.pragma())
		if e.Loop != nil {
			fmt.Fprintf(&b, " at %s", e.Loop)
		}
		for k := range e.Sections {
			fmt.Fprintf(&b, " [%s]", &e.Sections[k])
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
	const want = `3 omp parallel for schedule(dynamic, 4) collapse(2) ordered num_threads(4) reduction(+: sum) private(i) firstprivate(j, k) lastprivate(l) at src/app.c:57 in blur
13 omp parallel sections [src/app.c:80-84] [src/app.c:85:3]
14 omp parallel sections main calls [f g]
15 omp parallel for at loop 9 of a.cc:A::b
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
		{Key: "schedule", Old: "dynamic,4", New: "guided"}, {Key: "collapse", Old: "collapse: 2", New: "collapse: 3"},
		{Key: "ordered", Old: "    ordered: true\n", New: ""}, {Key: "threads", Old: "threads: 4", New: "threads: 5"},
		{Key: "reduction", Old: "+: sum", New: "*: sum"}, {Key: "private", Old: " private: i", New: " private: m"},
		{Key: "firstprivate", Old: "[j, k]", New: "[j]"}, {Key: "lastprivate", Old: "[l]", New: "[m]"},
		{Key: "sections", Old: "80-84", New: "80-83"}, {Key: "calls", Old: "[f, g]", New: "[f, h]"},
		{Key: "task", Old: "loop: src/app.c:57", New: "task: src/app.c:57"}, {Key: "pipeline", Old: "loop: src/app.c:57", New: "pipeline: src/app.c:57"},
	}, append(clauseKeys, "loop", "sections", "function", "task", "pipeline")...)
}

// TestBadPlans holds that each fault is one line that says where, and what to do.
func TestBadPlans(t *testing.T) {
	for text, want := range map[string]string{
		"":                                      "plan.yaml: empty file",
		"plan:":                                 `plan.yaml:1: plan is empty: want a list`,
		"plan: []":                              "plan.yaml:1: the plan is empty: want a list of loops and sections, such as - loop: app.c:57",
		"plans: [{loop: a.c:1}]":                `plan.yaml:1: unknown key "plans": want "plan"`,
		"plan: [{}]":                            "plan.yaml:1: the entry names no construct: want loop or sections",
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
		"plan:\n- loop: a.c:1\n  schedule: static,0":                                         `plan.yaml:3: schedule "static,0": a chunk of "0": want a number of iterations from 1, or a variable of the program`,
		"plan:\n- loop: a.c:1\n  schedule: static,":                                          `plan.yaml:3: schedule "static,": a chunk of "": want a number of iterations from 1, or a variable of the program`,
		"plan:\n- loop: a.c:1\n  schedule: 'static,4) nowait ('":                             `plan.yaml:3: schedule "static,4) nowait (": a chunk of "4) nowait (": want a number of iterations from 1, or a variable of the program`,
		"plan:\n- loop: a.c:1\n  schedule: auto,4":                                           `plan.yaml:3: schedule "auto,4": auto takes no chunk; leave out the comma and what follows`,
		"plan:\n- loop: a.c:1\n  schedule: 'simd:static'":                                    `plan.yaml:3: schedule "simd:static": unknown modifier "simd": want monotonic or nonmonotonic`,
		"plan:\n- loop: a.c:1\n  schedule: 'nonmonotonic:static'":                            `plan.yaml:3: schedule "nonmonotonic:static": nonmonotonic is for dynamic and guided; leave it out`,
		"plan:\n- loop: a.c:1\n  collapse: 1":                                                `plan.yaml:3: plan[1].collapse is "1": want a whole number from 2 to 64`,
		"plan:\n- loop: a.c:1\n  threads: 0":                                                 `plan.yaml:3: plan[1].threads is "0": want a whole number from 1 to 2147483647`,
		"plan:\n- loop: a.c:1\n  ordered: false":                                             `plan.yaml:3: plan[1].ordered is "false": want true`,
		"plan:\n- loop: a.c:1\n  nowait: true":                                               `plan.yaml:3: unknown key "nowait" in plan[1]: want loop, sections, function, task, pipeline, schedule, collapse, ordered and 5 more`,
		"plan:\n- loop: a.c:1\n  reduction: sum":                                             `plan.yaml:3: reduction "sum": want OPERATOR: VARIABLES, such as "+: sum"`,
		"plan:\n- loop: a.c:1\n  reduction: '+: s) private(i'":                               `plan.yaml:3: reduction "+: s) private(i": want OPERATOR: VARIABLES, such as "+: sum"`,
		"plan:\n- loop: a.c:1\n  private: 'i) shared(j'":                                     `plan.yaml:3: private: "i) shared(j" is no name of a variable`,
		"plan:\n- loop: a.c:1\n  private: i\n  lastprivate: [j, i]":                          "plan.yaml:4: lastprivate: i is in private already",
		"plan:\n- loop: a.c:1\n  private: []":                                                "plan.yaml:3: an empty list: leave the key out",
		"plan:\n- sections: [a.c:1]":                                                         "plan.yaml:2: want two sections or more, such as [app.c:80-84, app.c:85]",
		"plan:\n- sections: [a.c:5-2, a.c:7]":                                                `plan.yaml:2: "a.c:5-2": the last line is before the first`,
		"plan:\n- sections:\n  - a.c:1-5\n  - a.c:5":                                         "plan.yaml:4: a.c:1-5 and a.c:5 overlap: give each section lines of its own, or FILE:LINE:COLUMN where one line has several statements",
		"plan:\n- sections: [a.c:1, a.c:2]\n  schedule: static":                              "plan.yaml:3: plan[1].schedule is not used: sections have none; leave it out",
		"plan:\n- sections: {function: f, calls: [g]}":                                       "plan.yaml:2: want the calls of two sections or more, such as calls: [f, g]",
		"plan:\n- task: a.c:1":                                                               "plan.yaml:2: task is not estimated yet: plans have loop and sections; write the pragma into the source",
		"plan:\n- pipeline: [a.c:1]":                                                         "plan.yaml:2: pipeline is not estimated yet: plans have loop and sections",
		"plan:\n- sections: {function: f, calls: [g, h]}\n  function: f":                     "plan.yaml:3: function is there twice: leave out the one behind the construct",
		"plan:\n- loop: a.c:1\n  reduction: ['+: s', '|| : any, all', 'max: b[:n]']\n  x: 1": `plan.yaml:4: unknown key "x" in plan[1]: want loop, sections, function, task, pipeline, schedule, collapse, ordered and 5 more`,
	} {
		_, err := Parse("plan.yaml", []byte(text))
		if err == nil {
			t.Errorf("%q is accepted", text)
		} else if err.Error() != want {
			t.Errorf("%q:\n got %s\nwant %s", text, err, want)
		}
	}
}
