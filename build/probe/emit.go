package probe

// This file writes instructions into blocks for all who write probes.

import (
	"cmp"
	"fmt"
	"regexp"

	"pathspan/ir/asm"
)

// emitter writes into a module. The first error stays, and nothing is written behind it.
type emitter struct {
	m      *asm.Module
	i64ptr string
	next   int // for fresh names
	// library stands before the names of what is called of the run-time library, behind __pathspan_, and in those
	// of values, where others write the same of the same code.
	library string
	err     error
}

func (e *emitter) fresh(what string) string {
	e.next++
	return fmt.Sprintf("%%ps.%s%s%d", e.library, what, e.next)
}

// toldOf are names of the library that two parts of it have.
var toldOf = regexp.MustCompile(`@__pathspan_(sites|copier|read\d+|write\d+|(?:read|write)_(?:range|row)|length|zero|printed|scanned|variable|argument|made|moved|gone|unmapped|globals|globals_count|object_count)\b`)

// named has text call the part of the library that is meant.
func (e *emitter) named(text ...string) []string {
	if e.library == "" {
		return text
	}
	out := make([]string, len(text))
	for i, t := range text {
		out[i] = toldOf.ReplaceAllString(t, "@__pathspan_"+e.library+"$1")
	}
	return out
}

func (e *emitter) failed(err error) { e.err = cmp.Or(e.err, err) }

// insert writes text before instruction i of a block.
func (e *emitter) insert(b *asm.Block, i int, text ...string) {
	if e.err == nil {
		e.err = b.InsertBefore(i, e.named(text...)...)
	}
}

func (e *emitter) atStart(b *asm.Block, text ...string) { e.insert(b, b.StartIndex(), text...) }

func (e *emitter) atEnd(b *asm.Block, text ...string) {
	if e.err == nil {
		e.err = b.InsertAtEnd(e.named(text...)...)
	}
}

// onEdge writes text that runs when control leaves a block for a successor.
func (e *emitter) onEdge(f *asm.Func, b *asm.Block, k int, text ...string) {
	if e.err == nil {
		_, e.err = f.InsertOnEdge(b, k, e.named(text...)...)
	}
}

func (e *emitter) globals(list ...string) {
	for _, text := range e.named(list...) {
		e.failed(e.m.AddGlobal(text))
	}
}

func (e *emitter) declare(list ...string) {
	for _, text := range e.named(list...) {
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
