package conform

// This file runs the checks in their order and says what came out.

import (
	"context"
	"errors"
	"fmt"
	"time"

	"pathspan/procmodels"
)

// Opener opens the model. It is called several times, since a model that is opened
// anew must answer as before. Models that are io.Closers are closed.
type Opener func() (procmodels.Model, error)

// Verdict is how a check came out.
type Verdict string

// The verdicts. Info is a remark that no model can fail.
const (
	Pass Verdict = "pass"
	Fail Verdict = "fail"
	Skip Verdict = "skip"
	Info Verdict = "info"
)

// Result is what one check found.
type Result struct {
	Check   string  `json:"check"`
	Did     string  `json:"did"` // what was done
	Verdict Verdict `json:"verdict"`
	Why     string  `json:"why"` // one line; what was found, or why it was skipped
	Do      string  `json:"do"`  // of a failure: what to change in the model
}

// Report is what all checks found, in their order.
type Report struct {
	Description procmodels.Description // empty when the model did not open
	Results     []Result
}

// Err joins the failures, one line each; nil when there is none.
func (r *Report) Err() error {
	var all []error
	for _, x := range r.Results {
		if x.Verdict == Fail {
			all = append(all, fmt.Errorf("%s: %s; %s", x.Check, x.Why, x.Do))
		}
	}
	return errors.Join(all...)
}

// Count returns how many checks came out so.
func (r *Report) Count(v Verdict) int {
	n := 0
	for _, x := range r.Results {
		if x.Verdict == v {
			n++
		}
	}
	return n
}

// DefaultLimit is how long a model may take for one answer.
const DefaultLimit = time.Minute

// Check runs all checks. A model that takes longer than the limit for an answer, the one
// to an invented program of 100,000 instructions included, counts as hung.
func Check(ctx context.Context, open Opener, limit time.Duration) *Report {
	k := &kit{ctx: ctx, open: open, limit: limit, answers: map[*subject]*answer{}}
	r := &Report{}
	for _, c := range checks {
		o := outcome{Skip, "the model does not open", ""}
		switch {
		case k.hung:
			o.why = "the model hung before"
		case c.name == "opens" || k.model != nil:
			o = c.run(k)
			k.recover()
		}
		did := c.did
		if c.didModules != "" && k.desc.NeedsModule {
			did = c.didModules
		}
		r.Results = append(r.Results, Result{c.name, did, o.verdict, oneLine(o.why), o.do})
	}
	if k.model != nil {
		k.close(k.model)
	}
	r.Description = k.desc
	return r
}

// check is one entry of the kit.
type check struct {
	name       string
	did        string
	didModules string // for models that need modules, where that differs
	run        func(*kit) outcome
}

// outcome is a Result without what is known before.
type outcome struct {
	verdict Verdict
	why, do string
}

func passed(format string, args ...any) outcome {
	return outcome{Pass, fmt.Sprintf(format, args...), ""}
}

func skipped(format string, args ...any) outcome {
	return outcome{Skip, fmt.Sprintf(format, args...), ""}
}

func failed(do, format string, args ...any) outcome {
	return outcome{Fail, fmt.Sprintf(format, args...), do}
}

// checks are run in this order: a check may rely on what those before it found.
var checks = []check{
	{"opens", "opened the model", "", (*kit).opens},
	{"description", "asked twice who the model is", "", (*kit).description},
	{"answers", "priced an ordinary program", "priced modules of a compiler", (*kit).answersOrdinary},
	{"cycles", "looked at the cycles of every block", "", (*kit).cycles},
	{"ranges", "compared best, typical and worst cycles", "", (*kit).ranges},
	{"predecessors", "looked at the costs by predecessor", "", (*kit).predecessors},
	{"factors", "held the variations against the factors", "", (*kit).factors},
	{"defaults", "held default parts and included calls against the blocks", "", (*kit).defaults},
	{"deterministic", "priced a program twice, and once by a model opened anew", "", (*kit).deterministic},
	{"concurrent", "priced programs at the same time", "", (*kit).concurrent},
	{"order", "put functions and blocks in other orders", "put the functions of a module in another order", (*kit).order},
	{"company", "priced functions alone that were priced in company", "", (*kit).company},
	{"additive", "priced instructions together and in two parts", "", (*kit).additive},
	{"coverage", "priced an opcode and a function that do not exist", "priced a call of a function that does not exist", (*kit).coverage},
	{"opcodes", "priced every LLVM opcode and some that LLVM lacks", "priced opcodes that compilers write rarely", (*kit).opcodes},
	{"types", "priced vectors, huge integers, arrays, nested structures", "", (*kit).types},
	{"calls", "priced all kinds of calls", "", (*kit).calls},
	{"empty block", "priced blocks with a terminator only, and with nothing", "", (*kit).emptyBlock},
	{"long block", "priced a block of 10,000 instructions", "", (*kit).longBlock},
	{"names", "priced names with quotes, newlines and other scripts", "", (*kit).names},
	{"no functions", "priced a program without functions", "priced a module without functions", (*kit).noFunctions},
	{"cancelled", "asked in a context that was cancelled before", "", (*kit).cancelled},
	{"speed", "priced 100,000 instructions", "timed the modules", (*kit).speed},
}
