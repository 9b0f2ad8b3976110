package openmp

// This file lets explicit tasks run where they are created. Clang writes
//
//	%t = call @__kmpc_omp_task_alloc(ident, gtid, flags, size, shareds, @.omp_task_entry.)
//	     call @__kmpc_omp_task(ident, gtid, %t)
//
// for a task, with dependences __kmpc_omp_task_with_deps; for one whose if clause is false it
// calls the entry itself, between __kmpc_omp_task_begin_if0 and _complete_if0; and
// __kmpc_taskloop hands a task to the run-time library to be split. All become calls of the
// entry, with marks around that say that a task begins and ends. The run-time library
// (build/runtime/tasks.c) is told before each mark how the task is created. Entries are
// kept from being inlined: in the parallel program the run-time library calls them.

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"pathspan/ir"
	"pathspan/ir/asm"
)

const (
	taskAlloc    = "__kmpc_omp_task_alloc"
	taskCallDeps = "__kmpc_omp_task_with_deps"
	taskCall     = "__kmpc_omp_task"
)

// Functions of the run-time library that are told of tasks.
const (
	tellTask  = ir.TaskCall
	tellOver  = ir.TaskCall + "_over"
	tellWait  = ir.TaskCall + "wait"
	tellLoop  = ir.TaskCall + "loop"
	nextOfOne = ir.TaskCall + "loop_next"
)

// taskAttr is the attribute of a task's entry that says where the task was written.
const taskAttr = "pathspan-task"

// taskMarkName is what is called in place of a mark until [Delimit] writes it.
func taskMarkName(kind ir.MarkKind) string { return fmt.Sprintf("%s_mark_%d", ir.TaskCall, kind) }

// makesTask reports a function of the run-time library that makes tasks, or is told of them.
func makesTask(callee string) bool {
	switch callee {
	case taskCall, taskCallDeps, "__kmpc_omp_task_begin_if0", "__kmpc_taskloop", "__kmpc_taskloop_5", tellTask, tellLoop:
		return true
	}
	return false
}

// makers tells which functions of a module may make tasks, themselves or in what they call.
func makers(m *asm.Module) map[string]bool {
	makes := map[string]bool{}
	for changed := true; changed; {
		changed = false
		for _, f := range m.Funcs() {
			if makes[f.Name()] {
				continue
			}
			for in := range f.Instrs() {
				if in.Call() != nil && callsMaker(in, makes) {
					makes[f.Name()], changed = true, true
					break
				}
			}
		}
	}
	return makes
}

// callsMaker reports whether a call may make tasks: directly, or by a function that it is given.
func callsMaker(in *asm.Instr, makes map[string]bool) bool {
	return makesTask(in.Call().Callee) || slices.ContainsFunc(in.GlobalRefs(), func(name string) bool { return makes[name] })
}

// tasks lowers the tasks of one module.
type tasks struct {
	m       *asm.Module
	entries map[string]bool
	allocs  []*asm.Instr
	notes   *notes
	used    map[string]string // declarations by name
}

// lowerTasks lets the tasks of m run where they are created, and returns the names of their
// entries.
func lowerTasks(m *asm.Module, n *notes) []string {
	t := &tasks{m: m, entries: map[string]bool{}, notes: n, used: map[string]string{}}
	for _, f := range m.Funcs() {
		for in := range f.Instrs() {
			if e := t.entryOf(in); e != nil {
				t.entries[e.Name()] = true
			}
		}
	}
	if len(t.entries) == 0 {
		return nil
	}
	for _, f := range m.Funcs() {
		t.fn(f)
	}
	var names []string
	for name := range t.entries {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		opaque(m.Func(name))
	}
	var decls []string
	for _, d := range t.used {
		decls = append(decls, d)
	}
	slices.Sort(decls)
	for _, d := range decls {
		must(m.AddDecl(d))
	}
	// Nobody else calls an entry, so that calls of it are those that the view sees.
	for _, in := range t.allocs {
		value := in.Call().Args[5].Value
		if at := strings.LastIndex(in.Text(), value); at >= 0 {
			must(in.SetText(in.Text()[:at] + "null" + in.Text()[at+len(value):]))
		}
	}
	return names
}

// entryOf returns the entry of the task that a call allocates, nil for other instructions and
// for tasks of devices and those that an event ends (detach).
func (t *tasks) entryOf(in *asm.Instr) *asm.Func {
	c := in.Call()
	if c == nil || c.Callee != taskAlloc || len(c.Args) != 6 || in.Op() != "call" {
		return nil
	}
	names := asm.GlobalNames(c.Args[5].Value)
	if len(names) != 1 {
		return nil
	}
	f := t.m.Func(names[0])
	if f == nil || len(f.Params()) != 2 || f.RetType() != "i32" {
		return nil
	}
	return f
}

