"use strict";
// Nodes of a page.

/** An element with attributes ("onclick": a listener, true: an empty attribute, false or null: none) and children. */
function element(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (value !== false && value !== null && value !== undefined) node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children);
  return node;
}

const byId = id => document.getElementById(id);

/** Replaces what is inside the element `id`. */
const fill = (id, ...children) => byId(id).replaceChildren(...children);

/** A drop-down list of [value, label] pairs; the select has the name `label`. */
function choice(label, options, selected, onchange) {
  const select = element("select", { name: label, onchange: event => onchange(event.target.value) },
    ...options.map(([value, text]) => element("option", { value, selected: value === selected }, text)));
  return element("label", { class: "choice" }, element("span", {}, label), select);
}

/** Terms with their values: [term, value] pairs without those that have none. */
function facts(pairs) {
  const shown = pairs.filter(([, value]) => present(value));
  return element("dl", { class: "facts" },
    ...shown.flatMap(([term, value]) => [element("dt", {}, term), element("dd", {}, value)]));
}
