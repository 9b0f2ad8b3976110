package record

// This file makes calls of functions the statements of a flow of data, and takes what a run told
// of them.

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"pathspan/bounded"
	"pathspan/ir"
	"pathspan/ir/asm"
	"pathspan/streams"
	"pathspan/yamlstrict"
)

// Flow asks for the flow of data between statements: calls of the functions of these names, or
// where there are none, of those that call no function of the program. Of a plan with pipelines
// their stages are the statements instead, and of another with tasks these, with all that is called in them, unless functions are
// named: nothing is compiled otherwise for that.
type Flow struct {
	Functions []string
}

// ErrFlowOfThreads is for programs whose statements are not those of one thread.
var ErrFlowOfThreads = errors.New("the program starts threads of its own, and --flow follows one thread; leave out --flow")

// keepStatements finds the functions whose calls are statements, and keeps the optimiser from
// looking into them: a call that is inlined, or left out for what the function does, is none.
// Other definitions may take the place of weak ones, so that no pass relies on theirs.
func (r *Recorder) keepStatements(ctx context.Context, b *Built) error {
	if b.plannedFlow() {
		return nil
	}
	var modules []*asm.Module
	var views []*ir.Program
	defined := make(map[string]bool)
	for i := range b.modules {
		m, err := r.namedModule(ctx, b, i)
		if err != nil {
			return err
		}
		view, err := ir.Build(m)
		if err != nil {
			return err
		}
		modules, views = append(modules, m), append(views, view)
		for _, f := range view.Funcs {
			defined[f.Name] = defined[f.Name] || !foreign(view, f)
		}
	}
	b.statements = make(map[string]bool)
	for i, m := range modules {
		for fi, f := range m.Funcs() {
			if !b.Options.Flow.holds(views[i], views[i].Funcs[fi], defined) || strings.Contains(f.Header(), " available_externally ") {
				continue
			}
			if b.statements[f.Name()] && !views[i].Funcs[fi].Exported {
				return fmt.Errorf("--flow: two sources have a function %s of their own; give one of them another name", f.Name())
			}
			b.statements[f.Name()] = true
			f.RemoveAttr("alwaysinline")
			f.RemoveAttr("inlinehint")
			if err := f.AddAttr("noinline"); err != nil {
				return err
			}
			if err := f.SetLinkage("weak"); err != nil {
				return err
			}
		}
		b.modules[i].file = fmt.Sprintf("0-%d-statements.ll", i)
		if err := r.write(b.modules[i].file, m.Bytes()); err != nil {
			return err
		}
	}
	return b.Options.Flow.check(views)
}

// plannedFlow reports whether a plan says what the statements are: stages of pipelines, or else tasks.
func (b *Built) plannedFlow() bool {
	p := b.Options.Plan
	return len(b.Options.Flow.Functions) == 0 && p != nil && (p.HasPipelines() || p.HasTasks())
}

// foreign reports whether a function is code of a library's header.
func foreign(p *ir.Program, f *ir.Func) bool {
	return f.Loc.File >= 0 && f.Loc.File < len(p.Files) && ir.Foreign(p.Files[f.Loc.File])
}

// holds reports whether calls of a function are statements.
func (o *Flow) holds(p *ir.Program, f *ir.Func, defined map[string]bool) bool {
	if f.Name == "main" {
		return false
	}
	if len(o.Functions) > 0 {
		return slices.Contains(o.Functions, f.Name) || slices.Contains(o.Functions, f.Source)
	}
	if foreign(p, f) {
		return false
	}
	for _, b := range f.Blocks {
		for i := range b.Instrs {
			if c := b.Instrs[i].Call; c != nil && (c.Indirect || defined[c.Name]) {
				return false
			}
		}
	}
	return true
}

// check reports a name that no function has.
func (o *Flow) check(views []*ir.Program) error {
	var names []string
	for _, p := range views {
		for _, f := range p.Funcs {
			names = append(names, f.Name, f.Source)
		}
	}
	for _, n := range o.Functions {
		if n == "main" {
			return errors.New("--flow main: the program is one call of it; name functions that it calls")
		}
		if !slices.Contains(names, n) {
			hint := ""
			if near := yamlstrict.Nearest(n, names); near != "" {
				hint = ", but " + near
			}
			return fmt.Errorf("--flow %s: the sources define no such function%s", n, hint)
		}
	}
	return nil
}

// flowFile is where a run of the program leaves its flow.
func (r *Recorder) flowFile() string { return r.path("flow.trace") }

// flowed takes what a run left.
func (r *Recorder) flowed(b *Built) (*streams.Trace, error) {
	told, err := bounded.ReadFile(r.flowFile(), bounded.Object)
	if errors.Is(err, os.ErrNotExist) {
		return nil, errors.New("the program left no flow of data; its folder for temporary files may be full")
	}
	if err != nil {
		return nil, err
	}
	t := &streams.Trace{Statements: b.flow.Statements}
	if err := t.Ran(told); err != nil {
		return nil, err
	}
	return t.OnlyExecuted(), nil
}
