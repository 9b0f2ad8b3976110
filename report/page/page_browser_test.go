package page_test

// This file tries the page in a browser: everything that it shows and answers to.

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"pathspan/mapping"
	"pathspan/report"
)

// TestBrowser tries the page in one browser for all its parts.
func TestBrowser(t *testing.T) {
	b := startBrowser(t)
	fun0 := committed(t, "fun0a.pspan")
	page := written(t, fun0.document(t, mapping.Homogeneous(2, "")))
	t.Run("sliders", func(t *testing.T) {
		t.Run("fun0", func(t *testing.T) { testSliders(t, b, fun0, equalClocks, unequalClocks) })
		t.Run("nested", func(t *testing.T) { testSliders(t, b, recorded(t, "openmp/nested.c"), unequalClocks) })
		t.Run("recursive", func(t *testing.T) { testSliders(t, b, recorded(t, "openmp/recursive_region.c"), unequalClocks) })
		t.Run("susan", func(t *testing.T) {
			testSliders(t, b, recorded(t, "susan/susan.c", "6", "alternate"), equalClocks, unequalClocks)
		})
		t.Run("old figures", func(t *testing.T) { testStale(t, b) })
		t.Run("wrong values", func(t *testing.T) { testWrongValues(t, b, fun0) })
	})
	x := b.open(t, page, 1000, 800)
	x.drawn()
	t.Run("numbers", func(t *testing.T) { testNumbers(x.as(t)) })
	t.Run("names", func(t *testing.T) { testNames(x.as(t)) })
	t.Run("tab order", func(t *testing.T) { testTabOrder(x.as(t)) })
	t.Run("curve", func(t *testing.T) { testCurve(x.as(t)) })
	t.Run("paths", func(t *testing.T) { testPathSource(x.as(t)) })
	t.Run("gantt", func(t *testing.T) { testGantt(x.as(t)) })
	t.Run("pipelines", func(t *testing.T) { testCourses(t, b) })
	t.Run("graph", func(t *testing.T) { testGraph(x.as(t)) })
	t.Run("phone", func(t *testing.T) {
		testPhone(t, b, page, 360, 320)
		d := fun0.document(t, mapping.Homogeneous(2, ""))
		d.Losses.IdealCycles, d.Losses.ParallelCycles = d.Losses.IdealCycles*1e9, d.Losses.ParallelCycles*1e9 // wide tables
		testPhone(t, b, written(t, d), 360)
	})
	t.Run("widths", func(t *testing.T) { testWidths(t, b) })
	t.Run("looks", func(t *testing.T) { testLooks(t, b, page) })
	t.Run("without scripts", func(t *testing.T) { testWithoutScripts(t, b, page) })
	t.Run("hostile source", func(t *testing.T) { testHostileSource(t, b, fun0) })
}

// drawn waits for the charts.
func (x *tab) drawn() {
	x.Helper()
	x.until(`["#curve svg", "#gantt svg", ".graph .node[role=button]"].every(s => document.querySelector(s) !== null)`)
}

// testNumbers holds the script's rendering of numbers against the command line's.
func testNumbers(x *tab) {
	script, err := os.ReadFile("js/format.js")
	if err != nil {
		x.Fatal(err)
	}
	values := []float64{0, 0.125, 0.375, 2.5, 1.005, 0.0005, 1e-9, 0.0625, 0.9999999, 1, 999.9995, 123456.75, 1234567.5, 0.05, 0.04999, 1e10, 9.8765e17, 1e18, 1.2345e18, 1.2355e18, 1.23456e18}
	r := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		values = append(values, math.Exp(r.Float64()*40-20), float64(r.IntN(100000))/64)
	}
	var list []string
	for _, v := range values {
		list = append(list, fmt.Sprintf("%.17g", v))
	}
	got := eval[[][]string](x, string(script)+`;[`+strings.Join(list, ",")+`].map(v => [secondsText(v), cyclesText(v), speedupText(v), percentText(v), microsText(v)])`)
	for i, v := range values {
		want := []string{report.Seconds(v), report.Cycles(v), fmt.Sprintf("%.2f", v), report.Percent(v), microsWanted(v)}
		for k := range want {
			if got[i][k] != want[k] {
				x.Errorf("%g, rendering %d: the page writes %q, the command line %q", v, k, got[i][k], want[k])
			}
		}
	}
}

