package conform

// This file holds the modules that models are asked about which need the program's
// assembly, and puts their functions in other orders.

import (
	"embed"
	"fmt"
	"strings"

	"pathspan/ir"
	"pathspan/ir/asm"
	"pathspan/procmodels"
)

// The modules; testdata/README.md says how they were made.
//
//go:embed testdata/*.ll
var files embed.FS

const header = `source_filename = "conform.c"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"
`

const emptyModule = header

const emptyBlocks = header + `
define void @ends() {
entry:
  br label %middle

middle:
  br label %last

last:
  ret void
}

define void @nothing() {
entry:
  unreachable
}
`

// longModule holds a block of many instructions that need each other.
func longModule() string {
	var b strings.Builder
	b.WriteString(header + "\ndefine i32 @long(i32 %x, i32 %v0) {\nentry:\n")
	for i := range many - 1 {
		op := []string{"add", "xor", "mul", "sub"}[i%4]
		fmt.Fprintf(&b, "  %%v%d = %s i32 %%v%d, %%x\n", i+1, op, i)
	}
	fmt.Fprintf(&b, "  ret i32 %%v%d\n}\n", many-1)
	return b.String()
}

func unknownCallModule() *subject {
	s, err := fromModule("a call of what does not exist", header+"\ndefine void @caller() {\nentry:\n  call void @"+noFunction+
		"()\n  ret void\n}\n\ndeclare void @"+noFunction+"()\n")
	if err != nil {
		panic(fmt.Sprintf("conform.unknownCallModule: %v", err))
	}
	return s
}

func testdata(name string) string {
	text, err := files.ReadFile("testdata/" + name)
	if err != nil {
		panic(fmt.Sprintf("conform.testdata: %v", err)) // embedded, so it is there
	}
	return string(text)
}

// modules returns what compilers made of small programs.
func modules() []*subject {
	var list []*subject
	for _, name := range []string{"loops.ll", "floats.ll", "calls.ll"} {
		s, err := fromModule(name, testdata(name))
		if err != nil {
			panic(fmt.Sprintf("conform.modules: %s: %v", name, err)) // a test reads them all
		}
		list = append(list, s)
	}
	return list
}

func fromModule(name, text string) (*subject, error) {
	m, err := asm.Parse([]byte(text))
	if err != nil {
		return nil, err
	}
	p, err := ir.Build(m)
	if err != nil {
		return nil, err
	}
	return &subject{"module " + name, procmodels.Subject{Program: p, Module: []byte(text)}}, nil
}

// reordered returns the module with some of its functions only, in another order.
func (s *subject) reordered(funcs []int) (*subject, bool) {
	before, bodies, after, ok := definitions(string(s.Module))
	if !ok || len(bodies) != len(s.Program.Funcs) {
		return nil, false
	}
	var b strings.Builder
	b.WriteString(before)
	for _, f := range funcs {
		b.WriteString(bodies[f] + "\n\n")
	}
	b.WriteString(after)
	other, err := fromModule(strings.TrimPrefix(s.name, "module "), b.String())
	return other, err == nil
}

// definitions takes a module apart: each function from its "define" to the brace that
// ends it, what stands before the first, and all else.
func definitions(text string) (before string, bodies []string, after string, ok bool) {
	var rest strings.Builder
	body := -1 // where the open one begins
	at := 0
	for line := range strings.Lines(text) {
		begin := at
		at += len(line)
		switch {
		case body < 0 && strings.HasPrefix(line, "define "):
			body = begin
			if bodies == nil {
				before = rest.String()
				rest.Reset()
			}
		case body >= 0 && strings.TrimRight(line, "\n") == "}":
			bodies = append(bodies, text[body:at])
			body = -1
			continue
		}
		if body < 0 {
			rest.WriteString(line)
		}
	}
	return before, bodies, rest.String(), body < 0 && bodies != nil
}
