package probe

// This file writes meters into a module: the cost of each block that executes is added
// up, and the sums are handed over where regions and sections begin and end. It is
// what exact replay needs, and it shares nothing with the numbering of paths.

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"pathspan/ir"
	"pathspan/ir/asm"
)

// Meters says what to add up. A meter is a 64-bit sum; there is one for each kind of
// processor. Arithmetic is modulo 2^64.
type Meters struct {
	Count int // of meters, at most MaxMeters
	// Weights are what the run-time library takes the meters to weigh against each other,
	// by meter; nil where it does not ask.
	Weights []uint32
	// Root is the function, by index, whose begin and end are events; -1 for none.
	Root  int
	Funcs []MeteredFunc
	// Pending lets a function keep what it adds to itself until it ends, meets a marker, or
	// calls what may throw through it, which costs far less. What a function adds is then
	// lost where it never ends: behind exit, and where longjmp passes it by, unless it adds
	// at once. A function into which setjmp returns again keeps nothing.
	Pending bool
	// PutOff lets marks of loops be put off, which the run-time library must know of (quiet.go).
	PutOff bool
	// Iterations has programs tell of iterations of worksharing loops that all do the same, too.
	Iterations bool
	// Updates has programs tell of atomic updates.
	Updates bool
}

// MaxMeters is the most meters of a module.
const MaxMeters = 256

// MeteredFunc is what to add in one function. Blocks and instructions are those of
// ir.Func.
type MeteredFunc struct {
	Index  int
	AtOnce bool // keeps nothing to itself
	Blocks []MeteredBlock
	// Before lists calls that may reach marks: what a function keeps is added before them,
	// so that it counts for what was before.
	Before []InstrAt
}

// InstrAt is an instruction of an ir.Func.
type InstrAt struct{ Block, Instr int }

// MeteredBlock is what to add each time a block executes.
type MeteredBlock struct {
	Block int
	Add   []uint64 // by meter
	After []MeteredEdge
	// Included lists calls whose callees count nothing.
	Included []MeteredCall
}

// MeteredEdge is what to add to a meter, beside Add, when a block is entered from Pred.
type MeteredEdge struct {
	Pred  int
	Meter int
	Add   uint64
}

// MeteredCall is a call during which some meters stand still.
type MeteredCall struct {
	Instr  int // index into the ir.Block's instructions
	Meters []int
}

// Kinds of events that are no marks of regions and sections (ir.MarkKind).
const (
	RootBegin = 5
	RootEnd   = 6
	Accesses  = 40 // to memory, in place of meters (runtime/accesses.h)
	StreamEnd = 255
)

// AccessLeast is the bytes of the shortest lines of caches: accesses that repeat others within as
// many are not told.
const AccessLeast = 16

// Event packs an event into a word, as the run-time library writes it.
func Event(kind, region, construct, section int) uint64 {
	return uint64(kind)<<56 | uint64(region)<<32 | uint64(construct)<<16 | uint64(section)
}

// MarkOf returns the mark of a region or section that an event tells of, or nil.
func MarkOf(event uint64) *ir.Mark {
	kind := ir.MarkKind(event >> 56)
	if kind < ir.RegionBegin || kind > ir.SectionEnd {
		return nil
	}
	return &ir.Mark{Kind: kind, Region: int(event >> 32 & 0xffffff), Construct: int(event >> 16 & 0xffff), Section: int(event & 0xffff)}
}

