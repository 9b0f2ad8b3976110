// Speed-up against processors: a line for each technique and bound, which say themselves
// what dashes and points they have.

function curveMarker(of, x, y) {
  const r = 5, kind = `marker series-${of.id}`;
  switch (of.shape) {
    case "circle": return svg("circle", { class: kind, cx: x, cy: y, r });
    case "square": return svg("rect", { class: kind, x: x - r + .5, y: y - r + .5, width: 2 * r - 1, height: 2 * r - 1 });
    case "triangle": return svg("path", { class: kind, d: `M${x} ${y - r - 1}l${r + 1} ${2 * r}h${-2 * r - 2}z` });
    case "diamond": return svg("path", { class: kind, d: `M${x} ${y - r - 1}l${r + 1} ${r + 1}l${-r - 1} ${r + 1}l${-r - 1} ${-r - 1}z` });
    case "cross": return svg("path", { class: `line ${kind}`, d: `M${x - 4} ${y - 4}l8 8m0 -8l-8 8` });
  }
  if (of.shape === "bar") return svg("path", { class: `line ${kind}`, d: `M${x} ${y - 6}v12` });
  return svg("path", { class: `line ${kind}`, d: `M${x - 5} ${y}h10m-5 -5v10` });
}

const curve = {
  chosen: -1,
  now: null, // speed-ups of this platform after the sliders moved, by technique

  // ours returns the speed-ups of this platform with its mapping, by technique.
  ours() {
    return this.now || Object.fromEntries(data.estimates.filter(e => data.curve.series.some(s => s.id === e.technique)).map(e => [e.technique, e.speedup]));
  },

  again() { if (this.box && this.box.clientWidth > 0) this.draw(this.box.clientWidth); },

  draw(width) {
    const { processors, series, here } = data.curve;
    const height = Math.round(Math.min(400, Math.max(260, width * .5)));
    const left = 44, right = 14, top = 14, bottom = 44;
    const most = Math.max(1, ...series.flatMap(s => s.values), ...Object.values(this.ours()));
    const up = ticks(most, height < 300 ? 4 : 6), highest = up[up.length - 1];
    const n = processors.length;
    const first = Math.min(here, ...processors), last = Math.max(here, ...processors);
    const across = p => first === last ? (left + width - right) / 2 : left + 12 + (width - left - right - 24) * (p - first) / (last - first);
    const x = i => across(processors[i]);
    const y = v => top + (height - top - bottom) * (1 - v / highest);
    const picture = svg("svg", { class: "chart", viewBox: `0 0 ${width} ${height}`, height, role: "application", tabindex: 0, "aria-labelledby": "curve-name", "aria-describedby": "curve-keys" },
      svg("title", { id: "curve-name" }, "Speed-up against the number of processors"));
    for (const v of up) {
      picture.append(svg("line", { class: v === 0 ? "axis" : "grid", x1: left, x2: width - right, y1: y(v), y2: y(v) }),
        svg("text", { class: "faint", x: left - 8, y: y(v) + 4, "text-anchor": "end" }, String(Number(v.toPrecision(6)))));
    }
    let written = -Infinity; // where the last number ends
    processors.forEach((p, i) => {
      const room = 5 + 4 * String(p).length;
      if (x(i) - room < written) return;
      written = x(i) + room;
      picture.append(svg("text", { class: "faint", x: x(i), y: height - bottom + 20, "text-anchor": "middle" }, String(p)));
    });
    picture.append(svg("text", { class: "faint", x: (left + width - right) / 2, y: height - 6, "text-anchor": "middle" }, "processors"));
    for (const s of [...series].reverse()) { // the first lies on top
      const points = s.values.map((v, i) => [x(i), y(v)]);
      const group = svg("g", { class: `series-${s.id}` },
        svg("path", { class: "line", d: "M" + points.map(p => p.join(" ")).join("L"), "stroke-dasharray": s.dash }));
      for (const [px, py] of points) group.append(curveMarker(s, px, py));
      picture.append(group);
    }
    const ours = this.ours();
    for (const s of series.filter(s => s.id in ours)) { // this platform with its mapping
      const v = ours[s.id];
      picture.append(svg("g", { class: `series-${s.id}`, "data-here": s.id, "data-value": v }, curveMarker(s, across(here), y(v)), svg("circle", { class: "now", cx: across(here), cy: y(v), r: 9 })));
    }
    const at = processors.indexOf(here);
    const cursor = svg("line", { class: "cursor", y1: top, y2: height - bottom, visibility: "hidden" });
    picture.append(cursor);
    const choose = i => {
      this.chosen = Math.max(0, Math.min(n - 1, i));
      cursor.setAttribute("x1", x(this.chosen));
      cursor.setAttribute("x2", x(this.chosen));
      cursor.setAttribute("visibility", "visible");
      this.tell();
    };
    const nearest = event => {
      const along = (event.clientX - picture.getBoundingClientRect().left) * width / picture.getBoundingClientRect().width;
      let best = 0;
      for (let i = 1; i < n; i++) if (Math.abs(x(i) - along) < Math.abs(x(best) - along)) best = i;
      choose(best);
    };
    picture.addEventListener("pointermove", nearest);
    picture.addEventListener("pointerdown", nearest);
    picture.addEventListener("focus", () => choose(this.chosen < 0 ? Math.max(0, at) : this.chosen));
    picture.addEventListener("keydown", event => {
      const step = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, Home: -n, End: n }[event.key];
      if (step === undefined) return;
      choose(this.chosen + step);
      event.preventDefault();
    });
    const focused = this.box.contains(document.activeElement) && document.activeElement.closest("svg");
    this.box.replaceChildren(picture);
    if (focused) picture.focus({ preventScroll: true });
    else if (this.chosen >= 0) choose(this.chosen);
  },

  tell() {
    const { processors, series, here } = data.curve;
    const p = processors[this.chosen];
    const figures = series.map(s => `${s.name} ${speedupText(s.values[this.chosen])}`);
    let text = `${p} ${p === 1 ? "processor" : "processors"}: ${figures.join(", ")}`;
    if (p === here) {
      const ours = this.ours();
      text += `; ringed, ${this.now ? "with the sliders' values" : "with the mapping of the answer"}: ` + series.filter(s => s.id in ours).map(s => `${s.name} ${speedupText(ours[s.id])}`).join(", ");
    }
    byId("curve-readout").textContent = text;
  },

  start() {
    this.box = byId("curve");
    if (!this.box) return;
    const legend = byId("curve-legend");
    for (const s of data.curve.series) {
      legend.append(html("li", { class: `series-${s.id}` },
        svg("svg", { class: "chart", style: "width:44px", width: 44, height: 16, viewBox: "0 0 44 16", "aria-hidden": "true" },
          svg("path", { class: "line", d: "M1 8H43", "stroke-dasharray": s.dash }), curveMarker(s, 22, 8)), s.label));
    }
    legend.append(html("li", {}, svg("svg", { class: "chart", style: "width:24px", width: 24, height: 20, viewBox: "0 0 24 20", "aria-hidden": "true" },
      svg("circle", { class: "now", cx: 12, cy: 10, r: 8 })), "ringed: this platform with its mapping"));
    onWidth(this.box, width => this.draw(width));
  },
};