// microsWanted renders seconds as microseconds.
func microsWanted(s float64) string {
	if s*1e6 >= report.LongCount {
		return fmt.Sprintf("%.3e", s*1e6)
	}
	return grouped(fmt.Sprintf("%.3f", s*1e6))
}

func (x *tab) focus(selector string) {
	x.Helper()
	x.do(chromedp.Focus(chromedp.CSS(selector)))
}

func (x *tab) key(keys ...string) {
	x.Helper()
	for _, k := range keys {
		x.do(chromedp.KeyEvent(k))
	}
}

func (x *tab) viewBox() [4]float64 {
	x.Helper()
	v := eval[[]float64](x, `(b => [b.x, b.y, b.width, b.height])(document.querySelector(".graph svg").viewBox.baseVal)`)
	return [4]float64(v)
}

// marked returns the panel's title and the numbers of the marked lines, "" when it is closed.
func (x *tab) marked() string {
	x.Helper()
	return eval[string](x, `document.getElementById("source-panel").hasAttribute("open") ?
		document.getElementById("source-title").textContent + " marks " + [...document.querySelectorAll("#source-text .marked")].map(d => d.dataset.number).join(" ") : ""`)
}

func testGraph(x *tab) {
	x.focus(".graph")
	at := x.viewBox()
	moved := func(what string, right func(a, b [4]float64) bool) {
		x.Helper()
		now := x.viewBox()
		if !right(at, now) {
			x.Errorf("%s: the view goes from %v to %v", what, at, now)
		}
		at = now
	}
	x.key(kb.ArrowRight)
	moved("arrow right", func(a, b [4]float64) bool { return b[0] > a[0] && b[1] == a[1] && b[2] == a[2] })
	x.key(kb.ArrowDown)
	moved("arrow down", func(a, b [4]float64) bool { return b[1] > a[1] && b[0] == a[0] })
	x.key("+")
	moved("+", func(a, b [4]float64) bool { return b[2] < a[2] && b[3] < a[3] })
	x.key("-")
	moved("-", func(a, b [4]float64) bool { return b[2] > a[2] })
	x.do(chromedp.Click(chromedp.CSS("[data-act=in]")))
	moved("larger", func(a, b [4]float64) bool { return b[2] < a[2] })
	x.do(chromedp.Click(chromedp.CSS("[data-act=out]")))
	moved("smaller", func(a, b [4]float64) bool { return b[2] > a[2] })
	x.focus(".graph")
	box := eval[[]float64](x, `(document.querySelector(".graph").scrollIntoView({block: "center", behavior: "instant"}), (b => [b.x, b.y, b.width, b.height])(document.querySelector(".graph").getBoundingClientRect()))`)
	cx, cy := box[0]+box[2]-30, box[1]+box[3]-30
	x.do(wheel(cx, cy, -120))
	moved("wheel", func(a, b [4]float64) bool { return b[2] < a[2] })
	x.do(drag(cx, cy, cx-80, cy-50))
	moved("drag", func(a, b [4]float64) bool { return b[0] > a[0] && b[1] > a[1] && b[2] == a[2] })
	x.do(pinch(box[0]+box[2]/2, box[1]+box[3]/2))
	moved("pinch", func(a, b [4]float64) bool { return b[2] < a[2] })
	if got := x.marked(); got != "" {
		x.Errorf("moving the graph shows source: %s", got)
	}
	x.do(chromedp.Click(chromedp.CSS("[data-act=fit]")))
	moved("whole graph", func(a, b [4]float64) bool { return b[2] > a[2] })

	// A click on a task shows its lines; Escape closes the panel.
	want := eval[string](x, `(n => n.dataset.file + ":" + n.dataset.line)(document.querySelector(".graph .node[data-line]"))`)
	first := want[strings.LastIndexByte(want, ':')+1:]
	spot := eval[[]float64](x, `(b => [b.x + b.width / 2, b.y + b.height / 2])(document.querySelector(".graph .node[data-line] .shape").getBoundingClientRect())`)
	x.do(chromedp.MouseClickXY(spot[0], spot[1]))
	if got := x.marked(); !strings.HasPrefix(got, want) || !strings.Contains(got+" ", " marks "+first+" ") {
		x.Errorf("a click on a task shows %q, want %s", got, want)
	}
	x.key(kb.Escape)
	if got := x.marked(); got != "" {
		x.Errorf("after Escape the panel still shows %q", got)
	}
	// So does Enter on a task that arrow keys went to.
	x.focus(".graph .node[tabindex='0']")
	x.key(kb.ArrowDown)
	want = eval[string](x, `document.activeElement.dataset.line`)
	x.key(kb.Enter)
	if got := x.marked(); want == "" || !strings.Contains(got+" ", " marks "+want+" ") {
		x.Errorf("Enter on a task of line %s shows %q", want, got)
	}
	if text := eval[string](x, `document.querySelector("#source-text .marked").textContent`); len(strings.TrimSpace(text)) <= len(want) {
		x.Errorf("line %s is shown as %q", want, text)
	}
	x.key(kb.Escape)
	if !eval[bool](x, `document.activeElement.matches(".graph .node")`) {
		x.Error("after Escape the focus is not back on the task")
	}
}

