package report

// This file says what a profile leaves out. Every command says it whose figures rest on
// the profile.

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"pathspan/estimate"
	"pathspan/ir"
	"pathspan/mapping/caches"
	"pathspan/profile"
	"pathspan/streams/flow"
)

// Omissions tells which constructs are counted as serial code and what else was noted when
// the profile was made, which activations are missing in the counts, which executions are
// not kept, what races by the recorded memory, and what the program is linked with that was not
// profiled: its share of the program's code, and how often profiled code called it.
func Omissions(b *profile.Bundle) []string {
	return slices.Concat(ConstructNotes(b.Notes), taskNotes(b), noWaitNotes(b), lockNotes(b), raceNotes(b), gaps(b))
}

// taskNotes says what estimates make of tasks.
func taskNotes(b *profile.Bundle) []string {
	if !b.Program.HasTasks() || b.Executions == nil {
		return nil
	}
	followed := make([]bool, len(b.Program.Tasks))
	all := b.Executions.Entries
	within := make([]bool, len(all)) // of a lane of another
	for i := range all {
		for _, lane := range all[i].Lanes {
			for _, p := range lane {
				if p.Entry >= 0 {
					within[p.Entry] = true
				}
			}
		}
	}
	var inTurn, inRegions []string
	add := func(to *[]string, name string) {
		if !slices.Contains(*to, name) {
			*to = append(*to, name)
		}
	}
	some := false
	for i := range all {
		x := &all[i]
		if x.OfTasks {
			if t, _ := x.Task(b.Program); t >= 0 {
				followed[t], some = true, true
			}
			continue
		}
		if x.Region >= len(b.Program.Regions) { // work under a lock
			continue
		}
		makes := func(lane []profile.ExecutionPart) bool {
			return slices.ContainsFunc(lane, func(p profile.ExecutionPart) bool { return p.Entry >= 0 && all[p.Entry].OfTasks })
		}
		switch reg := &b.Program.Regions[x.Region]; {
		case x.Loop && len(x.Lanes) > 0 && reg.Constructs[x.Construct].Loop.Ordered && makes(x.Lanes[0]):
			add(&inTurn, reg.Constructs[x.Construct].LoopName())
		case !x.Loop && within[i] && slices.ContainsFunc(x.Lanes, makes):
			add(&inRegions, reg.Name)
		}
	}
	var notes, none []string
	ran := tasksRan(b)
	for t, yes := range followed {
		if !yes && ran[t] {
			none = append(none, b.Program.Tasks[t].Name)
		}
	}
	if some {
		how := ""
		if slices.ContainsFunc(b.Program.Tasks, func(t ir.Task) bool { return t.Untied }) {
			how += "; untied ones go on where they began"
		}
		if slices.ContainsFunc(b.Program.Tasks, func(t ir.Task) bool { return t.Priority }) {
			how += "; priorities count for nothing, as in the library where OMP_MAX_TASK_PRIORITY is not set"
		}
		notes = append(notes, "tasks: EB plays them as LLVM's OpenMP library schedules them, with a fixed order of stealing"+how+"; other techniques take each to run where it is made")
	}
	if none != nil {
		notes = append(notes, fmt.Sprintf("%s: no task of these is followed, as no single, master or section of a region makes them, or a final task does: they count as work of what is around them", listed(none, 4)))
	}
	if inTurn != nil {
		notes = append(notes, listed(inTurn, 4)+": as its iterations make tasks, threads come to their ordered parts one at a time, but in any order")
	}
	if inRegions != nil {
		notes = append(notes, InnerTasksNote(inRegions))
	}
	return notes
}

// InnerTasksNote says what becomes of the tasks that regions inside of others make.
func InnerTasksNote(regions []string) string {
	return listed(regions, 4) + ": executed inside of another region, where its tasks run where they are made if that one is on several processors, as in the library unless OMP_MAX_ACTIVE_LEVELS allows for teams within teams"
}

// Stealing is in how many orders of stealing programs with tasks are played beside the fixed one, at most.
const Stealing = 64

