// The panel that shows source lines. What carries data-file, and data-line and data-last
// or data-lines, opens it.

const sourcePanel = {
  panel: byId("source-panel"),
  opener: null,

  // show lists the file with some lines marked, which are written 3-5, 8.
  show(file, lines, opener) {
    const text = data.sources[file];
    const body = byId("source-text");
    const stretches = lines.split(", ").map(s => s.split("-").map(Number));
    byId("source-title").textContent = file + (lines.length < 24 ? ":" + lines : "");
    body.replaceChildren();
    if (!text) {
      body.append(html("p", { class: "listing", style: "padding-left:.9rem" }, "The text of this file is not in the report."));
    } else {
      const listing = html("div", { class: "listing", id: "source-listing" });
      for (const run of text) {
        if (listing.childElementCount > 0) listing.append(html("div", {}, html("span", {}, "…"), ""));
        run.lines.forEach((line, i) => {
          const number = run.first + i, marked = stretches.some(([first, last]) => number >= first && number <= (last || first));
          listing.append(html("div", { class: marked ? "marked" : null, "data-number": number }, html("span", {}, String(number)), line));
        });
      }
      body.append(listing);
    }
    this.opener = opener || document.activeElement;
    this.panel.setAttribute("open", "");
    const marked = body.querySelector(".marked");
    if (marked) body.scrollTop = marked.offsetTop - body.clientHeight / 3;
    body.scrollLeft = 0;
    body.focus({ preventScroll: true }); // arrow keys scroll it, Escape closes it
  },

  close() {
    if (!this.panel.hasAttribute("open")) return;
    this.panel.removeAttribute("open");
    if (this.opener && this.opener.isConnected) this.opener.focus({ preventScroll: true });
    this.opener = null;
  },

  // open shows what an element carries, and says whether it carries any.
  open(element) {
    const at = element.closest("[data-file]");
    if (!at) return false;
    const { file, line, last, lines } = at.dataset;
    this.show(file, lines || (last ? line + "-" + last : line), at);
    return true;
  },
};

byId("source-close").addEventListener("click", () => sourcePanel.close());
document.addEventListener("keydown", event => {
  if (event.key === "Escape") sourcePanel.close();
});
document.addEventListener("click", event => {
  const button = event.target.closest("button[data-file]");
  if (button) sourcePanel.open(button);
});