// fn lowers the tasks that a function makes.
func (t *tasks) fn(f *asm.Func) {
	defs := map[string]*asm.Instr{}
	some := false
	for in := range f.Instrs() {
		if in.Result() != "" {
			defs[in.Result()] = in
		}
		some = some || in.Call() != nil && (makesTask(in.Call().Callee) || strings.HasPrefix(in.Call().Callee, "__kmpc_omp_task") || strings.Contains(in.Call().Callee, "taskgroup"))
	}
	if !some {
		return
	}
	must(f.CheckEditable())
	for _, b := range slices.Clone(f.Blocks) {
		for _, in := range slices.Clone(b.Instrs) {
			if c := in.Call(); c != nil && in.Op() == "call" {
				t.call(f, defs, in, c)
			}
		}
	}
}

// tell spells the call of a function of the run-time library, which has no result.
func (t *tasks) tell(name string, dbg int, args ...string) string {
	var types []string
	for _, a := range args {
		types = append(types, a[:strings.LastIndexByte(a, ' ')])
	}
	t.used[name] = fmt.Sprintf("declare void @%s(%s) nounwind", name, strings.Join(types, ", "))
	return fmt.Sprintf("call void @%s(%s) nounwind nomerge%s", name, strings.Join(args, ", "), suffixDbg(dbg))
}

func (t *tasks) mark(kind ir.MarkKind, dbg int) string { return t.tell(taskMarkName(kind), dbg) }

// traced follows a task to where it is allocated; nil where that cannot be told.
func (t *tasks) traced(defs map[string]*asm.Instr, value string) *asm.Instr {
	for range 4 {
		in := defs[strings.TrimPrefix(value, "%")]
		switch {
		case in == nil:
			return nil
		case t.entryOf(in) != nil:
			return in
		case in.Op() != "bitcast" || len(in.Operands()) != 1:
			return nil
		}
		value = in.Operands()[0].Value
	}
	return nil
}

// odd notes a task that stays a call of the run-time library.
func (t *tasks) odd(in *asm.Instr, what string) {
	pos := identAt(t.m, in.Call().Args[0].Value)
	if pos.line == 0 {
		pos.file, pos.line = lineOf(t.m, in)
	}
	t.notes.add(pos, what, "made in a form that is not understood: run where it is created, "+counted)
}

func (t *tasks) call(f *asm.Func, defs map[string]*asm.Instr, in *asm.Instr, c *asm.Call) {
	dbg := in.Dbg()
	b, null := in.Block(), t.m.Pointer("i8")+" null"
	none := []string{"i32 0", null, "i32 0", null}
	lists := func(args []asm.Arg) []string {
		var out []string
		for _, a := range args[:4] {
			out = append(out, a.Type+" "+a.Value)
		}
		return out
	}
	switch c.Callee {
	case taskCall, taskCallDeps:
		alloc := t.traced(defs, c.Args[2].Value)
		if alloc == nil {
			t.again(f, in, c)
			return
		}
		depends := none
		if c.Callee == taskCallDeps {
			depends = lists(c.Args[3:7])
		}
		entry := t.placed(defs, alloc)
		task := c.Args[2].Type + " " + c.Args[2].Value
		text := []string{t.tell(tellTask, dbg, append(append([]string{task}, depends...), "i32 0")...), t.mark(ir.TaskBegin, dbg)}
		text = append(text, t.enter(f, entry, in.Result(), c.Args[1].Value, c.Args[2], dbg)...)
		must(b.Replace(b.Index(in), append(text, t.mark(ir.TaskEnd, dbg), t.tell(tellOver, dbg, task))...))
	case "__kmpc_omp_task_begin_if0":
		alloc := t.traced(defs, c.Args[2].Value)
		if alloc == nil {
			return
		}
		t.placed(defs, alloc)
		must(b.InsertAfter(b.Index(in), t.tell(tellTask, dbg, append(append([]string{c.Args[2].Type + " " + c.Args[2].Value}, none...), "i32 1")...), t.mark(ir.TaskBegin, dbg)))
	case "__kmpc_omp_task_complete_if0":
		if t.traced(defs, c.Args[2].Value) == nil {
			return
		}
		must(b.InsertAfter(b.Index(in), t.tell(tellOver, dbg, c.Args[2].Type+" "+c.Args[2].Value)))
		must(b.InsertBefore(b.Index(in), t.mark(ir.TaskEnd, dbg)))
	case "__kmpc_omp_taskwait":
		must(b.InsertBefore(b.Index(in), t.tell(tellWait, dbg, none...), t.mark(ir.TaskWait, dbg)))
	case "__kmpc_omp_taskwait_deps_51", "__kmpc_omp_wait_deps":
		must(b.InsertBefore(b.Index(in), t.tell(tellWait, dbg, lists(c.Args[2:6])...), t.mark(ir.TaskWait, dbg)))
	case "__kmpc_taskgroup":
		must(b.InsertBefore(b.Index(in), t.mark(ir.GroupBegin, dbg)))
	case "__kmpc_end_taskgroup":
		must(b.InsertBefore(b.Index(in), t.mark(ir.GroupEnd, dbg)))
	case "__kmpc_taskloop", "__kmpc_taskloop_5":
		t.loop(f, defs, in, c)
	}
}