// StealingNote says how far the time of a mapping reaches over these orders, "" where that is
// less than a hundredth.
func StealingNote(name string, processors int, least, most float64) string {
	if most < 1.01 && least > 0.99 {
		return ""
	}
	return fmt.Sprintf("few tasks decide: in other orders of stealing, which is chance in LLVM's library, and with times that vary by some cycles, %s on %s takes %.3f to %.3f times as long by EB, which are those that were tried: replay may lie outside, the further the fewer cycles tasks take", name, Count(processors, "processor"), least, most)
}

// tasksRan tells which tasks were executed at all.
func tasksRan(b *profile.Bundle) []bool {
	ran := make([]bool, len(b.Program.Tasks))
	for i, f := range b.Program.Funcs {
		if b.Funcs[i] == nil {
			continue
		}
		var counts []uint64
		for k, block := range f.Blocks {
			if m := block.TaskMark; m != nil && m.Kind == ir.TaskBegin {
				if counts == nil {
					counts = b.Funcs[i].BlockCounts(len(f.Blocks))
				}
				ran[m.Construct] = ran[m.Construct] || counts[k] > 0
			}
		}
	}
	return ran
}

// noWaitNotes tells where threads go on to the next construct, and which estimates have them
// wait for each other.
func noWaitNotes(b *profile.Bundle) []string {
	const most = 4
	notes := WaitingNotes(b.Program)
	on := noWaits(b.Program, true)
	switch {
	case on == nil:
	case b.Executions != nil && keepsStreaks(b):
		notes = append(notes, listed(on, most)+": estimated execution by execution (EB), not by paths, averages or maxima, for which threads wait behind the construct")
	case b.Executions != nil:
		notes = append(notes, listed(on, most)+": estimated as if threads waited for each other behind the construct, which takes no less time, as an earlier version made the bundle: profile again")
	default:
		notes = append(notes, listed(on, most)+": estimated as if threads waited for each other behind the construct, which takes no less time, as the bundle keeps no executions")
	}
	return notes
}

// keepsStreaks reports whether a bundle with executions tells of constructs together between which
// threads go on: those of earlier versions do not. Where none ran there is nothing to tell.
func keepsStreaks(b *profile.Bundle) bool {
	ran := false
	for i := range b.Executions.Entries {
		x := &b.Executions.Entries[i]
		if x.Region == b.Program.StreakRegion() {
			return true
		}
		if x.Region >= len(b.Program.Regions) {
			continue
		}
		// Behind the last construct are ends of iterations.
		if r := &b.Program.Regions[x.Region]; x.Construct < len(r.Constructs) {
			_, n := r.Together(x.Construct)
			ran = ran || n > 1
		}
	}
	return !ran
}

// WaitingNotes tells where threads could go on to the next construct, and all estimates, as
// replay, have them wait for each other.
func WaitingNotes(p *ir.Program) []string {
	const most = 4
	places := noWaits(p, false)
	if places == nil {
		return nil
	}
	return []string{listed(places, most) + ": estimated as if threads waited for each other behind the construct, which takes no less time: at what one thread executes while others execute its tasks"}
}

// noWaits lists the constructs before others of their regions behind which threads need not
// wait: those where estimates know that they go on to the next, or those where they do not.
func noWaits(p *ir.Program, goOn bool) []string {
	var places []string
	for i := range p.Regions {
		r := &p.Regions[i]
		for c := range len(r.Constructs) - 1 {
			if first, n := r.Together(c); r.Constructs[c].NoWait && (c+1 < first+n) == goOn {
				places = append(places, fmt.Sprintf("nowait at %s:%d", r.File, r.Constructs[c].Line))
			}
		}
	}
	return places
}