// Meter writes the meters into the module. Its markers become events. Functions and
// blocks are those of ir.Build on the same module, whose values must be named.
func Meter(m *asm.Module, p *ir.Program, plan *Meters) (*Metered, error) {
	if plan.Count > MaxMeters {
		return nil, fmt.Errorf("probe: %d kinds of processors: at most %d can be replayed at a time", plan.Count, MaxMeters)
	}
	if err := fitsEvent(p); err != nil {
		return nil, err
	}
	w := &meterWriter{emitter: emitter{m: m, i64ptr: m.Pointer("i64")}, p: p, plan: plan, pending: map[string]bool{}, chords: map[string]*chords{}, counted: map[string][]counted{}}
	funcs := m.Funcs()
	for i, f := range funcs {
		if plan.Count == 0 {
			break
		}
		w.counted[f.Name()] = countedLoops(p, f, p.Funcs[i], plan.Iterations)
	}
	for i := range plan.Funcs {
		mf := &plan.Funcs[i]
		f := funcs[mf.Index]
		if w.fn(f, p.Funcs[mf.Index], mf); w.err != nil {
			return nil, fmt.Errorf("probe: function %s: %w", f.Name(), w.err)
		}
	}
	w.findOwn(funcs)
	for i, f := range funcs {
		w.events(f, p.Funcs[i], i == plan.Root)
		if w.iterations(f, p.Funcs[i]); w.err != nil {
			return nil, fmt.Errorf("probe: function %s: %w", f.Name(), w.err)
		}
	}
	forgetMemory(m)
	if w.meters(); w.err != nil {
		return nil, fmt.Errorf("probe: %w", w.err)
	}
	return &Metered{w.places}, StripMarks(m)
}

// fitsEvent reports a program with more regions or sections than an event can tell.
func fitsEvent(p *ir.Program) error {
	if len(p.Regions) >= 1<<24 {
		return fmt.Errorf("probe: %d regions: too many to replay", len(p.Regions))
	}
	for _, r := range p.Regions {
		for _, c := range r.Constructs {
			if len(r.Constructs) >= 1<<16 || len(c.Sections) >= 1<<16 {
				return fmt.Errorf("probe: region %s has too many sections to replay", r.Name)
			}
		}
	}
	return nil
}

type meterWriter struct {
	emitter
	p       *ir.Program
	plan    *Meters
	pending map[string]bool    // functions that keep what they add, by name
	keeps   bool               // the function at hand does
	chords  map[string]*chords // of those that add on few edges
	counted map[string][]counted
	own     map[construct]*ownLoop
	places  []place
	quiet   bool // some marks may be put off
}

func meterName(k int) string { return fmt.Sprintf("@__pathspan_meter_%d", k) }

func (w *meterWriter) load(text *[]string, place string) string {
	return w.value(text, "m", "load i64, %s %s, align 8", w.i64ptr, place)
}

// increase adds a value to what lies at a place.
func (w *meterWriter) increase(text *[]string, place, by string) {
	sum := w.value(text, "m", "add i64 %s, %s", w.load(text, place), by)
	*text = append(*text, w.store(place, sum))
}

func (w *meterWriter) store(place, value string) string {
	return fmt.Sprintf("store i64 %s, %s %s, align 8", value, w.i64ptr, place)
}

// place is where the function at hand adds to meter k.
func (w *meterWriter) place(k int) string {
	if w.keeps {
		return pendingName(k)
	}
	return meterName(k)
}

// fn meters the blocks of a function.
func (w *meterWriter) fn(f *asm.Func, view *ir.Func, mf *MeteredFunc) {
	if w.next, w.err = 0, f.CheckEditable(); w.err != nil {
		return
	}
	type held struct {
		in     *asm.Instr
		meters []int
	}
	var holds []held // found before anything moves
	for i := range mf.Blocks {
		mb := &mf.Blocks[i]
		b := f.Blocks[mb.Block]
		for _, c := range mb.Included {
			at := ir.InstrAt(b, c.Instr)
			if at < 0 || b.Instrs[at].Call() == nil {
				w.failed(fmt.Errorf("block %s: instruction %d is no call", b.Name(), c.Instr))
				return
			}
			holds = append(holds, held{b.Instrs[at], c.Meters})
		}
	}
	w.keeps = w.plan.Pending && !mf.AtOnce && len(mf.Blocks) > 0 && w.plan.Root != mf.Index && mayKeep(f, view)
	w.pending[f.Name()] = w.keeps
	if w.keeps {
		w.keep(f, view, mf, w.handingOver(f, view, mf))
	} else {
		for i := range mf.Blocks {
			mb := &mf.Blocks[i]
			w.block(view, f.Blocks[mb.Block], mb)
		}
	}
	for _, h := range holds {
		w.hold(f, h.in, h.meters)
	}
}

