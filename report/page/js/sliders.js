// Sliders for overheads and clocks: the formula of the report gives the figures anew.

const sliders = {
  // figures returns sequential and parallel seconds and the speed-up, by technique.
  figures(values) {
    const all = evalFormula(data.formula, values);
    for (const f of Object.values(all)) f.speedup = f.parallel_seconds > 0 ? f.sequential_seconds / f.parallel_seconds : 1;
    return all;
  },

  original() {
    return Object.fromEntries(data.estimates.map(e => [e.technique, e]));
  },

  // show writes figures wherever the page has them.
  show(all, changed) {
    for (const row of document.querySelectorAll("tr[data-technique]")) {
      const f = all[row.dataset.technique];
      row.classList.toggle("fixed", changed && !f);
      if (!f) continue;
      const put = (of, text) => { const cell = row.querySelector(`[data-of=${of}]`); if (cell && text !== null) cell.textContent = text; };
      put("sequential", microsText(f.sequential_seconds));
      put("parallel", microsText(f.parallel_seconds));
      put("time", secondsText(f.parallel_seconds));
      put("speedup", speedupText(f.speedup));
      const interval = row.querySelector("[data-of=interval]");
      if (interval) {
        interval.dataset.report ??= interval.textContent;
        interval.textContent = changed ? "not computed" : interval.dataset.report;
      }
    }
    const answer = all[data.technique];
    if (answer) {
      byId("answer-speedup").textContent = speedupText(answer.speedup);
      byId("answer-sequential").textContent = secondsText(answer.sequential_seconds);
      byId("answer-parallel").textContent = secondsText(answer.parallel_seconds);
      document.title = this.title.replace(/^\S+/, speedupText(answer.speedup));
      const interval = byId("answer-interval");
      interval.dataset.report ??= interval.innerHTML;
      if (changed) interval.replaceChildren("not computed", html("small", {}, "the report's is for the report's values"));
      else interval.innerHTML = interval.dataset.report;
    }
    byId("answer-changed").hidden = !changed;
    for (const note of document.querySelectorAll(".stale")) note.hidden = !changed;
    curve.now = changed ? Object.fromEntries(Object.entries(all).map(([t, f]) => [t, f.speedup])) : null;
    curve.again();
  },

  update() {
    let wrong = null, changed = false;
    const values = this.numbers.map(number => {
      const x = number.valueAsNumber;
      const bad = !Number.isFinite(x) || x < 0 || ("positive" in number.dataset && x === 0);
      number.classList.toggle("wrong", bad);
      number.setAttribute("aria-invalid", String(bad));
      const differs = x !== Number(number.dataset.value);
      byId(number.id + "-set").classList.toggle("changed", differs);
      if (bad) wrong = number;
      if (differs) changed = true;
      return x;
    });
    const state = byId("slider-state");
    byId("slider-reset").disabled = !changed;
    if (wrong) {
      state.textContent = `${wrong.getAttribute("aria-label")}: want a number ${"positive" in wrong.dataset ? "above 0" : "of 0 or more"}. The figures are for the last values that were right.`;
      return;
    }
    if (!changed) {
      this.show(this.original(), false);
      state.textContent = "The values are those of the report.";
      return;
    }
    this.show(this.figures(values), true);
    state.textContent = "The figures are for these values, not those of the report.";
  },

  start() {
    const form = byId("sliders");
    if (!form) return;
    this.title = document.title;
    this.numbers = [...form.querySelectorAll("input[type=number]")];
    for (const number of this.numbers) {
      const range = byId(number.id + "-range");
      range.addEventListener("input", () => { number.value = range.value; this.update(); });
      number.addEventListener("input", () => {
        if (Number.isFinite(number.valueAsNumber)) range.value = number.value;
        this.update();
      });
    }
    form.addEventListener("submit", event => event.preventDefault());
    form.addEventListener("reset", () => setTimeout(() => this.update()));
    byId("answer-reset").addEventListener("click", () => { form.reset(); byId("answer").scrollIntoView({ block: "start" }); });
  },
};