// enter spells a call of a task's entry.
func (t *tasks) enter(f, entry *asm.Func, result, gtid string, task asm.Arg, dbg int) []string {
	var text []string
	p, v := entry.Params(), task.Value
	if p[1].Type != task.Type {
		v = asm.LocalRef(f.FreshName("pathspan.arg"))
		text = append(text, fmt.Sprintf("%s = %s %s %s to %s%s", v, convert(task.Type, p[1].Type), task.Type, task.Value, p[1].Type, suffixDbg(dbg)))
	}
	if result == "" {
		result = f.FreshName("pathspan.done")
	}
	return append(text, callText(asm.LocalRef(result), "i32", entry.Name(), []string{"i32 " + gtid, p[1].Type + " " + v}, f, dbg))
}

// again lowers what an untied task does where it may go on in another thread: it hands itself
// to the run-time library. Here it calls its entry.
func (t *tasks) again(f *asm.Func, in *asm.Instr, c *asm.Call) {
	var entry *asm.Func
	for name := range t.entries {
		for call := range t.m.Func(name).Instrs() {
			if call.Call() != nil && call.Call().Callee == f.Name() {
				if entry != nil && entry.Name() != name {
					t.odd(in, "task")
					return
				}
				entry = t.m.Func(name)
			}
		}
		if name == f.Name() {
			entry = f
		}
	}
	if entry == nil {
		t.odd(in, "task")
		return
	}
	must(in.Block().Replace(in.Block().Index(in), t.enter(f, entry, in.Result(), c.Args[1].Value, c.Args[2], in.Dbg())...))
}

// placed has the entry of a task say where the task was written.
func (t *tasks) placed(defs map[string]*asm.Instr, alloc *asm.Instr) *asm.Func {
	entry := t.entryOf(alloc)
	if !slices.Contains(t.allocs, alloc) {
		t.allocs = append(t.allocs, alloc)
	}
	at := identAt(t.m, alloc.Call().Args[0].Value)
	if at.line == 0 {
		at.file, at.line = lineOf(t.m, alloc)
	}
	tied, priority := flags(defs, alloc.Call().Args[2].Value)
	text := fmt.Sprintf("%d;%d;%t;%t;%s;%s", at.line, at.col, tied, priority, at.function, at.file)
	must(entry.AddAttr(fmt.Sprintf("%q=\"%s\"", taskAttr, strings.Map(plain, text))))
	return entry
}

// flags reads what clang says of a task when it is allocated: whether it is tied, and whether
// it has a priority. Where it may be final that is a value, of which the constants tell.
func flags(defs map[string]*asm.Instr, value string) (tied, priority bool) {
	const isTied, hasPriority = 1, 0x20 // kmp.h, kmp_tasking_flags
	values := []string{value}
	if in := defs[strings.TrimPrefix(value, "%")]; in != nil {
		values = nil
		for _, o := range in.Operands() {
			values = append(values, o.Value)
		}
	}
	for _, v := range values {
		if n, err := strconv.Atoi(v); err == nil {
			tied, priority = tied || n&isTied != 0, priority || n&hasPriority != 0
		}
	}
	return tied, priority
}

// plain leaves characters out that an attribute would have to spell.
func plain(r rune) rune {
	if r < ' ' || r == '"' || r == '\\' {
		return '_'
	}
	return r
}