// block adds what an execution costs, at the start, where its marker has not yet
// handed over what was before.
func (w *meterWriter) block(view *ir.Func, b *asm.Block, mb *MeteredBlock) {
	var text, phis []string
	for k, cost := range mb.Add {
		value := fmt.Sprint(int64(cost))
		if phi := w.after(view, b, mb, k); phi != "" {
			value = w.value(&text, "m", "add i64 %s, %s", w.value(&phis, "after", "phi i64 %s", phi), value)
		} else if cost == 0 {
			continue
		}
		w.increase(&text, w.place(k), value)
	}
	at := b.StartIndex()
	if i := marker(b); i >= 0 {
		at = i + 1
	}
	if len(text) > 0 {
		w.insert(b, at, text...)
	}
	if len(phis) > 0 {
		w.insert(b, 0, phis...)
	}
}

// after spells the arms of a phi that tells what a block costs beside Add, by
// predecessor; "" when that is nothing.
func (w *meterWriter) after(view *ir.Func, b *asm.Block, mb *MeteredBlock, k int) string {
	extra := map[string]uint64{}
	for _, e := range mb.After {
		if e.Meter == k {
			extra[view.Blocks[e.Pred].Name] = e.Add
		}
	}
	if len(extra) == 0 {
		return ""
	}
	var arms []string
	for _, p := range b.Preds() {
		arms = append(arms, fmt.Sprintf("[ %d, %s ]", int64(extra[p.Name()]), asm.LocalRef(p.Name())))
	}
	return strings.Join(arms, ", ")
}

// hold keeps meters at what they are over a call.
func (w *meterWriter) hold(f *asm.Func, in *asm.Instr, meters []int) {
	if in.Call().Tail == "musttail" {
		w.failed(fmt.Errorf("block %s: a model counts the callee of a musttail call in its caller, which cannot be replayed", in.Block().Name()))
	}
	var before, behind []string
	for _, k := range meters {
		behind = append(behind, w.store(meterName(k), w.load(&before, meterName(k))))
	}
	b := in.Block()
	w.insert(b, b.Index(in), before...)
	if in.Op() != "call" { // along the edge of a return; what unwinds keeps its counts
		w.onEdge(f, b, 0, behind...)
	} else {
		w.insert(b, b.Index(in)+1, behind...)
	}
}

func marker(b *asm.Block) int {
	for i, in := range b.Instrs {
		if c := in.Call(); c != nil && c.Callee == ir.MarkerFunc {
			return i
		}
	}
	return -1
}

// events hands the meters over at the markers of a function and, if it is the root,
// at its begin and ends.
func (w *meterWriter) events(f *asm.Func, view *ir.Func, root bool) {
	w.next = 1 << 20 // behind the names that fn used
	w.keeps = w.pending[f.Name()]
	c := w.chords[f.Name()]
	for bi, b := range slices.Clone(f.Blocks) {
		mark := view.Blocks[bi].Mark
		if mark == nil {
			mark = view.Blocks[bi].TaskMark
		}
		if mark != nil {
			i := marker(b)
			var at []uint64
			if c != nil {
				at = c.top(bi)
			}
			if text := w.putOff(mark, at); text != nil {
				w.insert(b, i, text...)
			} else {
				w.insert(b, i, w.event(Event(int(mark.Kind), mark.Region, mark.Construct, mark.Section), at)...)
			}
		}
		if l := view.Blocks[bi].Locking; l != nil {
			var at []uint64
			index := b.StartIndex() // before what the block adds
			if c != nil {
				at, index = c.top(bi), ir.LockCall(b) // behind what edges add where it begins
			}
			w.insert(b, index, w.locking(b, l, at)...)
		}
		if list := view.Blocks[bi].Atomics; len(list) > 0 && w.plan.Updates {
			var at []uint64
			if c != nil {
				at = c.potential[bi]
			}
			w.atomics(b, list, at)
		}
		if t := b.Term(); root && t != nil && (t.Op() == "ret" || t.Op() == "resume") {
			w.atEnd(b, w.event(Event(RootEnd, 0, 0, 0), nil)...)
		}
	}
	if root {
		w.insert(f.Blocks[0], 0, w.event(Event(RootBegin, 0, 0, 0), nil)...)
	}
}

