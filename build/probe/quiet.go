package probe

// This file puts marks off where the run-time library need not know of them: an execution of
// a loop that goes as one did before goes by without a call (build/runtime/quiet.h). It also
// writes what is told of in some executions alone.

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"pathspan/ir"
	"pathspan/ir/asm"
)

const (
	putOffFn   = "__pathspan_put_off"
	beginsFn   = "__pathspan_loop_begins"
	endsFn     = "__pathspan_loop_ends"
	expected   = "__pathspan_expected"
	mostPutOff = 8 // meters, as executions.h has it
	nonePutOff = 1 // NONE_YET of quiet.h
)

// mayPutOff reports a region all of whose constructs are loops behind which threads wait.
func mayPutOff(r *ir.Region) bool {
	for c := range r.Constructs {
		if r.Constructs[c].Loop == nil || r.GoesOn(c) {
			return false
		}
	}
	return len(r.Constructs) > 0
}

// putOff tells a mark to the run-time library where that cannot be put off. It returns nil for
// other marks than those of loops and of regions of them.
func (w *meterWriter) putOff(mark *ir.Mark, at []uint64) []string {
	if !w.plan.PutOff || w.plan.Count > mostPutOff || mark.Kind < ir.RegionBegin || mark.Kind > ir.SectionEnd || !mayPutOff(&w.p.Regions[mark.Region]) {
		return nil
	}
	region := int64(Event(int(ir.RegionBegin), mark.Region, 0, 0))
	loop := int64(Event(int(ir.SectionBegin), mark.Region, mark.Construct, 0))
	number := mark.Construct
	for i := range mark.Region {
		number += len(w.p.Regions[i].Constructs) + 1
	}
	var text, tell []string
	w.quiet = true
	// Outside of loops work is nobody's while marks are put off: meters begin anew where a loop
	// does, and where something is told. Those of a loop whose function keeps all that it does
	// are not asked, so that only what is told needs them.
	own := w.own[construct{mark.Region, mark.Construct}]
	sums := make([]string, w.plan.Count)
	reset := func(text *[]string) {
		for k := range sums {
			*text = append(*text, w.store(meterName(k), "0"))
		}
	}
	sum := func(text *[]string) {
		for k := range sums {
			sums[k] = w.whole(text, k, at)
		}
	}
	var goes string
	switch mark.Kind {
	case ir.RegionBegin:
		goes = w.value(&text, "by", "call i32 @%s(i64 %d, i64 %d)", putOffFn, nonePutOff, region)
		sum(&tell)
		reset(&tell)
	case ir.RegionEnd:
		goes = w.value(&text, "by", "call i32 @%s(i64 %d, i64 %d)", putOffFn, region, nonePutOff)
		sum(&tell)
		reset(&tell)
	case ir.SectionBegin:
		goes = w.value(&text, "by", "call i32 @%s(i64 %d, i64 %d, i64 %d)", beginsFn, region, loop, number)
		into := &text
		if own != nil {
			into = &tell
		}
		sum(into)
		reset(into)
	case ir.SectionEnd:
		ask := uint32(1)<<len(sums) - 1
		if own == nil {
			sum(&text)
		} else {
			ask = own.ask
			for k := range sums {
				sums[k] = w.kept(&text, k, at)
			}
		}
		args := slices.Concat(sums, slices.Repeat([]string{"0"}, mostPutOff-len(sums)))
		goes = w.value(&text, "by", "call i32 @%s(i64 %d, i64 %d, i64 %d, i32 %d, i64 %s)", endsFn, loop, region, number, ask, strings.Join(args, ", i64 "))
		reset(&tell)
	}
	over := w.value(&text, "over", "icmp eq i32 %s, 0", goes)
	for k, sum := range sums {
		w.give(&tell, k, sum)
	}
	tell = append(tell, w.tell(Event(int(mark.Kind), mark.Region, mark.Construct, mark.Section)))
	text = append(text, w.at(place{over: over, tell: tell}))
	if w.keeps {
		for k := range sums {
			text = append(text, w.store(pendingName(k), fmt.Sprint(-int64(potential(at, k)))))
		}
	}
	return text
}

