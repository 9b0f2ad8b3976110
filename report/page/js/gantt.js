// The Gantt chart of a sections construct: on which processor which section runs when.

// Okabe and Ito's palette; pale says that the label on it is white. Strips under the
// label are hatched in a way of their own.
const ganttLooks = [
  { fill: "#56b4e9", hatch: "0" }, { fill: "#e69f00", hatch: "M0 8L8 0" }, { fill: "#009e73", hatch: "M0 0L8 8" },
  { fill: "#f0e442", hatch: "M4 0V8" }, { fill: "#cc79a7", hatch: "M0 4H8" }, { fill: "#d55e00", hatch: "M0 8L8 0M0 0L8 8" },
  { fill: "#0072b2", hatch: "M4 0V8M0 4H8", pale: true },
];

const gantt = {
  construct: 0,
  row: 0, // 0: all, weighted
  unit: "time",

  // scale says how times are shown: factor from seconds, and the unit's name.
  scale(most) {
    if (this.unit === "cycles") return { by: data.clock * 1e6, name: "cycles of " + data.processors[data.serial] };
    if (most >= 1) return { by: 1, name: "s" };
    if (most >= 1e-3) return { by: 1e3, name: "ms" };
    return { by: 1e6, name: "us" };
  },

  text(seconds) { return this.unit === "cycles" ? cyclesText(seconds * data.clock * 1e6) + " cycles" : secondsText(seconds); },

  describe(bar) {
    const what = bar.kind === "lock" || bar.kind === "wait" ? `${data.overheads[bar.kind]}: ${bar.name}` : data.overheads[bar.kind] || bar.name + (bar.line ? `, line ${bar.line}` : "");
    return `${what}, on ${data.processors[bar.processor]}: ${this.text(bar.start)} to ${this.text(bar.stop)}, ${this.text(bar.stop - bar.start)} long`;
  },

  draw(width) {
    const timeline = data.timelines[this.construct], shown = timeline.rows[this.row];
    const lanes = [...new Set(shown.bars.map(b => b.processor))].sort((a, b) => a - b);
    const names = lanes.map(p => data.processors[p]);
    const above = width < 520, lane = 36;
    const left = above ? 4 : Math.min(140, 16 + 8 * Math.max(...names.map(n => n.length)));
    const right = 16, top = 6, pitch = above ? lane + 26 : lane + 10;
    // One scale for all rows of a construct, so that they can be compared by eye.
    const most = Math.max(...timeline.rows.map(p => p.seconds), ...shown.bars.map(b => b.stop), 1e-12);
    const unit = this.scale(most);
    const across = ticks(most * unit.by, Math.max(2, Math.floor((width - left - right) / 110)));
    const end = across[across.length - 1];
    const x = s => left + (width - left - right) * s * unit.by / end;
    const bottom = top + lanes.length * pitch, height = bottom + 46;
    const picture = svg("svg", { class: "chart gantt", viewBox: `0 0 ${width} ${height}`, height, role: "group", "aria-labelledby": "gantt-name" },
      svg("title", { id: "gantt-name" }, `Gantt chart of ${timeline.name}, ${shown.label}`), this.hatches());
    for (const t of across) {
      const at = x(t / unit.by), text = this.unit === "cycles" ? grouped(String(t)) : String(Number(t.toPrecision(10)));
      picture.append(svg("line", { class: "grid", x1: at, x2: at, y1: top, y2: bottom }),
        svg("text", { class: "faint", x: at, y: bottom + 18, "text-anchor": at > width - 40 ? "end" : t === 0 ? "start" : "middle" }, text));
    }
    picture.append(svg("text", { class: "faint", x: (left + width - right) / 2, y: height - 6, "text-anchor": "middle" }, unit.name + " from the fork"));
    lanes.forEach((p, i) => {
      const y = top + i * pitch + (above ? 20 : 0);
      picture.append(svg("text", above ? { x: left, y: y - 6 } : { x: left - 10, y: y + lane / 2 + 5, "text-anchor": "end" }, names[i]),
        svg("rect", { class: "lane", x: left, y, width: width - left - right, height: lane }));
    });
    const joined = x(shown.seconds);
    picture.append(svg("line", { class: "axis", x1: joined, x2: joined, y1: top, y2: bottom, "stroke-dasharray": "6 3" }, svg("title", {}, `join: ${this.text(shown.seconds)}`)));
    const items = [];
    for (const bar of [...shown.bars].sort((a, b) => a.processor - b.processor || a.start - b.start)) {
      const y = top + lanes.indexOf(bar.processor) * pitch + (above ? 20 : 0);
      const later = shown.bars.filter(b => b.kind === "section" && b.processor === bar.processor && b.start >= bar.stop && b !== bar).map(b => x(b.start));
      items.push(this.bar(bar, x(bar.start), y, Math.max(2, x(bar.stop) - x(bar.start)), lane, Math.min(width - right, ...later)));
    }
    picture.append(...items);
    rove(picture, items, item => { if (!sourcePanel.open(item)) this.tell(item); });
    this.box.replaceChildren(picture);
  },

  // bar draws a bar; its text stands in it or, where it is too short, behind it up to room.
  bar(bar, x, y, width, height, room) {
    const number = bar.stage ? bar.stage - 1 : bar.section;
    const look = bar.kind === "section" ? ganttLooks[number % ganttLooks.length] : null;
    const item = svg("g", { role: "button", "aria-label": this.describe(bar) },
      svg("title", {}, this.describe(bar)));
    if (bar.kind === "section" && bar.line) fill(item, { "data-file": bar.file, "data-line": bar.line }, []);
    item.append(svg("rect", { class: `bar ${bar.kind}`, x, y, width, height, fill: look ? look.fill : `url(#hatch-${bar.kind})` }));
    if (look) {
      item.append(svg("rect", { x, y: y + height - 9, width, height: 9, fill: `url(#hatch-${number % ganttLooks.length})`, "pointer-events": "none" }));
      const short = bar.name.slice(bar.name.lastIndexOf("/") + 1);
      const what = `${bar.stage ? "stage" : "section"} ${short}`;
      const texts = [what + (bar.line ? `, line ${bar.line}` : ""), what, short], long = t => t.length * 7.8 + 8;
      const inside = texts.find(t => long(t) <= width), behind = texts.find(t => long(t) + 8 <= room - x - width);
      if (inside && (inside !== short || !behind)) item.append(svg("text", { class: look.pale ? "on pale" : "on", x: x + 5, y: y + 18 }, inside));
      else if (behind) item.append(svg("text", { class: "beside", x: x + width + 9, y: y + 22 }, behind));
    } else if (bar.kind.length * 7.6 + 8 <= width) {
      item.append(svg("text", { x: x + 5, y: y + 20 }, bar.kind));
    }
    item.addEventListener("pointerenter", () => this.tell(item));
    item.addEventListener("focus", () => this.tell(item));
    item.addEventListener("click", () => { this.tell(item); sourcePanel.open(item); });
    return item;
  },

  hatches() {
    const defs = svg("defs", {});
    ganttLooks.forEach((look, i) => defs.append(svg("pattern", { id: `hatch-${i}`, width: 8, height: 8, patternUnits: "userSpaceOnUse" },
      svg("path", { d: look.hatch === "0" ? "M0 0" : look.hatch, stroke: look.pale ? "#fff" : "#000", "stroke-width": 1.5 }))));
    const hatch = { create: "M0 0L6 6", sync: "M0 6L6 0", fork: "M3 0V6", join: "M0 3H6", dispatch: "M3 0V6M0 3H6", "team-of-one": "M0 0L6 6M0 6L6 0", "make-task": "M1 1L5 5", "take-task": "M1 5L5 1", fetch: "M0 1H6M0 5H6", contend: "M1 0V6M5 0V6", lock: "M1 1V5M5 1V5", wait: "M0 0" };
    for (const [kind, d] of Object.entries(hatch)) {
      defs.append(svg("pattern", { id: `hatch-${kind}`, width: 6, height: 6, patternUnits: "userSpaceOnUse" },
        svg("rect", { class: "lane", width: 6, height: 6 }), svg("path", { d, class: "axis", "stroke-width": 2 })));
    }
    return defs;
  },

  tell(item) { byId("gantt-readout").textContent = item.getAttribute("aria-label"); },

  // offer fills the list of rows of the construct.
  offer() {
    const rows = data.timelines[this.construct].rows;
    byId("gantt-path").replaceChildren(...rows.map((p, i) => html("option", { value: i }, p.label)));
    this.choose(0);
    const construct = byId("gantt-construct");
    construct.title = construct.selectedOptions[0].textContent; // a narrow screen cuts it
  },

  choose(row) {
    const rows = data.timelines[this.construct].rows;
    this.row = Math.max(0, Math.min(rows.length - 1, row));
    byId("gantt-path").value = String(this.row);
    byId("gantt-path").title = rows[this.row].label;
    byId("gantt-back").disabled = this.row === 0;
    byId("gantt-next").disabled = this.row === rows.length - 1;
    byId("gantt-text").textContent = rows[this.row].text;
    byId("gantt-readout").textContent = "";
    if (this.box.clientWidth > 0) this.draw(this.box.clientWidth);
  },

  start() {
    this.box = byId("gantt");
    if (!this.box) return;
    byId("gantt-construct").addEventListener("change", event => { this.construct = Number(event.target.value); this.offer(); });
    byId("gantt-path").addEventListener("change", event => this.choose(Number(event.target.value)));
    byId("gantt-back").addEventListener("click", () => this.choose(this.row - 1));
    byId("gantt-next").addEventListener("click", () => this.choose(this.row + 1));
    byId("gantt-unit").addEventListener("change", event => { this.unit = event.target.value; this.choose(this.row); });
    this.construct = Number(byId("gantt-construct").value);
    this.offer();
    onWidth(this.box, width => this.draw(width));
  },
};