// lockNotes tells which estimates know that threads wait for locks.
func lockNotes(b *profile.Bundle) []string {
	const most = 4
	if len(b.Program.Locks) == 0 || len(b.Program.Regions) == 0 {
		return nil
	}
	var names []string
	for i := range b.Program.Locks {
		if b.Program.Locks[i].Atomic() && !updatesIn(b, i) {
			continue
		}
		names = append(names, b.Program.Locks[i].Name)
	}
	if len(names) == 0 {
		return nil
	}
	if b.Executions == nil {
		return []string{listed(names, most) + ": time spent waiting for another thread is not estimated, as the bundle keeps no executions"}
	}
	return []string{listed(names, most) + ": time spent waiting for another thread is estimated execution by execution (EB), not by paths, averages or maxima"}
}

// updatesIn reports whether something was updated atomically where a profile keeps executions.
func updatesIn(b *profile.Bundle, lock int) bool {
	return b.Executions != nil && slices.ContainsFunc(b.Executions.Entries, func(x profile.Execution) bool {
		return x.Region == b.Program.LockRegion() && x.Construct/ir.LocksOfOne == lock
	})
}

// AssumedSizes notes what calls are priced by sizes that nothing tells.
func AssumedSizes(procs estimate.Processors) (out []string) {
	for _, c := range procs.Costs {
		for _, r := range c.Reasons {
			if strings.Contains(r, "size unknown") {
				if note := r + "; a bundle of profile --memory knows it: replay that"; !slices.Contains(out, note) {
					out = append(out, note)
				}
			}
		}
	}
	return out
}

// ReplayedMemory is what replay says of a mapping on a platform with memory, given whether accesses are played in the order
// of time, whether processors copy, or why memory is left out, if it is.
func ReplayedMemory(mapping string, inTime, copies bool, left error) string {
	switch {
	case left != nil:
		return fmt.Sprintf("memory: of the platform is left out for %s: %v", mapping, left)
	case inTime:
		return fmt.Sprintf("each access under %s goes through the caches of the processor that executes it, in the order of time; those between two events are taken to lie at even distances", mapping)
	}
	all := "each access goes through the caches of the processor that executes it, in the order of the sequential program"
	if copies {
		all += "; what local memories copy is counted in pieces of 16 bytes, and whether it fits there is not asked"
	}
	return all
}

// PlayedInSequence is what replay says of so many executions of regions that had more accesses than can be kept.
func PlayedInSequence(mapping string, executions int) string {
	return fmt.Sprintf("of %d executions of regions the accesses under %s are more than can be kept until they end (512 MiB of events): those are played in the order of the sequential program, in which lines that go back and forth between processors are lost once", executions, mapping)
}

// MemoryNotes tells what estimates on a platform make of its memory.
func MemoryNotes(e *estimate.Estimator) []string {
	h := e.Platform.Hierarchy
	if h == nil {
		return nil
	}
	if !e.KnowsMemory() {
		return []string{"memory: of the platform is left out, as the bundle tells nothing of accesses: profile with --memory"}
	}
	atOnce := ""
	if !e.Contended() {
		atOnce = ", and main memory to serve all at once, as dram: does not tell its bandwidth"
	}
	notes := []string{fmt.Sprintf("accesses that miss the first level of caches are %s of the sequential time on %s; lanes are taken to use their lines in the order of the run%s; what sections and loops of other constructs wrote is taken to lie with all processors alike",
		Percent(e.MissShare(0)), e.Platform.Processors[0].Name, atOnce)}
	if len(h.Local) > 0 {
		var copied, crossed []string
		for p := range e.Platform.Processors {
			switch l := h.LocalOf(p); {
			case l == nil:
			case l.Remote:
				crossed = append(crossed, e.Platform.Processors[p].Name)
			default:
				copied = append(copied, e.Platform.Processors[p].Name)
			}
		}
		if copied != nil {
			notes = append(notes, listedUpTo(copied, 4)+": what sections read of others is copied into the local memory before the first, and what others read of them back behind the last; nothing is copied while they compute")
		}
		if crossed != nil {
			notes = append(notes, listedUpTo(crossed, 4)+": each access of sections to what others use as well crosses the interconnect")
		}
	}
	if !h.Exact() {
		notes = append(notes, fmt.Sprintf("caches with lines of fewer than %d bytes are taken to bring in all lines of %[1]d bytes, which is too often where programs jump", caches.RecordedLine))
	}
	p, stages := e.Bundle.Program, 0
	for i := range p.Pipelines {
		stages += len(p.Pipelines[i].Stages)
	}
	if stages > 0 {
		note := "what stages of a pipeline read of each other lies with the processors that executed these on the same item, as much for each item as on average; profile --flow with --memory tells how much of which item each reads"
		if b := e.Bundle; flow.StagesTraced(b) && b.Flow.Sized() {
			note = "what stages of a pipeline read of each other lies with the processors that executed these, as much and of those items as the flow of data has it; of a loop that ran several times on average by item"
		}
		notes = append(append(notes, note), besideNotes(e.Bundle)...)
	}
	if len(p.Tasks) > stages {
		notes = append(notes, "what tasks read of others lies where these ran before, of tasks with one maker where all of them did; each reads as much as those of its place do on average")
	}
	return notes
}

