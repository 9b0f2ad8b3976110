// Pipelines over time: when each stage works and, below it on the same scale, how many items
// lie in the buffer behind it. The whole of a long run is drawn by slots, parts of it item by item.

class Course {
  constructor(course, box) {
    this.of = course;
    this.box = box.querySelector(".course");
    this.readout = box.querySelector(".readout");
    const part = box.querySelector("select");
    part.addEventListener("change", () => {
      this.window = this.of.windows[Number(part.value)]; // none of that number: the whole run by slots
      this.readout.textContent = "";
      if (this.box.clientWidth > 0) this.draw(this.box.clientWidth);
    });
    this.window = course.windows[Number(part.value)];
    onWidth(this.box, width => this.draw(width));
  }

  tell(text) { this.readout.textContent = text; }

  draw(width) {
    const c = this.of, w = this.window, above = width < 520;
    const from = w ? w.from : 0, to = w ? w.to : c.seconds;
    const names = c.stages.map(s => s.name), longest = Math.max(...c.stages.map(s => Math.max(s.name.length * 8, s.on.length * 8)));
    const left = above ? 4 : Math.min(190, 20 + longest), right = 16, top = 6, room = above ? 20 : 0;
    const lanes = [], lane = 30, level = 38;
    let y = top;
    names.forEach((name, k) => {
      const high = Math.max(lane, 8 * c.stages[k].width);
      lanes.push({ stage: k, y: y + room, high });
      y += room + high + 4;
      if (k < c.levels.length) {
        lanes.push({ buffer: k, y: y + room, high: level });
        y += room + level + 12;
      }
    });
    const bottom = y, height = bottom + 46;
    const unit = to >= 1 ? { by: 1, name: "s" } : to >= 1e-3 ? { by: 1e3, name: "ms" } : { by: 1e6, name: "us" };
    const x = s => left + (width - left - right) * (Math.min(to, Math.max(from, s)) - from) / (to - from || 1);
    const picture = svg("svg", { class: "chart gantt", viewBox: `0 0 ${width} ${height}`, height, role: "group", "aria-label": `${c.pipeline} over time` });
    const step = ticks((to - from) * unit.by, Math.max(2, Math.floor((width - left - right) / 110)))[1];
    for (let n = Math.ceil(from * unit.by / step - 1e-9); n * step <= to * unit.by * (1 + 1e-9); n++) {
      const at = x(n * step / unit.by), text = String(Number((n * step).toPrecision(10)));
      picture.append(svg("line", { class: "grid", x1: at, x2: at, y1: top, y2: bottom }),
        svg("text", { class: "faint", x: at, y: bottom + 18, "text-anchor": at > width - 40 ? "end" : at < left + 20 ? "start" : "middle" }, text));
    }
    picture.append(svg("text", { class: "faint", x: (left + width - right) / 2, y: height - 6, "text-anchor": "middle" }, unit.name + " from when the first stage begins"));
    const items = [], frame = { from, to, x, left, end: width - right };
    for (const l of lanes) {
      const stage = l.stage === undefined ? null : c.stages[l.stage];
      const title = stage ? stage.name : `buffer of ${c.levels[l.buffer].depth}`;
      if (above) picture.append(svg("text", { class: stage ? null : "faint", x: left, y: l.y - 6 }, stage ? `${title}, on ${stage.on}` : title));
      else if (stage) picture.append(svg("text", { x: left - 10, y: l.y + 13, "text-anchor": "end" }, title), svg("text", { class: "faint", x: left - 10, y: l.y + 28, "text-anchor": "end" }, stage.on));
      else picture.append(svg("text", { class: "faint", x: left - 10, y: l.y + level / 2 + 5, "text-anchor": "end" }, title));
      picture.append(svg("rect", { class: "lane", x: left, y: l.y, width: width - left - right, height: l.high }));
      items.push(...(stage ? this.stage(l, frame) : [this.level(l, frame)]));
    }
    picture.append(...items);
    rove(picture, items, item => this.tell(item.getAttribute("aria-label")));
    this.box.replaceChildren(picture);
  }

  // item is something to point at or to go to by keys, which tells what it is.
  item(label, ...shapes) {
    const g = svg("g", { role: "button", "aria-label": label }, svg("title", {}, label), ...shapes);
    for (const event of ["pointerenter", "focus", "click"]) g.addEventListener(event, () => this.tell(label));
    return g;
  }

