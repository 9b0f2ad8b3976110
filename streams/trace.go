package streams

// This file holds traces: executions of statements in the order of the sequential program.

import (
	"cmp"
	"fmt"
	"slices"
)

// Most bounds how many executions are recorded. A run with more goes on, and the trace says how
// many it leaves out.
const Most = 1 << 22

// Statement is a call in the source, executed any number of times.
type Statement struct {
	Func   int // called, index into the program's functions
	Caller int // that the code of the call is in, index as well
	File   string
	Line   int // 0 where it is not known
	Col    int
}

// Overwrite says that executions of a statement wrote over what the last execution to read or write
// it was of another, or the same. Bit n of Back is set where that one was n executions before among
// those of its statement, as both count since the innermost loop around them was entered.
type Overwrite struct {
	From, To int // statements: To writes
	Back     uint64
}

// Does says what an execution did besides reading what others wrote.
type Does uint8

const (
	Reads  Does = 1 << iota // it read something, be it an input
	Writes                  // it wrote something that outlives it
	Enters                  // it is the first since the innermost loop around it was entered
)

// Trace is what happened in a run. Its zero value is one in which nothing did.
type Trace struct {
	Statements []Statement
	Omitted    uint64 // executions behind the last that is kept
	Overwrites []Overwrite

	of        []int32
	does      []Does
	ends      []int // of an execution's producers
	producers []int32
	bytes     []uint32 // parallel to producers; nil where that is not known
}

// Len is how many executions there are.
func (t *Trace) Len() int { return len(t.of) }

// Of is the statement that execution i is of.
func (t *Trace) Of(i int) int { return int(t.of[i]) }

// Does says what execution i did.
func (t *Trace) Does(i int) Does { return t.does[i] }

// Producers are the executions that wrote what execution i read, ascending.
func (t *Trace) Producers(i int) []int32 {
	from := 0
	if i > 0 {
		from = t.ends[i-1]
	}
	return t.producers[from:t.ends[i]]
}

// Bytes are how many bytes execution i read of what each of its producers wrote, however often;
// nil where the trace does not know. What is passed by value, or computed of several, is no bytes.
func (t *Trace) Bytes(i int) []uint32 {
	if t.bytes == nil {
		return nil
	}
	from := 0
	if i > 0 {
		from = t.ends[i-1]
	}
	return t.bytes[from:t.ends[i]]
}

// Sized reports whether the trace knows how many bytes were read.
func (t *Trace) Sized() bool { return t.bytes != nil }

// AddSized appends an execution with the bytes that it read of each producer. Either all of a
// trace have them or none.
func (t *Trace) AddSized(statement int, does Does, producers []int32, bytes []uint32) error {
	if len(producers) != len(bytes) || t.bytes == nil && len(t.of) > 0 {
		return fmt.Errorf("execution %d reads %d amounts of %d others", len(t.of), len(bytes), len(producers))
	}
	if t.bytes == nil {
		t.bytes = []uint32{}
	}
	at := make([]int, len(producers))
	for i := range at {
		at[i] = i
	}
	slices.SortFunc(at, func(a, b int) int { return cmp.Compare(producers[a], producers[b]) })
	if err := t.add(statement, does, producers); err != nil {
		return err
	}
	for _, i := range at {
		t.bytes = append(t.bytes, bytes[i])
	}
	return nil
}

// Add appends an execution. One that has producers reads.
func (t *Trace) Add(statement int, does Does, producers ...int32) error {
	if t.bytes != nil {
		return fmt.Errorf("execution %d reads how much is not said", len(t.of))
	}
	return t.add(statement, does, producers)
}

func (t *Trace) add(statement int, does Does, producers []int32) error {
	n := len(t.of)
	if statement < 0 || statement >= len(t.Statements) {
		return fmt.Errorf("execution %d is of statement %d of %d", n, statement, len(t.Statements))
	}
	if n >= Most {
		return fmt.Errorf("more than %d executions", Most)
	}
	from := len(t.producers)
	t.producers = append(t.producers, producers...)
	own := t.producers[from:]
	slices.Sort(own)
	for i, p := range own {
		if p < 0 || int(p) >= n || i > 0 && own[i-1] == p {
			t.producers = t.producers[:from]
			return fmt.Errorf("execution %d reads what execution %d wrote", n, p)
		}
	}
	if len(own) > 0 {
		does |= Reads
	}
	t.of = append(t.of, int32(statement))
	t.does = append(t.does, does)
	t.ends = append(t.ends, len(t.producers))
	return nil
}

// Count is how often each statement was executed.
func (t *Trace) Count() []int {
	n := make([]int, len(t.Statements))
	for _, s := range t.of {
		n[s]++
	}
	return n
}

// Entered lists the executions of each statement, a list for each time that the innermost loop around it was entered.
func (t *Trace) Entered() [][][]int {
	out := make([][][]int, len(t.Statements))
	for i, s := range t.of {
		runs := &out[s]
		if t.does[i]&Enters != 0 || len(*runs) == 0 {
			*runs = append(*runs, nil)
		}
		last := &(*runs)[len(*runs)-1]
		*last = append(*last, i)
	}
	return out
}

// OnlyExecuted is the trace without the statements that were never executed.
func (t *Trace) OnlyExecuted() *Trace {
	out := *t
	out.Statements, out.of = nil, slices.Clone(t.of)
	number := make([]int32, len(t.Statements))
	for s, n := range t.Count() {
		if n > 0 {
			number[s] = int32(len(out.Statements))
			out.Statements = append(out.Statements, t.Statements[s])
		}
	}
	for i, s := range t.of {
		out.of[i] = number[s]
	}
	out.Overwrites = slices.Clone(t.Overwrites)
	for i := range out.Overwrites {
		x := &out.Overwrites[i]
		x.From, x.To = int(number[x.From]), int(number[x.To])
	}
	return &out
}

// Check reports a trace that is none of a program of so many functions.
func (t *Trace) Check(funcs int) error {
	for i := range t.Statements {
		if s := &t.Statements[i]; s.Func < 0 || s.Func >= funcs || s.Caller < 0 || s.Caller >= funcs || s.Line < 0 || s.Col < 0 {
			return fmt.Errorf("statement %d of the flow is of function %d of %d, at line %d", i, s.Func, funcs, s.Line)
		}
	}
	for _, x := range t.Overwrites {
		if x.From < 0 || x.From >= len(t.Statements) || x.To < 0 || x.To >= len(t.Statements) {
			return fmt.Errorf("statement %d of the flow writes over what statement %d of %d read", x.To, x.From, len(t.Statements))
		}
	}
	return nil
}
