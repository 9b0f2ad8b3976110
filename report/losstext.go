package report

// This file shows people why a mapping is not faster.

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"text/tabwriter"

	"pathspan/ir"
)

// Text writes the account: a line for each kind of loss, then the places of each,
// at most limit of them, all when limit is 0; then what the other techniques overlook.
func (l *Losses) Text(out io.Writer, limit int) error {
	w := bufio.NewWriter(out)
	fmt.Fprintf(w, "%s, function %s, model %s, mapping %s\n\n", l.Bundle, Demangled(l.Function), strings.Join(l.Models, ", "), l.Mapping)
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(tw, "cycles\tof the time\tspeed-up\t\n")
	fmt.Fprintf(tw, "%s\t%s\t%.2f\t  ideal: %s\n", Cycles(l.IdealCycles), l.Part(l.IdealCycles), l.IdealSpeedup, idealText(l))
	for i := range l.Losses {
		x := &l.Losses[i]
		if x.Cycles == 0 { // nothing of that kind, or no model of it
			continue
		}
		fmt.Fprintf(tw, "%s\t%s\t%s\t  %s\n", Signed(x.Cycles), SignedShare(x.Share), Lost(x.Speedup), x.Text)
	}
	without := ""
	if left := l.Unmodeled(); left != nil {
		without = ", without " + strings.Join(left, " and ")
	}
	fmt.Fprintf(tw, "%s\t%s\t%.2f\t  predicted%s\n", Cycles(l.ParallelCycles), l.Part(l.ParallelCycles), l.Speedup, without)
	tw.Flush()
	if next := l.next(); next != "" {
		fmt.Fprintf(w, "\n%s\n", next)
	}
	for i := range l.Losses {
		printLoss(w, &l.Losses[i], limit)
	}
	for i := range l.Pipelines {
		h := &l.Pipelines[i]
		fmt.Fprintf(w, "\npipeline %s: %s\n%s\n%s\n", h.Name, h.pace, h.limits, h.Advice)
	}
	printGap(w, l, limit)
	printNotes(w, l.Notes)
	return w.Flush()
}

// Part renders cycles as a share of the parallel time.
func (l *Losses) Part(cycles float64) string {
	if l.ParallelCycles > 0 {
		return Percent(cycles / l.ParallelCycles)
	}
	return Percent(1)
}

// Names lists the processors that take part.
func (l *Losses) Names() []string {
	var names []string
	for _, p := range l.Processors {
		names = append(names, p.Name)
	}
	return names
}

func idealText(l *Losses) string {
	names := l.Names()
	if !slices.ContainsFunc(l.Processors, func(p LossProcessor) bool { return math.Abs(p.Speed-1) >= 1e-9 }) {
		return fmt.Sprintf("the work of %s shared evenly", strings.Join(names, ", "))
	}
	for i, p := range l.Processors {
		names[i] = fmt.Sprintf("%s (speed %.2f)", p.Name, p.Speed)
	}
	return fmt.Sprintf("the work shared by %s", strings.Join(names, ", "))
}

// leastShare is the share of the time below which places are listed only when all are asked for.
const leastShare = 0.0005

// printLoss lists the places of a loss.
func printLoss(w io.Writer, l *Loss, limit int) {
	if len(l.Items) == 0 || l.Cycles == 0 || limit > 0 && math.Abs(l.Share) < leastShare {
		return
	}
	fmt.Fprintf(w, "\n%s:\n", l.Text)
	for i := range l.Items {
		if limit > 0 && (i == limit || i > 0 && math.Abs(l.Items[i].Share) < leastShare) {
			rest := 0.0
			for _, x := range l.Items[i:] {
				rest += x.Share
			}
			fmt.Fprintf(w, "  %7s  %s\n", SignedShare(rest), Count(len(l.Items)-i, "more place"))
			return
		}
		x := &l.Items[i]
		fmt.Fprintf(w, "  %7s  %s", SignedShare(x.Share), ir.RegionLabel(x.Place, x.At))
		switch {
		case x.Inside != "":
			fmt.Fprintf(w, " in %s", Demangled(x.Inside))
		case x.Sec != "" && (l.Kind == "imbalance" || l.Kind == "nested-serial"):
			fmt.Fprintf(w, ", for %s", SectionText(x.Sec, x.Line))
		case x.Sec != "":
			fmt.Fprintf(w, ", %s", SectionText(x.Sec, x.Line))
		}
		fmt.Fprintln(w)
	}
}