  // stage draws the executions of a stage, each processor with a part of the lane's height; over
  // slots, which part of the time it works.
  stage(l, f) {
    const c = this.of, stage = c.stages[l.stage], look = ganttLooks[l.stage % ganttLooks.length];
    if (!this.window) {
      const wide = c.seconds / c.busy[l.stage].length;
      let d = `M${f.left} ${l.y + l.high}`;
      c.busy[l.stage].forEach((b, i) => { d += `V${l.y + l.high * (1 - b / stage.width)}H${f.x((i + 1) * wide)}`; });
      const mean = c.busy[l.stage].reduce((sum, b) => sum + b, 0) / c.busy[l.stage].length / stage.width;
      return [this.item(`${stage.name} works for ${percentText(mean)} of this run, on ${stage.on}`,
        svg("rect", { class: "bar hit", x: f.left, y: l.y, width: f.end - f.left, height: l.high }),
        svg("path", { d: d + `V${l.y + l.high}Z`, fill: look.fill }))];
    }
    const rows = stage.width === 1 ? [] : [...new Set(this.window.executions.filter(e => e.stage === l.stage).map(e => e.processor))].sort((a, b) => a - b);
    return this.window.executions.filter(e => e.stage === l.stage).sort((a, b) => a.start - b.start).map(e => {
      const high = l.high / (rows.length || 1), y = l.y + Math.max(0, rows.indexOf(e.processor)) * high, x = f.x(e.start), width = Math.max(1, f.x(e.stop) - x);
      return this.item(`${stage.name}, execution ${e.item}, on ${data.processors[e.processor]}: ${secondsText(e.start)} to ${secondsText(e.stop)}, ${secondsText(e.stop - e.start)} long`,
        svg("rect", { class: "bar", x, y, width, height: high, fill: look.fill }),
        high >= 16 && String(e.item).length * 8 + 6 <= width ? svg("text", { class: look.pale ? "on pale" : "on", x: x + 3, y: y + high / 2 + 5 }, String(e.item)) : null);
    });
  }

  // level draws how many items lie in a buffer, with its depth as a line where that is near.
  level(l, f) {
    const c = this.of.levels[l.buffer], behind = this.of.stages[l.buffer].name;
    const steps = this.window ? this.window.levels[l.buffer] : null;
    const most = Math.max(...(steps ? steps.map(s => s.items) : c.most)), least = Math.min(...(steps ? steps.map(s => s.items) : c.least));
    const near = c.depth <= 3 * Math.max(1, most), top = near ? Math.max(most, c.depth) : most || 1;
    const y = n => l.y + l.high - (l.high - 4) * n / top;
    const shapes = [svg("rect", { class: "bar hit", x: f.left, y: l.y, width: f.end - f.left, height: l.high })];
    let sum = 0;
    if (steps) {
      let d = `M${f.left} ${y(0)}`;
      steps.forEach((s, i) => {
        const until = i + 1 < steps.length ? steps[i + 1].at : f.to;
        sum += s.items * (until - s.at) / (f.to - f.from || 1);
        d += `V${y(s.items)}H${f.x(until)}`;
      });
      shapes.push(svg("path", { class: "level", d: d + `V${y(0)}Z` }));
    } else {
      const wide = this.of.seconds / c.mean.length;
      let up = "", down = "", mean = "";
      c.mean.forEach((m, i) => {
        sum += m / c.mean.length;
        up += `${i ? "L" : "M"}${f.x(i * wide)} ${y(c.most[i])}H${f.x((i + 1) * wide)}`;
        down = `L${f.x((i + 1) * wide)} ${y(c.least[i])}H${f.x(i * wide)}` + down;
        mean += `${i ? "L" : "M"}${f.x((i + .5) * wide)} ${y(m)}`;
      });
      shapes.push(svg("path", { class: "level", d: up + down + "Z" }), svg("path", { class: "mean", d: mean }));
    }
    if (near) shapes.push(svg("line", { class: "depth", x1: f.left, x2: f.end, y1: y(c.depth), y2: y(c.depth) }));
    return this.item(`buffer behind ${behind}, of ${c.depth}: ${least} to ${most} items, ${fixed(sum, 1)} on average, in what is shown`, ...shapes);
  }
}

function startCourses() {
  data.courses.forEach((course, i) => new Course(course, byId("course-" + i)));
}
