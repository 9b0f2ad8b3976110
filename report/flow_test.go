package report

import (
	"bytes"
	"strings"
	"testing"

	"pathspan/ir"
	"pathspan/profile"
	"pathspan/streams"
	"pathspan/streams/flow"
)

// TestFlowLeftOut has flow say how many executions a trace leaves out and why, and no interval of a statement that was executed once.
func TestFlowLeftOut(t *testing.T) {
	p := &ir.Program{Funcs: []*ir.Func{{Source: "main"}, {Source: "once"}, {Source: "often"}}}
	trace := &streams.Trace{Statements: []streams.Statement{{Func: 1}, {Func: 2}}, Omitted: 1234}
	for _, s := range []int{0, 1, 1} {
		if err := trace.Add(s, streams.Writes); err != nil {
			t.Fatal(err)
		}
	}
	costs := []flow.Cost{{Interval: 3, Latency: 3}, {Interval: 5, Latency: 5}}
	out := FlowOf(&profile.Bundle{Program: p, Flow: trace}, []string{"once", "often"}, []string{"absolute"}, []*flow.Schedule{flow.Of(trace, costs, flow.Absolute(trace))}, 0)
	var text bytes.Buffer
	if err := out.Text(&text, 0); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"    0      -       100.0%       once\n", "    5    5.0       100.0%      often\n", "note: 1,234 executions behind the first 3 are left out, as they read of too many others"} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("%q is not in\n%s", want, text.String())
		}
	}
}