// SectionText is "section 2 (line 61)" for a section's name and line.
func SectionText(name string, line int) string {
	text := ir.SectionLabel(name)
	if line > 0 {
		text += fmt.Sprintf(" (line %d)", line)
	}
	return text
}

// noGap is the relative difference below which a technique overlooks nothing.
const noGap = 1e-6

// Varies reports that average or maximal task times overlook something of the region.
func (r *LossGapRegion) Varies() bool {
	return len(r.Classes) > 1 && (r.Cycles-r.AverageCycles >= noGap*r.Cycles || r.MaximalCycles-r.Cycles >= noGap*r.Cycles)
}

// Predictions says what the account's technique and the others predict.
func (l *Losses) Predictions() string {
	text := fmt.Sprintf("%s predicts %.2f", Title(l.Technique), l.Speedup)
	for _, p := range l.Gap.Others {
		text += fmt.Sprintf(", %s %.2f", Title(p.Technique), p.Speedup)
	}
	return text
}

// printGap says what average and maximal times overlook.
func printGap(w io.Writer, l *Losses, limit int) {
	g := &l.Gap
	techniques := []string{l.Technique}
	for _, p := range g.Others {
		techniques = append(techniques, p.Technique)
	}
	fmt.Fprintf(w, "\n%s (%s).\n", l.Predictions(), Legend(techniques))
	shown := 0
	for i := range g.Regions {
		r := &g.Regions[i]
		if !r.Varies() {
			continue
		}
		if shown++; shown > limit && limit > 0 {
			fmt.Fprintf(w, "--items 0 shows more regions.\n")
			return
		}
		fmt.Fprintf(w, "%s takes %s cycles, %s with average task times, %s with the largest:\n", ir.RegionLabel(r.Region, r.Line), Cycles(r.Cycles), Cycles(r.AverageCycles), Cycles(r.MaximalCycles))
		for _, s := range r.Sections {
			fmt.Fprintf(w, "  %s takes %s to %s cycles, %s on average\n", SectionText(s.Section, s.Line), Cycles(s.Least), Cycles(s.Greatest), Cycles(s.Mean))
		}
		for k, c := range r.Classes {
			if k == limit && limit > 0 {
				fmt.Fprintf(w, "  and other classes: %d\n", len(r.Classes)-k)
				break
			}
			fmt.Fprintf(w, "  %6s of executions: %s (%s cycles)\n", Percent(c.Share), c.Text(), Cycles(c.Cycles))
		}
	}
	if shown == 0 {
		fmt.Fprintln(w, l.NothingVaries())
	}
}

// NothingVaries says what it means that no section takes another time from one execution of
// its region to the next.
func (l *Losses) NothingVaries() string {
	if slices.ContainsFunc(l.Gap.Others, func(p Prediction) bool { return math.Abs(p.Speedup-l.Speedup) > Parted*l.Speedup }) {
		if l.Gap.Tasks {
			return "No region's sections vary from one execution to the next. Techniques differ all the same: executions have threads run tasks beside each other, paths and averages take each to run where it is made."
		}
		return "No region's sections vary from one execution to the next. Techniques differ all the same: paths and averages charge a call what the function costs on average, whoever calls it."
	}
	return "No region's sections vary, so averages and maxima overlook nothing there."
}

// Text says which sections are long together: "sections 1, 3 long, section 2 short".
func (c *LossGapClass) Text() string {
	var parts []string
	for _, p := range []struct {
		names []string
		what  string
	}{{c.Long, "long"}, {c.Short, "short"}} {
		var numbers, threads []string
		for _, s := range p.names {
			if label := ir.SectionLabel(s); strings.HasPrefix(label, "loop") {
				threads = append(threads, label+" "+p.what)
			} else {
				numbers = append(numbers, SectionNumber(s))
			}
		}
		if len(numbers) > 0 {
			noun := "sections"
			if len(numbers) == 1 {
				noun = "section"
			}
			parts = append(parts, fmt.Sprintf("%s %s %s", noun, strings.Join(numbers, ", "), p.what))
		}
		parts = append(parts, threads...)
	}
	return strings.Join(parts, ", ")
}
