package page_test

// This file looks at pipelines over time in a browser.

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"pathspan/mapping"
	"pathspan/report/document"
	programs "pathspan/testdata/profiled"
)

// coursePage is a page of the radio receiver, and what it is made of.
func coursePage(t *testing.T, items string) ([]byte, *document.Document) {
	t.Helper()
	b := programs.Program{Source: "../../testdata/pipelines/radio.c", Plan: "../../testdata/pipelines/radio.plan.yaml", Args: []string{items}}.Bundle(t)
	d := profiled{name: "radio.pspan", bundle: b, folders: []string{"../../testdata/pipelines"}}.document(t, mapping.Homogeneous(4, "arm922t"))
	if len(d.Pipelines) != 1 || d.Pipelines[0].Course == nil {
		t.Fatalf("%+v", d.Pipelines)
	}
	return written(t, d), d
}

func testCourses(t *testing.T, b *browser) {
	const bars, things = `document.querySelectorAll(".course .bar:not(.hit)").length`, `document.querySelectorAll(".course g[role=button]").length`
	page, d := coursePage(t, "60")
	c := d.Pipelines[0].Course
	for scheme, width := range map[string]int64{"light": 360, "dark": 1200} {
		x := b.open(t, page, width, 800, media("prefers-color-scheme", scheme))
		x.until(`document.querySelector(".course svg .mean") !== null`)
		if n := eval[int](x, things); n != 11 { // six stages, five buffers
			t.Errorf("%d things are drawn of the whole run", n)
		}
		if n := eval[int](x, `document.querySelectorAll(".course .depth").length`); n != 5 {
			t.Errorf("%d depths are drawn", n)
		}
		for i := range c.Windows {
			x.focus("#course-0 select")
			x.key(kb.ArrowDown)
			x.until(fmt.Sprintf(bars+" === %d", len(c.Windows[i].Executions)))
			if got := eval[[]string](x, contrastOfCourses); len(got) > 0 {
				t.Errorf("%s at %d, part %s: %q", scheme, width, c.Windows[i].Part, got)
			}
		}
		if eval[int](x, `document.querySelectorAll(".course text.on").length`) == 0 && width > 1000 {
			t.Error("no execution has its number")
		}
		if n := eval[int](x, `document.documentElement.scrollWidth`); n > int(width) {
			t.Errorf("the page is %d wide in %d", n, width)
		}
		x.focus(".course g[tabindex='0']")
		for range 3 {
			x.key(kb.ArrowRight)
			label := eval[string](x, `document.activeElement.getAttribute("aria-label")`)
			if got := eval[string](x, `document.querySelector("#course-0 .readout").textContent`); got != label || !strings.Contains(got, "receive") {
				t.Errorf("%q is read as %q", label, got)
			}
		}
	}
	short, d := coursePage(t, "8")
	x := b.open(t, short, 1000, 800, media("prefers-color-scheme", "light"))
	x.until(fmt.Sprintf(bars+" === %d", len(d.Pipelines[0].Course.Windows[0].Executions)))
	if n := eval[int](x, `document.querySelectorAll("#course-0 option").length`); n != 1 {
		t.Errorf("a short run has %d choices", n)
	}
	x.do(chromedp.Evaluate[chromedp.Void](`document.querySelectorAll("#pipelines details").forEach(d => { d.open = true; })`))
	if text := eval[string](x, `document.querySelector("#pipelines pre").textContent`); text != document.CourseText(d.Pipelines[0]) || strings.Count(text, "\n") != 12 {
		t.Errorf("as text it is %s", text)
	}
}

// contrastOfCourses lists texts of the drawing that are cut or hard to read.
const contrastOfCourses = `(() => {
  const bad = [];
  for (const chart of document.querySelectorAll(".course svg")) {
    const frame = chart.getBoundingClientRect();
    for (const text of chart.querySelectorAll("text")) {
      const at = text.getBoundingClientRect();
      if (at.left < frame.left - 1 || at.right > frame.right + 1) bad.push("cut: " + text.textContent);
    }
    for (const bar of chart.querySelectorAll(".bar")) {
      const at = bar.getBoundingClientRect();
      if (!(at.width > 0) || at.left < frame.left - 1 || at.right > frame.right + 1) bad.push("a bar from " + at.left + " to " + at.right);
    }
  }
  return bad.concat(` + contrastScript + `.bad);
})()`
