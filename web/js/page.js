"use strict";
// What every page is made of.

/** A part of the page with a heading. */
const section = (id, title, ...nodes) =>
  element("section", { class: "panel", id, "aria-labelledby": `${id}-title` }, element("h2", { id: `${id}-title` }, title), ...nodes);

const cards = (...entries) => element("dl", { class: "cards" }, ...entries);
/** A number that matters, its `title` with the unit after ", ", and what it is measured against; `name` is for programs. */
function card(name, title, value, note, alarm) {
  const [term, unit] = title.split(", ");
  return element("div", { "data-score": name }, element("dt", {}, term), element("dd", { class: alarm ? "bad" : null }, value, unit ? element("small", {}, ` ${unit}`) : ""), element("dd", { class: "soft" }, note));
}

/** One sentence and one bar of parts. */
function answerPanel({ sentence, parts }) {
  if (!sentence) return "";
  const total = parts.reduce((sum, [, part]) => sum + part, 0), shown = parts.map(([name, part], i) => ({ name, part, color: style(i).color })).filter(({ part }) => part > 0);
  return element("section", { class: "panel answer" }, element("p", {}, sentence),
    shown.length ? element("div", { class: "parts", "aria-hidden": "true" }, ...shown.map(({ part, color }) => element("span", { style: `flex: ${100 * part / total}; background: ${color}` }))) : "",
    element("p", { class: "soft" }, ...shown.map(({ name, part, color }) => element("span", {}, swatch({ color, shape: "square" }), `${name} ${percent(part / total)}`))));
}

const folded = (title, ...nodes) => element("details", { class: "panel" }, element("summary", {}, title), ...nodes);
const moment = iso => iso.replace("T", " ").replace("Z", " UTC");

/** The title of the window and of the page, and a line below it. */
function heading(title, subtitle) {
  document.title = `agpusim: ${title}`;
  byId("title").textContent = title;
  byId("subtitle").textContent = subtitle;
}

/** Shows the data of the page, and notes in the body how many milliseconds that took. */
function openPage(show) {
  const started = performance.now();
  show(JSON.parse(byId("data").textContent));
  requestAnimationFrame(() => setTimeout(() => { document.body.dataset.drawn = Math.round(performance.now() - started); }));
}