// whole is all that meter k holds, with what the function at hand keeps.
func (w *meterWriter) whole(text *[]string, k int, at []uint64) string {
	sum := w.load(text, meterName(k))
	if w.keeps {
		sum = w.value(text, "m", "add i64 %s, %s", sum, w.kept(text, k, at))
	}
	return sum
}

// kept is what the function at hand keeps for meter k.
func (w *meterWriter) kept(text *[]string, k int, at []uint64) string {
	return w.value(text, "m", "add i64 %s, %d", w.load(text, pendingName(k)), int64(potential(at, k)))
}

// declareQuiet declares what marks need that are put off.
func (w *meterWriter) declareQuiet() {
	if !w.quiet {
		return
	}
	constructs := 0
	for i := range w.p.Regions {
		constructs += len(w.p.Regions[i].Constructs) + 1
	}
	w.declare("declare i32 @"+putOffFn+"(i64, i64) nounwind", "declare i32 @"+beginsFn+"(i64, i64, i64) nounwind",
		"declare i32 @"+endsFn+"(i64, i64, i64, i32"+strings.Repeat(", i64", mostPutOff)+") nounwind")
	w.globals(fmt.Sprintf("@%s = global [%d x [%d x i64]] zeroinitializer, align 16", expected, constructs, 3+mostPutOff))
}

// placeholder is called where something may be told of, until [Metered.Finish] writes that.
const placeholder = "__pathspan_place"

// place is where something is told of, or not.
type place struct {
	ask   string   // whether that is to be found out; "" for always
	check []string // how it is
	over  string   // whether it is told of
	tell  []string // what to do then
}

func (w *meterWriter) at(p place) string {
	w.places = append(w.places, p)
	return fmt.Sprintf("call void @%s(i64 %d)", placeholder, len(w.places)-1)
}

// Metered is what is left to do in a module that was metered.
type Metered struct{ places []place }

// Finish writes what splits blocks, once no one asks for them by their numbers any more.
func (d *Metered) Finish(m *asm.Module) error {
	if len(d.places) == 0 {
		return nil
	}
	for _, f := range m.Funcs() {
		for _, b := range slices.Clone(f.Blocks) {
			for i := len(b.Instrs) - 1; i >= 0; i-- {
				c := b.Instrs[i].Call()
				if c == nil || c.Callee != placeholder {
					continue
				}
				n, err := strconv.Atoi(c.Args[0].Value)
				if err != nil {
					return err
				}
				if err := d.places[n].write(f, b, i, n); err != nil {
					return fmt.Errorf("probe: function %s: %w", f.Name(), err)
				}
			}
		}
	}
	return nil
}

// write puts a place at instruction i of b, which is a placeholder.
func (p place) write(f *asm.Func, b *asm.Block, i, n int) error {
	rest, err := f.SplitBlock(b, i+1, fmt.Sprintf("ps.on.%d", n))
	if err != nil {
		return err
	}
	if err := b.Delete(i); err != nil {
		return err
	}
	on := "label " + asm.LocalRef(rest.Name())
	told, err := f.AddBlock(fmt.Sprintf("ps.told.%d", n), append(p.tell, "br "+on)...)
	if err != nil {
		return err
	}
	branch := append(p.check, fmt.Sprintf("br i1 %s, label %s, %s", p.over, asm.LocalRef(told.Name()), on))
	if p.ask != "" {
		check, err := f.AddBlock(fmt.Sprintf("ps.check.%d", n), branch...)
		if err != nil {
			return err
		}
		branch = []string{fmt.Sprintf("br i1 %s, label %s, %s", p.ask, asm.LocalRef(check.Name()), on)}
	}
	return b.Replace(b.Index(b.Term()), branch...)
}