func testGantt(x *tab) {
	name := func() string { return eval[string](x, `document.querySelector("#gantt title").textContent`) }
	all := name()
	x.focus("#gantt-path")
	x.key(kb.ArrowDown)
	x.until(fmt.Sprintf(`document.querySelector("#gantt title").textContent !== %q`, all))
	one := name()
	x.do(chromedp.Click(chromedp.CSS("#gantt-back")))
	if got := name(); got != all {
		x.Errorf("the previous path of %q is %q", one, got)
	}
	x.do(chromedp.Click(chromedp.CSS("#gantt-next")))
	if got := name(); got != one {
		x.Errorf("the next path of %q is %q, want %q", all, got, one)
	}
	bars := eval[int](x, `document.querySelectorAll("#gantt g[role=button]").length`)
	if bars < 3 {
		x.Fatalf("the chart has %d bars", bars)
	}
	if texts := eval[[]string](x, `[...document.querySelectorAll("#gantt text.on")].map(t => t.textContent)`); len(texts) < 2 {
		x.Errorf("bars carry the texts %q", texts)
	}
	x.focus("#gantt g[tabindex='0']")
	seen := map[string]bool{}
	for range bars {
		label := eval[string](x, `document.activeElement.getAttribute("aria-label")`)
		if got := eval[string](x, `document.getElementById("gantt-readout").textContent`); got != label {
			x.Errorf("the bar %q is read as %q", label, got)
		}
		seen[label] = true
		if line := eval[string](x, `document.activeElement.dataset.line || ""`); line != "" {
			x.key(kb.Enter)
			if got := x.marked(); !strings.HasSuffix(got, " marks "+line) {
				x.Errorf("Enter on %q shows %q", label, got)
			}
			x.key(kb.Escape)
		}
		x.key(kb.ArrowRight)
	}
	if len(seen) != bars {
		x.Errorf("arrow keys reach %d of %d bars: %v", len(seen), bars, seen)
	}
	x.do(chromedp.Evaluate[chromedp.Void](`(s => { s.value = "cycles"; s.dispatchEvent(new Event("change")); })(document.getElementById("gantt-unit"))`))
	if got := eval[string](x, `document.querySelector("#gantt g[role=button]").getAttribute("aria-label")`); !strings.Contains(got, "cycles") {
		x.Errorf("in cycles a bar is %q", got)
	}
}

func testCurve(x *tab) {
	x.focus("#curve svg")
	x.key(kb.Home)
	first := eval[string](x, `document.getElementById("curve-readout").textContent`)
	if !strings.HasPrefix(first, "1 processor: ") || !strings.Contains(first, "PB 1.00") || !strings.Contains(first, "Amdahl") {
		x.Errorf("the first point reads %q", first)
	}
	x.key(kb.ArrowRight)
	if got := eval[string](x, `document.getElementById("curve-readout").textContent`); !strings.HasPrefix(got, "2 processors: ") {
		x.Errorf("the second point reads %q", got)
	}
	spot := eval[[]float64](x, `(document.getElementById("curve").scrollIntoView({block: "center", behavior: "instant"}), (b => [b.right - 16, b.y + b.height / 2])(document.querySelector("#curve svg").getBoundingClientRect()))`)
	x.do(hover(spot[0], spot[1]))
	if got := eval[string](x, `document.getElementById("curve-readout").textContent`); !strings.HasPrefix(got, "8 processors: ") {
		x.Errorf("at the right end the chart reads %q", got)
	}
}

