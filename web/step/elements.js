"use strict";
// The page of `agpusim step`: what its runs and controls are made of.

const data = JSON.parse(byId("data").textContent);
const words = text => text === "" ? [] : text.split(" ");

function svg(tag, attributes = {}, ...children) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  node.append(...children);
  return node;
}
/// Scrolls a box, and nothing else, until one of its cells is in sight beside its headings.
function reveal(box, cell) {
  const outer = box.getBoundingClientRect(), inner = cell.getBoundingClientRect();
  const left = outer.left + cell.parentElement.cells[0].offsetWidth, top = outer.top + (box.querySelector("thead")?.offsetHeight ?? 0);
  if (inner.left < left || inner.right > outer.left + box.clientWidth) box.scrollLeft += inner.left - left;
  if (inner.top < top || inner.bottom > outer.top + box.clientHeight) box.scrollTop += inner.top - top;
}
/// The part of the columns that begins where one of these is, unless one is in the part that is shown.
function follow(run, columns) {
  if (columns.length > 0 && !columns.some(c => c >= run.from && c < run.from + run.columns)) run.from = Math.floor(columns[0] / run.columns) * run.columns;
}
const most = 32;  // lanes or processors in sight
const plural = (count, one, many = one + "s") => `${integer(count)} ${count === 1 ? one : many}`;