// event hands every meter over, empties it and tells what happened. Where the function
// adds on few edges, at is the potential there.
func (w *meterWriter) event(word uint64, at []uint64) []string {
	return append(w.handOver(at), w.tell(word))
}

func (w *meterWriter) tell(word uint64) string {
	return fmt.Sprintf("call void @__pathspan_meter_mark(i64 %d)", int64(word))
}

// locking tells that a lock is taken, with its address, or that the last one is released.
func (w *meterWriter) locking(b *asm.Block, l *ir.Locking, at []uint64) []string {
	if !l.Takes {
		return w.event(Event(int(ir.LockReleased), 0, 0, 0), at)
	}
	text := w.handOver(at)
	address := "0"
	if a := ir.LockArg(b); a != nil {
		address = w.value(&text, "lock", "ptrtoint %s %s to i64", a.Type, a.Value)
	}
	return append(text, fmt.Sprintf("call void @__pathspan_lock_taken(i64 %d, i64 %s)", int64(Event(int(ir.LockTaken), l.Lock, 0, 0)), address))
}

// atomics tells of atomic updates before they happen, with their addresses. The library says of
// which it wants to know what was done before: of most it counts how many there are.
func (w *meterWriter) atomics(b *asm.Block, list []int, at []uint64) {
	updates := ir.Updates(b)
	if len(updates) != len(list) {
		w.failed(fmt.Errorf("block %s: %d atomic updates, where the program's view has %d", b.Name(), len(updates), len(list)))
		return
	}
	for i := len(list) - 1; i >= 0; i-- {
		var text []string
		address := w.value(&text, "line", "ptrtoint %s %s to i64", updates[i].Pointer.Type, updates[i].Pointer.Value)
		met := w.value(&text, "met", "call i32 @__pathspan_atomic_met(i64 %d, i64 %s)", int64(Event(int(ir.AtomicUpdate), list[i], 0, 0)), address)
		over := w.value(&text, "over", "icmp ne i32 %s, 0", met)
		tell := append(w.handOver(at), "call void @__pathspan_atomic_told()")
		w.insert(b, updates[i].At, append(text, w.at(place{over: over, tell: tell}))...)
	}
}

func (w *meterWriter) handOver(at []uint64) []string {
	var text []string
	for k := range w.plan.Count {
		if w.keeps {
			w.addPending(&text, k, at)
		}
		w.give(&text, k, w.load(&text, meterName(k)))
		text = append(text, w.store(meterName(k), "0"))
	}
	return text
}

// metered is where the run-time library takes what meters held.
const metered = "__pathspan_metered"

func (w *meterWriter) give(text *[]string, k int, value string) {
	array := fmt.Sprintf("[%d x i64]", MaxMeters)
	p := w.value(text, "p", "getelementptr inbounds %s, %s @%s, i64 0, i64 %d", array, w.m.Pointer(array), metered, k)
	w.increase(text, p, value)
}

