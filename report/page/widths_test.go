package page_test

// This file opens reports of real programs as wide as a phone, a tablet and a desk are, and
// looks at what the first sight of them shows.

import (
	"testing"

	"github.com/chromedp/chromedp"

	"pathspan/mapping"
)

// firstSight lists what is wrong when a page was just opened: drawings that begin with a
// cut-out, titles that are cut, boxes whose text runs over.
const firstSight = `(() => {
  const bad = [];
  for (const box of document.querySelectorAll(".graph")) {
    const svg = box.querySelector("svg"), view = svg.viewBox.baseVal, window = box.getBoundingClientRect();
    const entry = [...svg.querySelectorAll(".node")].find(n => n.textContent.trim().endsWith("Entry")), at = entry.getBoundingClientRect();
    if (at.top < window.top - 1 || at.left < window.left - 1 || at.right > window.right + 1 || at.bottom > window.bottom + 1) bad.push("the graph does not begin with its entry");
    const level = svg.querySelector(".group .box-of").getBoundingClientRect();
    if (level.top < window.top - 1) bad.push("the top of the first level is cut");
    if (level.left < window.left - 1 && level.width <= window.width) bad.push("the left of the first level is cut");
    if (svg.querySelectorAll(".group > text, .node > text, .node tspan").length < 4) bad.push("no titles were seen");
    for (const text of svg.querySelectorAll(".group > text, .node > text, .node tspan")) if (text.textContent.includes("…")) bad.push("cut title: " + text.textContent);
    for (const group of svg.querySelectorAll(".group")) {
      const text = group.querySelector("text"), frame = group.querySelector(".box-of");
      if (text && text.getBBox().x + text.getBBox().width > frame.getBBox().x + frame.getBBox().width) bad.push("title wider than its box: " + text.textContent);
    }
    for (const node of svg.querySelectorAll(".node")) {
      const shape = node.querySelector(".shape");
      for (const text of node.querySelectorAll("text")) if (shape && text.getBBox().width > shape.getBBox().width) bad.push("text wider than its task: " + text.textContent);
    }
  }
  for (const chart of document.querySelectorAll("#gantt svg, #curve svg")) {
    const frame = chart.getBoundingClientRect();
    for (const text of chart.querySelectorAll("text")) {
      const at = text.getBoundingClientRect();
      if (at.left < frame.left - 1 || at.right > frame.right + 1) bad.push("cut in a chart: " + text.textContent);
    }
  }
  for (const e of document.querySelectorAll("main :is(h1, h2, h3, p, dd, dt, summary, button, legend, label):not(.hidden-text)")) {
    if (e.getClientRects().length && e.scrollWidth > e.clientWidth + 1 && getComputedStyle(e).overflowX === "hidden" && !e.title) bad.push("cut: " + e.textContent.slice(0, 60));
  }
  if (document.documentElement.scrollWidth > innerWidth) bad.push("the page is " + document.documentElement.scrollWidth + " wide");
  if (document.documentElement.scrollTop || [...document.querySelectorAll(".scroll")].some(s => s.scrollLeft)) bad.push("it opens scrolled");
  return bad;
})()`

func testWidths(t *testing.T, b *browser) {
	for _, program := range [][]string{{"susan/susan.c", "6"}, {"openmp/nested.c"}, {"mixer/mixer.cc", "100"}, {"bench/paper/jpeg.c", "small"}} {
		page := written(t, recorded(t, program[0], program[1:]...).document(t, mapping.Homogeneous(4, "arm922t")))
		for _, width := range []int64{360, 800, 1400} {
			x := b.open(t, page, width, 800)
			x.drawn()
			x.until(`document.querySelector("#gantt svg text") !== null`)
			for _, what := range eval[[]string](x, firstSight) {
				t.Errorf("%s at %d pixels: %s", program[0], width, what)
			}
		}
	}
}

// testStale moves a slider: what then holds figures of the report's values says so.
func testStale(t *testing.T, b *browser) {
	x := b.open(t, written(t, recorded(t, "../cmd/pathspan/testdata/figures/sizes.c", "20").document(t, mapping.Homogeneous(2, "arm922t"))), 1000, 800)
	x.drawn()
	const stale = `[...document.querySelectorAll("main > section")].filter(s => s.checkVisibility() && /\d/.test(s.textContent) && ![...s.querySelectorAll(".stale")].some(n => n.checkVisibility())).map(s => s.id)`
	const shown = `[...document.querySelectorAll(".stale")].filter(n => n.checkVisibility()).length`
	if n := eval[int](x, shown); n != 0 {
		t.Errorf("%d notes speak of sliders that nobody moved", n)
	}
	title := eval[string](x, `document.title`)
	x.type_("#input-0", "5000")
	for _, id := range eval[[]string](x, stale) {
		switch id {
		case "answer", "what-if": // follow the sliders
		default:
			t.Errorf("section %s holds figures of the report's values and does not say so", id)
		}
	}
	if got := eval[string](x, `document.title`); got == title {
		t.Errorf("the title is still %q", got)
	}
	if notes := eval[[]string](x, `[...document.querySelectorAll("#answer > .note")].filter(n => n.checkVisibility() && n.id !== "answer-changed" && !n.querySelector(".stale:not([hidden])")).map(n => n.textContent)`); len(notes) > 0 {
		t.Errorf("notes of the answer hold old figures: %q", notes)
	}
	if !eval[bool](x, `document.querySelector("#answer > .note .stale") !== null`) {
		t.Error("the answer has no note with figures: the test shows nothing of it")
	}
	x.do(chromedp.Click(chromedp.CSS("#slider-reset")))
	x.until(`document.getElementById("answer-changed").hidden`)
	if n := eval[int](x, shown); n != 0 || eval[string](x, `document.title`) != title {
		t.Errorf("after the reset %d notes are left, and the title is %q", n, eval[string](x, `document.title`))
	}
}