// gaps tells of what the counts miss.
func gaps(b *profile.Bundle) []string {
	notes := append(b.KeptNotes(), lostNotes(b)...)
	for i := range b.Provenance.Foreign {
		f := &b.Provenance.Foreign[i]
		note := fmt.Sprintf("not profiled: %s, %s of code", f.Name, Count(int(f.Bytes), "byte"))
		if f.Of > 0 {
			note += fmt.Sprintf(" (%s of the program's)", Percent(float64(f.Bytes)/float64(f.Of)))
		}
		if n := b.ForeignCalls(f); n > 0 {
			note += ", called " + Times(n) + " by what was"
		}
		if f.Why != "" {
			note += "; " + f.Why
		}
		notes = append(notes, note)
	}
	return notes
}

// ConstructNotes returns a bundle's own notes. Those that say the same of several
// constructs are one; inspect lists all places.
func ConstructNotes(all []string) []string {
	const most = 4
	var notes []string
	places := map[string][]string{} // by what is done there
	for _, n := range all {
		u, ok := ir.ParseUnmodelled(n)
		if !ok {
			notes = append(notes, n)
			continue
		}
		if places[u.Done] == nil {
			notes = append(notes, u.Done)
		}
		places[u.Done] = append(places[u.Done], u.Construct+" at "+u.Place)
	}
	for i, n := range notes {
		if all := places[n]; all != nil {
			notes[i] = listed(all, most) + ": " + n
		}
	}
	return notes
}

// listed names the first of many things that inspect lists in full.
func listed(all []string, most int) string {
	if len(all) <= most {
		return strings.Join(all, ", ")
	}
	return listedUpTo(all, most) + ", which pathspan inspect lists"
}

// listedUpTo names the first of many things and says how many more there are.
func listedUpTo(all []string, most int) string {
	if len(all) <= most {
		return strings.Join(all, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(all[:most], ", "), len(all)-most)
}

// lostNotes names the functions of which the counts miss activations, those with most first.
func lostNotes(b *profile.Bundle) []string {
	const most = 3
	lost := slices.Clone(b.Lost)
	slices.SortStableFunc(lost, func(x, y profile.Lost) int { return cmp.Compare(y.Activations, x.Activations) })
	var notes []string
	for i, l := range lost {
		if i == most {
			var n uint64
			for _, more := range lost[i:] {
				n += more.Activations
			}
			notes = append(notes, fmt.Sprintf("so are %s of %s more", countBig(n, "activation"), Count(len(lost)-i, "function")))
			break
		}
		f := b.Program.Funcs[l.Func]
		notes = append(notes, fmt.Sprintf("%s of %s (%s) are missing in the counts: the program ended in a signal or while other threads ran, or control left them where no record could be kept",
			countBig(l.Activations, "activation"), Demangled(f.Shown()), b.Program.LocString(f.Loc)))
	}
	return notes
}

// printNotes ends a text with what should be known beside it.
func printNotes(w io.Writer, notes []string) {
	for _, n := range notes {
		fmt.Fprintf(w, "note: %s\n", Demangled(n))
	}
}
