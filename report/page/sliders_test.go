package page_test

// This file holds the figures that sliders give against those of pathspan estimate.

import (
	"fmt"
	"slices"
	"strconv"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"pathspan/estimate"
	"pathspan/estimate/formula"
	"pathspan/mapping"
	"pathspan/report"
	"pathspan/report/document"
)

// retuned is a platform and what another platform file says of it: the same processors
// and models, other overheads and clocks.
type retuned struct{ name, before, after string }

const header = "schema: pathspan.platform/1\nname: tried\n"

var (
	equalClocks = retuned{"equal clocks", // overheads that eat the gain
		header + "processors:\n  - {name: core, model: arm922t, clock_mhz: 200, count: 2}\noverheads: {create: 50, sync: 10}\n",
		header + "processors:\n  - {name: core, model: arm922t, clock_mhz: 333.5, count: 2}\noverheads: {create: 612.5, sync: 77}\n"}
	unequalClocks = retuned{"unequal clocks", // and models; fast and slow change places
		header + "processors:\n  - {name: big, model: arm922t, clock_mhz: 400}\n  - {name: small, model: generic, clock_mhz: 90, count: 2}\noverheads: {create: 50, sync: 10}\n",
		header + "processors:\n  - {name: big, model: arm922t, clock_mhz: 125}\n  - {name: small, model: generic, clock_mhz: 310, count: 2}\noverheads: {create: 5, sync: 1200}\n"}
)

// testSliders sets the sliders of a page to another platform file's values.
func testSliders(t *testing.T, b *browser, p profiled, all ...retuned) {
	for _, r := range all {
		t.Run(r.name, func(t *testing.T) {
			before, after := platformOf(t, r.before), platformOf(t, r.after)
			d := p.document(t, before)
			if d.Formula == nil || !d.Formula.Has(d.Answer.Technique) {
				t.Fatalf("no formula: %+v", d.Formula)
			}
			x := b.open(t, written(t, d), 1000, 800)
			same := want(t, p, before, d)
			x.figures("before", same)
			for k, in := range d.Formula.Inputs {
				x.type_(fmt.Sprintf("#input-%d", k), valueOn(t, after, in))
			}
			then := want(t, p, after, d)
			stay := 0
			for i := range then {
				fixed := !d.Formula.Has(then[i].technique)
				if fixed {
					then[i] = same[i]
					stay++
				}
				if marked := eval[bool](x, fmt.Sprintf(`document.querySelector("#techniques tr[data-technique='%s']").matches(".fixed")`, then[i].technique)); marked != fixed {
					t.Errorf("%s is marked as the report's: %t", then[i].technique, marked)
				}
			}
			if stay == 0 || stay != len(d.Formula.Fixed) {
				t.Errorf("%d figures stay, want those of %+v", stay, d.Formula.Fixed)
			}
			x.figures("after", then)
			if slices.Equal(same, then) {
				t.Error("the other platform file changes no figure: the test shows nothing")
			}
			if eval[bool](x, `document.getElementById("answer-changed").hidden`) {
				t.Error("the answer does not say that it is for other values")
			}
			if got := eval[float64](x, fmt.Sprintf(`Number(document.querySelector("#curve [data-here=%s]").dataset.value)`, d.Answer.Technique)); fmt.Sprintf("%.2f", got) != then[0].speedup {
				t.Errorf("the chart's point of this platform is at %.4f, want %s", got, then[0].speedup)
			}
			x.do(chromedp.Click(chromedp.CSS("#slider-reset")))
			x.until(`document.getElementById("answer-changed").hidden`)
			x.figures("after the reset", same)
		})
	}
}

// type_ writes a number where a person would.
func (x *tab) type_(input, text string) {
	x.Helper()
	x.do(chromedp.Focus(chromedp.CSS(input)))
	eval[bool](x, `document.activeElement.select() === undefined`)
	x.do(chromedp.KeyEvent(text))
}

// valueOn returns what a platform file says of an input of a formula.
func valueOn(t *testing.T, pl *mapping.Platform, in formula.Input) string {
	t.Helper()
	number := func(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }
	switch in.Kind {
	case formula.Create:
		return number(pl.Create)
	case formula.Sync:
		return number(pl.Sync)
	}
	return number(pl.Processors[pl.Index(in.Processors[0])].ClockMHz)
}

// shown is a row of figures.
type shown struct{ technique, sequential, parallel, time, speedup string }

// want returns the figures that estimate gives on a platform for the techniques of d.
func want(t *testing.T, p profiled, pl *mapping.Platform, d *document.Document) []shown {
	t.Helper()
	e, _, m := p.on(t, pl)
	var all []shown
	for _, known := range d.Answer.Estimates {
		technique, err := estimate.ParseTechnique(known.Technique)
		if err != nil {
			t.Fatal(err)
		}
		r, err := e.Estimate(m, technique)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, shown{
			known.Technique, grouped(fmt.Sprintf("%.3f", r.SequentialSeconds*1e6)), grouped(fmt.Sprintf("%.3f", r.ParallelSeconds*1e6)),
			report.Seconds(r.ParallelSeconds), fmt.Sprintf("%.2f", r.Speedup),
		})
	}
	return all
}

// grouped puts commas into the whole part of a number.
func grouped(text string) string {
	whole := len(text) - 4
	for i := whole - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}

// figures compares what the page shows, in both tables and in the answer.
func (x *tab) figures(when string, all []shown) {
	x.Helper()
	for _, table := range []string{"techniques", "what-if-figures"} {
		for _, w := range all {
			cells := eval[map[string]string](x, fmt.Sprintf(
				`Object.fromEntries([...document.querySelectorAll("#%s tr[data-technique='%s'] [data-of]")].map(c => [c.dataset.of, c.textContent]))`, table, w.technique))
			if got := (shown{w.technique, cells["sequential"], cells["parallel"], cells["time"], cells["speedup"]}); got != w {
				x.Errorf("%s, table %s: %+v, pathspan estimate gives %+v", when, table, got, w)
			}
		}
	}
	answer := eval[[]string](x, `["answer-speedup", "answer-parallel"].map(id => document.getElementById(id).textContent)`)
	if want := []string{all[0].speedup, all[0].time}; !slices.Equal(answer, want) {
		x.Errorf("%s: the answer is %q, want %q", when, answer, want)
	}
}

// testWrongValues types what is no value.
func testWrongValues(t *testing.T, b *browser, p profiled) {
	x := b.open(t, written(t, p.document(t, mapping.Homogeneous(2, ""))), 1000, 800)
	before := eval[string](x, `document.getElementById("techniques").textContent`)
	for _, text := range []string{"-5", kb.Delete} {
		x.type_("#input-0", text)
		if eval[string](x, `document.getElementById("input-0").getAttribute("aria-invalid")`) != "true" {
			t.Errorf("%q is not marked as wrong", text)
		}
		if after := eval[string](x, `document.getElementById("techniques").textContent`); after != before {
			t.Errorf("%q changes figures", text)
		}
	}
	x.type_("#input-0", "50")
	// The slider by keyboard.
	x.do(chromedp.Focus(chromedp.CSS("#input-0-range")), chromedp.KeyEvent(kb.ArrowRight))
	if got := eval[string](x, `document.getElementById("input-0").value`); got != "51" {
		t.Errorf("an arrow key on the slider at 50 gives %s, want 51", got)
	}
}