// meters adds the meters and what the run-time library asks for. The address of a
// meter is never taken, so that the optimiser can keep it in a register.
func (w *meterWriter) meters() {
	weights := []string{"i32 0"}
	if w.plan.Weights != nil {
		weights = nil
	}
	for _, n := range w.plan.Weights {
		weights = append(weights, fmt.Sprintf("i32 %d", n))
	}
	text := append(w.constructs(), list("__pathspan_meter_weights", weights), fmt.Sprintf("@__pathspan_meter_count = constant i64 %d", w.plan.Count))
	if w.places != nil {
		w.declare("declare void @" + placeholder + "(i64) nounwind")
	}
	if slices.ContainsFunc(slices.Collect(maps.Values(w.counted)), func(l []counted) bool { return l != nil }) {
		text = append(text, "@"+countdown+" = external global i64, align 8")
	}
	text = append(text, fmt.Sprintf("@%s = external global [%d x i64], align 16", metered, MaxMeters))
	for k := range w.plan.Count {
		text = append(text, fmt.Sprintf("%s = internal global i64 0, align 8", meterName(k)))
	}
	w.globals(text...)
	w.declareQuiet()
	w.declare("declare void @__pathspan_meter_mark(i64) nounwind", "declare void @__pathspan_lock_taken(i64, i64) nounwind",
		"declare i32 @__pathspan_atomic_met(i64, i64) nounwind", "declare void @__pathspan_atomic_told() nounwind")
	w.keeps = false
	body := strings.Join(append(w.handOver(nil), "ret void"), "\n  ")
	w.define("define void @__pathspan_meter_rest() nounwind {\nentry:\n  " + body + "\n}\n")
}

// constructs tells the run-time library how many lanes the constructs of each region have:
// numbers of constructs, region by region, and of lanes, construct by construct. A loop has
// two: its iterations, and how many there are. Behind the constructs of each region comes
// one without lanes, which iterations end with. Tasks stand behind the last region, as if
// they were constructs of one more (ir.TaskForms), and behind them the locks, as constructs of
// one lane: so many for each lock of the program, and for what is updated atomically; and then streaks, one for each region.
func (w *meterWriter) constructs() []string {
	const loop, goesOn, withNext, ordered, own, atomic = 1, 2, 4, 8, 16, 32 // executions.h
	p := w.p
	first, lanes, traits := []string{"i32 0"}, []string{}, []string{}
	add := func(n, of int) {
		lanes, traits = append(lanes, fmt.Sprintf("i32 %d", n)), append(traits, fmt.Sprintf("i32 %d", of))
	}
	for i := range p.Regions {
		r, some := &p.Regions[i], 0
		for c := range r.Constructs {
			n, of := len(r.Constructs[c].Sections), 0
			if r.Constructs[c].Loop != nil {
				n, of = 2, loop
				if r.Constructs[c].Loop.Ordered {
					of |= ordered
				}
				if w.own[construct{i, c}] != nil {
					of |= own
				}
			}
			if r.GoesOn(c) {
				of, some = of|goesOn, goesOn
			}
			if at, k := r.Together(c); c+1 < at+k {
				of |= withNext
			}
			add(n, of)
		}
		add(0, some)
		first = append(first, fmt.Sprintf("i32 %d", len(lanes)))
	}
	for _, n := range ir.TaskLanes(len(p.Tasks)) {
		add(n, 0)
	}
	first = append(first, fmt.Sprintf("i32 %d", len(lanes)))
	for _, l := range p.Locks {
		of := 0
		if l.Atomic() {
			of = atomic
		}
		for range ir.LocksOfOne {
			add(1, of)
		}
	}
	first = append(first, fmt.Sprintf("i32 %d", len(lanes)))
	for range p.Regions {
		add(1, 0)
	}
	first = append(first, fmt.Sprintf("i32 %d", len(lanes)))
	return []string{fmt.Sprintf("@__pathspan_region_count = constant i32 %d", len(p.Regions)),
		list("__pathspan_constructs", first), list("__pathspan_sections", lanes), list("__pathspan_traits", traits)}
}

// list is a constant list of 32-bit numbers.
func list(name string, values []string) string {
	return fmt.Sprintf("@%s = constant [%d x i32] [%s]", name, len(values), strings.Join(values, ", "))
}
