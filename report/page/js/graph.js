// The task graph: moved with the pointer or arrow keys, scaled with wheel, pinch, keys
// and buttons. A click on a task, or Enter, shows its source lines.

class GraphView {
  constructor(box) {
    this.box = box;
    this.picture = box.querySelector("svg");
    const full = this.picture.viewBox.baseVal;
    this.full = { x: full.x, y: full.y, w: full.width, h: full.height };
    this.pointers = new Map();
    this.moved = 0;
    this.picture.removeAttribute("width");
    this.picture.removeAttribute("height");
    this.picture.setAttribute("preserveAspectRatio", "xMidYMid meet");
    this.fit();
    this.touched = false;
    box.addEventListener("keydown", event => this.key(event));
    box.addEventListener("wheel", event => this.wheel(event), { passive: false });
    box.addEventListener("pointerdown", event => this.down(event));
    box.addEventListener("pointermove", event => this.move(event));
    for (const end of ["pointerup", "pointercancel"]) box.addEventListener(end, event => this.up(event));
    box.addEventListener("click", event => {
      if (this.moved < 6) sourcePanel.open(event.target);
    });
    this.picture.setAttribute("role", "group");
    for (const node of this.picture.querySelectorAll(".node")) node.removeAttribute("tabindex");
    const tasks = [...this.picture.querySelectorAll("[data-line]")];
    for (const task of tasks) {
      task.setAttribute("role", "button");
      const name = task.querySelector("title");
      task.setAttribute("aria-label", (name || task).textContent + `, line ${task.dataset.line}`);
      task.addEventListener("focus", () => this.reveal(task));
    }
    rove(this.picture, tasks, task => sourcePanel.open(task));
  }

  // unit is the length of a CSS pixel in the drawing.
  unit() {
    return Math.max(this.view.w / this.box.clientWidth, this.view.h / this.box.clientHeight);
  }

  set(view) {
    this.view = view;
    this.touched = true;
    this.picture.setAttribute("viewBox", `${view.x} ${view.y} ${view.w} ${view.h}`);
  }

  fit() { this.set({ ...this.full }); }

  // start shows the whole or, where that would be too small to be read, the drawing from its
  // beginning: the first level's entry at the top, as much of it as there is room for; again
  // when the window changes, until someone moves the graph.
  start() {
    if (this.touched) return;
    this.set({ ...this.full });
    this.touched = false;
    const w = this.box.clientWidth, h = this.box.clientHeight, readable = 1.6;
    if (Math.max(this.full.w / w, this.full.h / h) <= readable) return;
    const level = this.picture.querySelector(".group .box-of"), entry = this.picture.querySelector(".node .shape, .node text");
    const first = level ? level.getBBox() : this.full, at = (entry || level || this.picture).getBBox();
    const margin = Math.max(0, first.x - this.full.x);
    const scale = Math.min(readable, Math.max(1, Math.min(this.full.w, first.width + 2 * margin) / w));
    let x = this.full.x; // what is wider than the window begins at its left, with the entry in view
    if (this.full.w <= w * scale) x -= (w * scale - this.full.w) / 2;
    else if (at.x + at.width > x + w * scale) x = Math.min(at.x + at.width / 2 - w * scale / 2, this.full.x + this.full.w - w * scale);
    this.set({ x, y: this.full.y, w: w * scale, h: h * scale });
    this.touched = false;
  }

  pan(dx, dy) { this.set({ ...this.view, x: this.view.x + dx, y: this.view.y + dy }); }

  // zoom scales about a place in the drawing, the middle without one.
  zoom(factor, cx = this.view.x + this.view.w / 2, cy = this.view.y + this.view.h / 2) {
    const w = Math.min(this.full.w * 4, Math.max(this.full.w / 60, this.view.w / factor));
    const by = w / this.view.w;
    this.set({ x: cx - (cx - this.view.x) * by, y: cy - (cy - this.view.y) * by, w, h: this.view.h * by });
  }

  // at turns a place on the screen into one in the drawing.
  at(clientX, clientY) {
    const point = new DOMPoint(clientX, clientY).matrixTransform(this.picture.getScreenCTM().inverse());
    return [point.x, point.y];
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const step = 60 * this.unit();
    switch (event.key) {
      case "ArrowLeft": this.pan(-step, 0); break;
      case "ArrowRight": this.pan(step, 0); break;
      case "ArrowUp": this.pan(0, -step); break;
      case "ArrowDown": this.pan(0, step); break;
      case "+": case "=": this.zoom(1.3); break;
      case "-": case "_": this.zoom(1 / 1.3); break;
      case "0": this.fit(); break;
      default: return;
    }
    event.preventDefault();
  }

  // The wheel scrolls the page until the graph has the focus, or with Ctrl.
  wheel(event) {
    if (!event.ctrlKey && !this.box.contains(document.activeElement)) return;
    event.preventDefault();
    this.zoom(Math.exp(-event.deltaY * (event.deltaMode === 1 ? .05 : .0018)), ...this.at(event.clientX, event.clientY));
  }

  down(event) {
    if (event.button !== 0) return;
    if (this.pointers.size === 0) this.moved = 0;
    this.pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
  }

  move(event) {
    const last = this.pointers.get(event.pointerId);
    if (!last) return;
    const dx = event.clientX - last.x, dy = event.clientY - last.y;
    this.moved += Math.abs(dx) + Math.abs(dy);
    if (this.moved >= 6 && !this.box.hasPointerCapture(event.pointerId)) {
      this.box.setPointerCapture(event.pointerId);
      this.box.classList.add("dragging");
    }
    const other = [...this.pointers].find(([id]) => id !== event.pointerId);
    if (other) {
      const before = Math.hypot(last.x - other[1].x, last.y - other[1].y);
      const after = Math.hypot(event.clientX - other[1].x, event.clientY - other[1].y);
      if (before > 0 && after > 0) this.zoom(after / before, ...this.at(other[1].x, other[1].y));
    } else if (this.moved >= 6) {
      this.pan(-dx * this.unit(), -dy * this.unit());
    }
    this.pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
  }

  up(event) {
    this.pointers.delete(event.pointerId);
    if (this.pointers.size === 0) this.box.classList.remove("dragging");
  }

  // reveal moves a task that has the focus into the window.
  reveal(task) {
    const box = this.box.getBoundingClientRect(), at = task.getBoundingClientRect();
    if (at.left >= box.left && at.right <= box.right && at.top >= box.top && at.bottom <= box.bottom) return;
    const [x, y] = this.at((at.left + at.right) / 2, (at.top + at.bottom) / 2);
    this.set({ ...this.view, x: x - this.view.w / 2, y: y - this.view.h / 2 });
  }
}

const graphViews = [];

function startGraphs() {
  for (const box of document.querySelectorAll(".graph")) {
    const view = new GraphView(box);
    graphViews.push(view);
    onWidth(box, () => view.start());
    const tools = byId(box.dataset.tools);
    tools.querySelector("[data-act=in]").addEventListener("click", () => view.zoom(1.4));
    tools.querySelector("[data-act=out]").addEventListener("click", () => view.zoom(1 / 1.4));
    tools.querySelector("[data-act=fit]").addEventListener("click", () => view.fit());
  }
}
