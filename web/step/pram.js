"use strict";
// A run on a PRAM, likewise.

const combined = { sum: "sum", max: "maximum", min: "minimum", or: "bitwise or", xor: "exclusive or", arbitrary: "one of them, at random", priority: "the smallest processor's", common: "all agree" };

class PramRun {
  constructor(run) {
    Object.assign(this, run);
    this.first = 1;
    this.whole = run.steps.length;  // steps that broke no rule
    if (run.broken) this.steps = [...run.steps, run.broken];
    this.length = this.whole + (run.violation ? 1 : 0);
    this.across = this.processors = Math.max(1, ...this.steps.map(s => s.processors));
    this.columns = Math.min(this.processors, most);
    this.from = 0;
  }
  place(i) { return i < this.steps.length ? this.steps[i].place : (this.steps.length ? this.steps[this.steps.length - 1].place : null); }
  isConflict(i) { return i >= this.whole || this.concurrent(i).length > 0; }
  goTo(i) {
    this.cells = [...this.initial];
    for (let k = 0; k <= i && k < this.whole; ++k) for (const [cell, value] of this.steps[k].results) this.cells[cell] = value;
  }
  name(cell) {
    const array = this.arrays.find(a => cell >= a.first && cell < a.first + a.size);
    return array ? `${array.name}[${cell - array.first}]` : String(cell);
  }
  /// The cells with several writers in a step: their writers and what they combine to.
  concurrent(i) {
    const writers = new Map();
    for (const [processor, cell, value, accumulates] of this.steps[i].writes) writers.set(cell, [...(writers.get(cell) ?? []), { processor, value, accumulates }]);
    const results = new Map(this.steps[i].results);
    return [...writers].filter(([, w]) => w.length > 1).map(([cell, w]) => ({ cell, writers: w, result: results.get(cell) }));
  }
  describe(i) {
    if (i >= this.whole) return this.violation;
    const s = this.steps[i], crowd = this.concurrent(i).length;
    return `${s.name}: ${plural(s.processors, "processor")}, ${plural(s.reads.length, "read")}, ${plural(s.writes.length, "write")}` + (crowd ? `; ${plural(crowd, "cell")} with concurrent writes` : "");
  }
  counts(i) {
    const past = this.steps.slice(0, Math.min(i + 1, this.whole));
    const active = s => new Set([...s.reads.map(r => r[0]), ...s.writes.map(w => w[0]), ...s.computing]).size;
    return { "steps (time)": past.length, processors: Math.max(0, ...past.map(s => s.processors)), work: past.reduce((sum, s) => sum + active(s), 0) };
  }
  phaseOf(i) { return i; }
  caption() { return "Processors across, time down"; }
  follow(i) {
    const s = this.steps[i];
    follow(this, s ? [...s.reads.map(r => r[0]), ...s.writes.map(w => w[0]), ...s.computing] : []);
  }
  drawLanes(i) {
    const columns = Math.min(this.columns, this.processors - this.from), first = Math.max(0, i - 6), last = Math.min(this.length, first + 10), rows = [];
    for (let k = first; k < last; ++k) {
      const now = k === i, attributes = { class: "step" + (now ? " now" : ""), "aria-current": now && "step", onclick: () => show(k) };
      if (k >= this.steps.length) { rows.push(element("tr", attributes, element("th", {}, String(k + 1)), element("td", { class: "left bad", colspan: columns + 1 }, "rule violation"))); continue; }
      const s = this.steps[k], cells = Array.from({ length: columns }, (_, p) => element("td", { class: "idle" }, this.from + p < s.processors ? "\u00b7" : ""));
      const put = (processor, text, kind) => {
        const p = processor - this.from;
        if (p < 0 || p >= columns) return;
        if (cells[p].classList.contains("idle")) cells[p] = element("td", { class: "left" });
        if (now && kind) cells[p].className = "left " + kind;
        cells[p].append(element("small", {}, text));
      };
      for (const [p, cell, value] of s.reads) put(p, `read ${this.name(cell)} = ${value}`, "read");
      for (const [p, cell, value, accumulates] of s.writes) put(p, `${this.name(cell)} ${accumulates ? "+=" : "\u2190"} ${value}`, "write");
      for (const p of s.computing) put(p, "computes");
      rows.push(element("tr", attributes, element("th", { scope: "row" }, String(k + 1)), element("td", { class: k < this.whole ? "left" : "left bad" }, s.name + (k < this.whole ? "" : ": rule violation")), ...cells));
    }
    const head = element("tr", {}, element("th", {}, "step"), element("th", { class: "left" }, "name"), ...Array.from({ length: columns }, (_, p) => element("th", { scope: "col" }, `P${this.from + p}`)));
    return element("table", {}, element("thead", {}, head), element("tbody", {}, ...rows));
  }
  drawMemory(i) {
    const s = this.steps[i], parts = [], readers = new Map(), writers = new Map();
    if (s) {
      for (const [p, cell] of s.reads) readers.set(cell, [...(readers.get(cell) ?? []), p]);
      for (const [p, cell] of s.writes) writers.set(cell, [...(writers.get(cell) ?? []), p]);
      const crowd = this.concurrent(i);
      if (crowd.length) {
        const lines = crowd.slice(0, 32).map(c => element("tr", {}, element("th", { scope: "row", class: "left" }, this.name(c.cell)), element("td", { class: "left" }, c.writers.slice(0, 16).map(w => `P${w.processor}: ${w.value}`).join(", ") + (c.writers.length > 16 ? `, \u2026 (${c.writers.length})` : "")),
          element("td", { class: "write" }, String(c.result ?? "nothing")), element("td", { class: "left" }, (combined[this.access] ?? "") + (c.writers[0].accumulates ? ", with the old content" : ""))));
        parts.push(element("section", { class: "panel" }, element("h2", {}, "Concurrent writes"), element("div", { class: "scroll" }, element("table", {}, element("thead", {}, element("tr", {}, ...["cell", "writers", "receives", "rule"].map(t => element("th", { class: "left", scope: "col" }, t)))), element("tbody", {}, ...lines)))));
      }
    }
    for (const array of this.arrays) {
      const per = Math.min(array.size, 16), rows = Math.min(Math.ceil(array.size / 16), 32);
      const body = Array.from({ length: rows }, (_, r) => element("tr", {}, element("th", { scope: "row" }, String(r * 16)), ...Array.from({ length: per }, (_, c) => {
        const index = r * 16 + c, cell = array.first + index;
        if (index >= array.size) return element("td", { class: "idle" }, "");
        const w = writers.get(cell), q = readers.get(cell), td = element("td", { class: w ? (w.length > 1 ? "conflict" : "write") : q ? "read" : null }, this.cells[cell] === null ? "" : String(this.cells[cell]));
        if (w || q) td.append(element("small", {}, (q ? `${q.length > 1 ? q.length + " read" : "P" + q[0] + " reads"}` : "") + (q && w ? ", " : "") + (w ? `${w.length > 1 ? w.length + " write" : "P" + w[0] + " writes"}` : "")));
        return td;
      })));
      parts.push(element("section", { class: "panel" }, element("h2", {}, `${array.name}, ${plural(array.size, "cell")}`), element("div", { class: "scroll" }, element("table", {}, element("tbody", {}, ...body)))));
    }
    return parts;
  }
  drawStrip() { return ""; }
  notes() { return []; }
}
