package page_test

// This file looks at the page as people with other eyes, or without any, meet it:
// contrast in light and dark, the order of the tab key, names of all that can be used.

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// contrastScript lists text whose contrast is below 4.5, by the definition of WCAG 2: HTML
// text against the nearest background behind it, text in drawings against the page's box
// or, where it stands on one, the shape drawn before it in its group.
const contrastScript = `(() => {
  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const parse = text => {
    canvas.clearRect(0, 0, 1, 1); canvas.fillStyle = text; canvas.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data;
    return [r, g, b, a / 255];
  };
  const over = (top, under) => [0, 1, 2].map(i => top[i] * top[3] + under[i] * (1 - top[3])).concat(1);
  const light = c => {
    const [r, g, b] = c.map(v => v / 255).map(v => v <= .03928 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4);
    return .2126 * r + .7152 * g + .0722 * b;
  };
  const behind = e => {
    const layers = [];
    for (; e; e = e.parentElement) {
      const c = parse(getComputedStyle(e).backgroundColor);
      if (c[3] > 0) layers.push(c);
      if (c[3] === 1) break;
    }
    return layers.reverse().reduce((under, top) => over(top, under), [255, 255, 255, 1]);
  };
  const bad = [];
  let seen = 0;
  const judge = (e, ink, paper, text) => {
    seen++;
    const a = light(over(ink, paper)), b = light(paper), ratio = (Math.max(a, b) + .05) / (Math.min(a, b) + .05);
    if (ratio < 4.5) bad.push(ratio.toFixed(2) + " " + e.tagName + "." + (e.getAttribute("class") || "") + " " + text.trim().slice(0, 30));
  };
  const words = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (words.nextNode()) {
    const e = words.currentNode.parentElement, text = words.currentNode.data;
    if (!text.trim() || !e.getClientRects().length || e.closest("script, style, noscript, title, desc, option")) continue;
    if (e instanceof SVGElement) {
      let paper = behind(e.ownerSVGElement.parentElement);
      for (const shape of e.parentElement.querySelectorAll(":scope > rect")) {
        const box = shape.getBoundingClientRect(), at = e.getBoundingClientRect();
        const style = getComputedStyle(shape), fill = style.fill;
        if (fill === "none" || fill.startsWith("url") || at.top > box.bottom || at.bottom < box.top || at.left > box.right || at.right < box.left) continue;
        const c = parse(fill);
        c[3] *= Number(style.fillOpacity);
        paper = over(c, paper);
      }
      judge(e, parse(getComputedStyle(e).fill), paper, text);
    } else {
      judge(e, parse(getComputedStyle(e).color), behind(e), text);
    }
  }
  return { bad, seen, page: getComputedStyle(document.body).backgroundColor };
})()`

func testLooks(t *testing.T, b *browser, page []byte) {
	backgrounds := map[string]bool{}
	for _, scheme := range []string{"light", "dark"} {
		x := b.open(t, page, 1000, 800, media("prefers-color-scheme", scheme))
		x.drawn()
		x.do(chromedp.Evaluate[chromedp.Void](`document.querySelectorAll("details").forEach(d => { d.open = true; }), document.querySelector(".paths [data-lines]").click()`))
		got := eval[struct {
			Bad  []string
			Seen int
			Page string
		}](x, contrastScript)
		for _, s := range got.Bad {
			t.Errorf("%s: contrast %s", scheme, s)
		}
		if got.Seen < 200 {
			t.Errorf("%s: only %d texts were judged", scheme, got.Seen)
		}
		backgrounds[got.Page] = true
	}
	if len(backgrounds) != 2 {
		t.Errorf("light and dark have the same background: %v", backgrounds)
	}
}

// reachable is what the tab key has to reach.
const reachable = `[...document.querySelectorAll("a[href], button, input, select, summary, [tabindex='0']")].filter(e => !e.disabled && e.getClientRects().length > 0 && e.checkVisibility({ visibilityProperty: true }))`

