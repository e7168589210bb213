"use strict";
// A plot on the page: its heading, its downloads, and what a pointer or the arrow keys show of its points.

const reach = 24; // pixels from the pointer to the point it means

/** The mark of a series in running text. */
function swatch({ color, shape }) {
  const mark = element("span", { class: "swatch", "aria-hidden": "true" });
  mark.innerHTML = `<svg viewBox="0 0 16 16" width="14" height="14"><path d="${outlines[shape](8, 8, 5)}" fill="${color}"/></svg>`;
  return mark;
}

function tooltip() {
  if (!byId("tooltip")) document.body.append(element("div", { id: "tooltip", role: "status", hidden: true }));
  return byId("tooltip");
}

function showTooltip(box, [x, y], lines) {
  const tip = tooltip(), frame = box.getBoundingClientRect();
  tip.replaceChildren(element("strong", {}, lines[0]), facts(lines.slice(1)));
  tip.hidden = false;
  const left = Math.min(Math.max(4, frame.left + x + 14), document.documentElement.clientWidth - tip.offsetWidth - 4);
  const below = frame.top + y + 14, above = frame.top + y - tip.offsetHeight - 10;
  tip.style.left = `${left + scrollX}px`;
  tip.style.top = `${(below + tip.offsetHeight < innerHeight ? below : Math.max(4, above)) + scrollY}px`;
}

const hideTooltip = () => { tooltip().hidden = true; };

/**
 * A figure of {name, title, help, height, plot, points, tip, csv, pick}.
 *   plot      the plot without its size, see drawPlot
 *   points    [{at: [x, y], row}] that a reader can ask about, none if absent
 *   tip       the lines of the tooltip of a row: a heading, then [term, value] pairs
 *   csv       {columns, rows} of the download, see csvText
 *   pick      called with the row that was chosen, if anything happens then
 */
function figure({ name, title, help, height = 236, plot, points = [], tip, csv, pick }) {
  const box = element("div", { class: "plot", tabindex: points.length ? "0" : null, role: "group", "aria-label": `${title}. ${help}` });
  const ordered = [...points].sort((a, b) => a.at[0] - b.at[0]);
  let drawn = null, places = [], chosen = -1;

  function draw() {
    const width = Math.max(240, Math.floor(box.clientWidth));
    drawn = drawPlot({ ...plot, name, title, description: help, width, height: typeof height === "function" ? height(width) : height });
    box.innerHTML = drawn.svg + '<svg class="cursor" aria-hidden="true"><circle r="7"/></svg>';
    places = ordered.map(point => drawn.place(point.at));
    choose(-1);
  }
  function choose(index) {
    chosen = index;
    const cursor = box.querySelector(".cursor");
    if (cursor) cursor.style.display = index < 0 ? "none" : "";
    if (index < 0) return hideTooltip();
    const [x, y] = places[index];
    cursor.firstChild.setAttribute("cx", x);
    cursor.firstChild.setAttribute("cy", y);
    showTooltip(box, [x, y], tip(ordered[index].row));
  }
  function nearest(event) {
    const frame = box.getBoundingClientRect(), x = event.clientX - frame.left, y = event.clientY - frame.top;
    let best = -1, least = reach * reach;
    for (let i = 0; i < places.length; ++i) {
      const distance = (places[i][0] - x) ** 2 + (places[i][1] - y) ** 2;
      if (distance < least) [best, least] = [i, distance];
    }
    return best;
  }
  function key(event) {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step) choose(Math.min(Math.max(chosen + step, 0), places.length - 1));
    else if (event.key === "Home") choose(0);
    else if (event.key === "End") choose(places.length - 1);
    else if (event.key === "Escape") choose(-1);
    else if (event.key === "Enter" && chosen >= 0 && pick) pick(ordered[chosen].row);
    else return;
    event.preventDefault();
  }
  if (points.length) {
    box.addEventListener("pointermove", event => choose(nearest(event)));
    box.addEventListener("pointerleave", () => choose(-1));
    box.addEventListener("blur", () => choose(-1));
    box.addEventListener("keydown", key);
    box.addEventListener("click", event => {
      const index = nearest(event);
      if (pick && index >= 0) pick(ordered[index].row);
    });
  }
  const save = (label, action) => element("button", { type: "button", class: "small screen", "aria-label": `${title}: save as ${label}`, onclick: action }, label);
  const header = element("header", {}, element("h3", {}, title),
    element("span", {}, save("SVG", () => saveSvg(name, drawn.svg)), save("CSV", () => saveCsv(name, csv.columns, csv.rows))));
  const node = element("figure", { id: name }, header, box, element("figcaption", {}, help));
  new ResizeObserver(() => { if (box.clientWidth && (!drawn || box.clientWidth !== Number(box.dataset.width))) { box.dataset.width = box.clientWidth; draw(); } }).observe(box);
  return node;
}