func testPathSource(x *tab) {
	lines := eval[string](x, `document.querySelector(".paths [data-lines]").dataset.lines`)
	x.do(chromedp.Click(chromedp.CSS(".paths [data-lines]")))
	got := x.marked()
	_, numbers, _ := strings.Cut(got, " marks ")
	var want []string
	for _, s := range strings.Split(lines, ", ") {
		var a, z int
		if n, _ := fmt.Sscanf(s, "%d-%d", &a, &z); n == 1 {
			z = a
		}
		for ; a <= z; a++ {
			want = append(want, fmt.Sprint(a))
		}
	}
	if numbers != strings.Join(want, " ") {
		x.Errorf("the path of lines %s shows %q", lines, got)
	}
	x.do(chromedp.Click(chromedp.CSS("#source-close")))
	if x.marked() != "" {
		x.Error("the button does not close the panel")
	}
}

// testPhone looks for what is wider than a narrow screen, with everything open.
func testPhone(t *testing.T, b *browser, page []byte, widths ...int64) {
	for _, width := range widths {
		x := b.open(t, page, width, 740)
		x.drawn()
		x.do(chromedp.Evaluate[chromedp.Void](`document.querySelectorAll("details").forEach(d => { d.open = true; })`))
		if got := eval[int64](x, `document.documentElement.scrollWidth`); got > width {
			wide := eval[[]string](x, `[...document.body.querySelectorAll("*")].filter(e => e.getBoundingClientRect().right > innerWidth + 1 && !e.closest(".scroll, svg, .contents, .source-panel")).map(e => e.tagName + "#" + e.id + "." + e.className)`)
			t.Errorf("at %d pixels the page is %d wide: %v", width, got, wide)
		}
		if got := eval[string](x, `document.querySelector("meta[name=viewport]").content`); !strings.Contains(got, "width=device-width") {
			t.Errorf("viewport %q", got)
		}
	}
}

func testWithoutScripts(t *testing.T, b *browser, page []byte) {
	x := b.open(t, page, 800, 600, withoutScripts)
	if eval[bool](x, `document.documentElement.classList.contains("scripted")`) {
		t.Fatal("scripts ran: the test shows nothing")
	}
	if got := eval[[]string](x, `[...document.querySelectorAll(".needs-script")].filter(e => e.offsetParent !== null).map(e => e.id || e.className)`); len(got) > 0 {
		t.Errorf("without scripts the page shows what needs them: %v", got)
	}
	if got := eval[string](x, `document.querySelector("noscript").innerText`); !strings.Contains(got, "Scripts are off") {
		t.Errorf("without scripts the page says %q", got)
	}
	if got := eval[string](x, `document.getElementById("techniques").innerText`); !strings.Contains(got, "PB") {
		t.Errorf("without scripts the table is %q", got)
	}
}

// testHostileSource puts into the document what would end a script or begin a tag.
func testHostileSource(t *testing.T, b *browser, p profiled) {
	d := p.document(t, mapping.Homogeneous(2, ""))
	if len(d.Sources) == 0 || d.Sources[0].Text == "" {
		t.Fatal("the document has no source text")
	}
	line := `/* </script><script>document.title="broken"</script><!-- <script> ]]> & &lt; \u2028 ` + "\u2028\x00" + ` <img src=http://127.0.0.1/x> */`
	d.Sources[0].Text = line + "\n" + d.Sources[0].Text
	d.Bundle = `<b onclick="x">"&amp;'.pspan`
	d.Notes = append(d.Notes, line)
	for i := range d.Graphs {
		for k := range d.Graphs[i].Levels {
			d.Graphs[i].Levels[k].Loop += `<script>document.title="broken"</script>`
		}
	}
	x := b.open(t, written(t, d), 800, 600)
	if got := eval[string](x, `document.title`); !strings.Contains(got, d.Bundle) {
		t.Errorf("the title is %q", got)
	}
	x.do(chromedp.Click(chromedp.CSS(".paths [data-lines]")))
	got := eval[string](x, `document.querySelector("#source-listing [data-number='1']").textContent`)
	if want := "1" + line; got != want {
		t.Errorf("the line is shown as\n%q, want\n%q", got, want)
	}
}
