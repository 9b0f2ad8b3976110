package probe

// This file writes instructions into blocks for all who write probes.

import (
	"cmp"
	"fmt"

	"pathspan/ir/asm"
)

// emitter writes into a module. The first error stays, and nothing is written behind it.
type emitter struct {
	m      *asm.Module
	i64ptr string
	next   int // for fresh names
	err    error
}

func (e *emitter) fresh(what string) string {
	e.next++
	return fmt.Sprintf("%%ps.%s%d", what, e.next)
}

func (e *emitter) failed(err error) { e.err = cmp.Or(e.err, err) }

// insert writes text before instruction i of a block.
func (e *emitter) insert(b *asm.Block, i int, text ...string) {
	if e.err == nil {
		e.err = b.InsertBefore(i, text...)
	}
}

func (e *emitter) atStart(b *asm.Block, text ...string) { e.insert(b, b.StartIndex(), text...) }

func (e *emitter) atEnd(b *asm.Block, text ...string) {
	if e.err == nil {
		e.err = b.InsertAtEnd(text...)
	}
}

// onEdge writes text that runs when control leaves a block for a successor.
func (e *emitter) onEdge(f *asm.Func, b *asm.Block, k int, text ...string) {
	if e.err == nil {
		_, e.err = f.InsertOnEdge(b, k, text...)
	}
}

func (e *emitter) globals(list ...string) {
	for _, text := range list {
		e.failed(e.m.AddGlobal(text))
	}
}

func (e *emitter) declare(list ...string) {
	for _, text := range list {
		e.failed(e.m.AddDecl(text))
	}
}

// define adds functions.
func (e *emitter) define(list ...string) {
	for _, text := range list {
		_, err := e.m.AddFunc(text)
		e.failed(err)
	}
}

// value appends an instruction to text and returns its result.
func (e *emitter) value(text *[]string, what, format string, args ...any) string {
	v := e.fresh(what)
	*text = append(*text, v+" = "+fmt.Sprintf(format, args...))
	return v
}
