"use strict";
// What every page is made of.

/** A part of the page with a heading. */
const section = (id, title, ...nodes) =>
  element("section", { class: "panel", id, "aria-labelledby": `${id}-title` }, element("h2", { id: `${id}-title` }, title), ...nodes);

const cards = (...entries) => element("dl", { class: "cards" }, ...entries);
/** A number that matters, with what it is and what it is measured against; `name` is for programs. */
const card = (name, term, value, note) =>
  element("div", { "data-score": name }, element("dt", {}, term), element("dd", {}, value), element("dd", { class: "soft" }, note));

const list = items => element("ul", {}, ...items.map(item => element("li", {}, item)));
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
  show(unpack(JSON.parse(byId("data").textContent)));
  requestAnimationFrame(() => setTimeout(() => { document.body.dataset.drawn = Math.round(performance.now() - started); }));
}