func testTabOrder(x *tab) {
	expected := eval[[]string](x, reachable+`.map((e, i) => { e.dataset.stop = i; return i + " " + e.tagName + "#" + e.id + " " + e.textContent.slice(0, 20); })`)
	var stops []string
	for range len(expected) + 20 {
		x.key(kb.Tab)
		at := eval[struct {
			Stop    string
			Visible bool
			What    string
		}](x, `(e => ({ stop: e.dataset.stop || "", what: e.tagName + "#" + e.id + "." + (e.getAttribute("class") || ""),
			visible: getComputedStyle(e).outlineStyle !== "none" || e.closest("svg") !== null && e.tagName !== "svg" }))(document.activeElement)`)
		if at.Stop == "" {
			if strings.HasPrefix(at.What, "BODY") {
				break
			}
			continue // a box that only scrolls
		}
		if slices.Contains(stops, at.Stop) {
			break
		}
		if !at.Visible {
			x.Errorf("the focus on %s is not to be seen", at.What)
		}
		stops = append(stops, at.Stop)
	}
	if len(stops) > 0 && stops[0] != "0" {
		x.Errorf("the first stop is %s, want the link that skips to the answer", stops[0])
	}
	for i, e := range expected {
		if !slices.Contains(stops, fmt.Sprint(i)) {
			x.Errorf("the tab key does not reach %s", e)
		}
	}
	for i := 1; i < len(stops); i++ {
		var a, b int
		fmt.Sscan(stops[i-1], &a)
		fmt.Sscan(stops[i], &b)
		if b < a {
			x.Errorf("the tab key goes back from %s to %s", expected[a], expected[b])
		}
	}
}

// namesScript finds what has no name, and what stands in a wrong place.
const namesScript = `(() => {
  const bad = [];
  const name = e => e.getAttribute("aria-label") || (e.getAttribute("aria-labelledby") || "").split(" ").map(id => (document.getElementById(id) || {}).textContent || "").join("") ||
    [...(e.labels || [])].map(l => l.textContent).join("");
  const what = e => e.outerHTML.slice(0, 90);
  for (const e of document.querySelectorAll("input, select, textarea")) if (!name(e).trim()) bad.push("no label: " + what(e));
  for (const e of document.querySelectorAll("button, a[href], summary")) if (!(name(e) + e.textContent).trim()) bad.push("no name: " + what(e));
  for (const e of document.querySelectorAll("svg:not([aria-hidden=true])")) {
    if (!e.querySelector("title") && !name(e)) bad.push("no title: " + what(e));
    if (!e.getAttribute("role")) bad.push("no role: " + what(e));
  }
  for (const e of document.querySelectorAll("[role=button], [role=region], [role=dialog], [role=group]")) if (!name(e).trim()) bad.push("no name: " + what(e));
  for (const e of document.querySelectorAll("[aria-labelledby], [aria-describedby]")) {
    for (const id of ((e.getAttribute("aria-labelledby") || "") + " " + (e.getAttribute("aria-describedby") || "")).trim().split(/ +/)) if (!document.getElementById(id)) bad.push("refers to nothing, " + id + ": " + what(e));
  }
  for (const e of document.querySelectorAll("a[href^='#']")) if (!document.getElementById(e.getAttribute("href").slice(1))) bad.push("leads nowhere: " + what(e));
  const ids = [...document.querySelectorAll("[id]")].map(e => e.id);
  for (const id of new Set(ids)) if (ids.filter(i => i === id).length > 1) bad.push("id twice: " + id);
  let level = 0;
  for (const h of document.querySelectorAll("main :is(h1, h2, h3, h4)")) {
    const n = Number(h.tagName[1]);
    if (n > level + 1) bad.push("heading " + n + " after " + level + ": " + h.textContent);
    level = n;
  }
  if (document.querySelectorAll("h1").length !== 1) bad.push("not one h1");
  if (!document.documentElement.lang) bad.push("no lang");
  for (const e of document.querySelectorAll("table")) if (!e.querySelector("thead th[scope=col]") || [...e.querySelectorAll("tbody tr")].some(r => !r.querySelector("th[scope=row]"))) bad.push("table without headings: " + what(e));
  for (const e of document.querySelectorAll("[tabindex]")) if (Number(e.getAttribute("tabindex")) > 0) bad.push("tabindex above 0: " + what(e));
  return bad;
})()`

func testNames(x *tab) {
	for _, s := range eval[[]string](x, namesScript) {
		x.Error(s)
	}
}