// loop has a taskloop call the entry of its tasks, one after the other.
func (t *tasks) loop(f *asm.Func, defs map[string]*asm.Instr, in *asm.Instr, c *asm.Call) {
	alloc := t.traced(defs, c.Args[2].Value)
	if alloc == nil {
		t.odd(in, "taskloop")
		return
	}
	entry := t.placed(defs, alloc)
	dbg := in.Dbg()
	var args []string
	for _, i := range []int{2, 3, 4, 5, 6, 8, 9, len(c.Args) - 1} {
		args = append(args, c.Args[i].Type+" "+c.Args[i].Value)
	}
	b := in.Block()
	done := made(f.SplitBlock(b, b.Index(in)+1, f.FreshName("pathspan.taskloop.end")))
	head, body := f.FreshName("pathspan.taskloop"), f.FreshName("pathspan.taskloop.task")
	task, more := asm.LocalRef(f.FreshName("pathspan.task")), asm.LocalRef(f.FreshName("pathspan.more"))
	typ := c.Args[2].Type
	t.used[nextOfOne] = fmt.Sprintf("declare %s @%s() nounwind", typ, nextOfOne)
	must(b.Replace(b.Index(in), t.tell(tellLoop, dbg, args...)))
	made(f.AddBlock(head, fmt.Sprintf("%s = call %s @%s() nounwind%s", task, typ, nextOfOne, suffixDbg(dbg)),
		fmt.Sprintf("%s = icmp ne %s %s, null", more, typ, task),
		fmt.Sprintf("br i1 %s, label %s, label %s", more, asm.LocalRef(body), asm.LocalRef(done.Name()))))
	text := append([]string{t.mark(ir.TaskBegin, dbg)}, t.enter(f, entry, "", c.Args[1].Value, asm.Arg{Type: typ, Value: task}, dbg)...)
	text = append(text, t.mark(ir.TaskEnd, dbg), t.tell(tellOver, dbg, typ+" "+task), "br label "+asm.LocalRef(head))
	made(f.AddBlock(body, text...))
	must(f.RetargetSucc(b, 0, head))
}

// NumberTasks finds the tasks of a linked module, in the order of the source, and has their
// marks say which is which.
func NumberTasks(m *asm.Module) (_ []ir.Task, err error) {
	defer failed(&err)
	type found struct {
		ir.Task
		entry string
	}
	var all []found
	for _, f := range m.Funcs() {
		a, ok := f.Attr(taskAttr)
		if !ok {
			continue
		}
		_, value, _ := strings.Cut(a.Text, "=")
		field := strings.SplitN(strings.Trim(value, `"`), ";", 6)
		if len(field) < 6 {
			continue
		}
		x := found{entry: f.Name()}
		x.Line, _ = strconv.Atoi(field[0])
		x.Col, _ = strconv.Atoi(field[1])
		x.Untied, x.Priority = field[2] == "false", field[3] == "true"
		x.Function, x.File = field[4], field[5]
		all = append(all, x)
	}
	slices.SortStableFunc(all, func(a, b found) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Col, b.Col))
	})
	number := map[string]int{}
	var out []ir.Task
	for i, x := range all {
		number[x.entry] = i
		out = append(out, x.Task)
	}
	ir.NameTasks(out)
	for _, k := range marks(m) {
		if k.mark.Kind != ir.TaskBegin && k.mark.Kind != ir.TaskEnd {
			continue
		}
		n, ok := number[beside(k.in, k.mark.Kind == ir.TaskBegin, number)]
		if !ok {
			return nil, fmt.Errorf("function @%s, block %s: the task of a mark is not found", k.in.Block().Func().Name(), k.in.Block().Name())
		}
		k.renumber(0, n)
	}
	return out, nil
}

// beside returns the entry that is called behind a mark, or before it.
func beside(in *asm.Instr, behind bool, entries map[string]int) string {
	b := in.Block()
	seen := map[*asm.Block]bool{}
	for at := b.Index(in); ; {
		for at >= 0 && at < len(b.Instrs) {
			if c := b.Instrs[at].Call(); c != nil {
				if _, ok := entries[c.Callee]; ok {
					return c.Callee
				}
			}
			if behind {
				at++
			} else {
				at--
			}
		}
		seen[b] = true
		var next *asm.Block
		if behind {
			if s := b.Succs(); len(s) > 0 {
				next = b.Func().Block(s[0])
			}
		} else if p := b.Preds(); len(p) > 0 {
			next = p[0]
		}
		if next == nil || seen[next] {
			return ""
		}
		if b, at = next, 0; !behind {
			at = len(b.Instrs) - 1
		}
	}
}
