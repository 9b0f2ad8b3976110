// Elements by a short notation, and the page's data.

const data = JSON.parse(document.getElementById("report-data").textContent);

const byId = id => document.getElementById(id);

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value !== null && value !== undefined) node.setAttribute(name, value);
  }
  for (const child of children) if (child !== null) node.append(child);
  return node;
}

function html(tag, attributes, ...children) { return fill(document.createElement(tag), attributes, children); }

function svg(tag, attributes, ...children) {
  return fill(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
}

// onWidth draws now and whenever the width of the box changes.
function onWidth(box, draw) {
  let last = 0;
  new ResizeObserver(entries => {
    const width = Math.floor(entries[0].contentRect.width);
    if (width > 0 && width !== last) {
      last = width;
      requestAnimationFrame(() => draw(width));
    }
  }).observe(box);
}
