// One tab stop for many things: arrow keys go from one to the next, Enter acts.

// rove makes the items of a box such; keys says which key goes on and which goes back.
function rove(box, items, act, next = ["ArrowRight", "ArrowDown"], back = ["ArrowLeft", "ArrowUp"]) {
  items.forEach((item, i) => item.setAttribute("tabindex", i === 0 ? "0" : "-1"));
  const go = to => {
    items.forEach(item => item.setAttribute("tabindex", "-1"));
    to.setAttribute("tabindex", "0");
    to.focus();
  };
  box.onkeydown = event => {
    const at = items.indexOf(event.target.closest("[role=button]"));
    if (at < 0 || event.ctrlKey || event.metaKey || event.altKey) return;
    if (next.includes(event.key) && at + 1 < items.length) go(items[at + 1]);
    else if (back.includes(event.key) && at > 0) go(items[at - 1]);
    else if (event.key === "Home") go(items[0]);
    else if (event.key === "End") go(items[items.length - 1]);
    else if (event.key === "Enter" || event.key === " ") act(items[at]);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
}
