"use strict";
// A recorded run, step by step: state of the memories after each step, drawings, controls.
const data = JSON.parse(document.getElementById("data").textContent);
const integer = new Intl.NumberFormat("en").format;
const words = text => text === "" ? [] : text.split(" ");

function element(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [key, value] of Object.entries(attributes))
    if (key.startsWith("on")) node.addEventListener(key.slice(2), value);
    else if (value !== false && value !== null && value !== undefined) node.setAttribute(key, value === true ? "" : value);
  node.append(...children);
  return node;
}
function svg(tag, attributes = {}, ...children) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  node.append(...children);
  return node;
}
const at = id => document.getElementById(id);
const plural = (count, one, many = one + "s") => `${integer(count)} ${count === 1 ? one : many}`;

// --- an AGPU run -----------------------------------------------------------------------------------
const kinds = ["arithmetic", "read", "write", "atomic", "control", "sync"];

class AgpuRun {
  constructor(run) {
    Object.assign(this, run);
    this.first = 0;  // number of the first step
    this.b = run.spec.b;
    this.V = run.spec.V;
    this.length = run.events.length + (run.violation ? 1 : 0);
    this.memory = run.arrays.map(a => a.shared ? new Map() : new Map(a.initial.map((v, i) => [i, v])));
    this.undo = [];
    this.done = 0;
    this.sums = [{ T: 0, Q: 0, conflicts: 0, rounds: 0, instructions: 0 }];
    this.decoded = new Map();
  }
  event(i) {
    if (i < 0 || i >= this.events.length) return null;
    let e = this.decoded.get(i);
    if (e) return e;
    const r = this.events[i], mask = r[4] || "1".repeat(this.V);
    const lanes = [...mask].flatMap((c, lane) => c === "1" ? [lane] : []);
    const elements = Array.isArray(r[6]) ? r[6] : Array.from({ length: r[6].count }, (_, k) => r[6].first + k * r[6].distance);
    e = { kind: kinds[r[0]], place: this.places[r[1]], phase: r[2], task: r[3], lanes, array: r[5] < 0 ? null : r[5], elements, values: words(r[7]), after: words(r[8]),
      cost: { time: r[9], Q: r[10], sectors: r[11], wavefronts: r[12], conflicts: r[13], serialised: r[14], rounds: r[15], instructions: r[16] } };
    if (this.decoded.size > 5000) this.decoded.clear();
    this.decoded.set(i, e);
    return e;
  }
  place(i) { return i < this.events.length ? this.places[this.events[i][1]] : this.places[this.violation_place]; }
  isConflict(i) { return i < this.events.length ? this.events[i][13] > 0 : true; }
  /// Brings the memories to what they are after step `i`.
  goTo(i) {
    while (this.done > i + 1) this.back();
    while (this.done <= i && this.done < this.events.length) this.forward();
  }
  forward() {
    const i = this.done++, e = this.event(i), before = i > 0 ? this.events[i - 1] : null, undo = { cells: [], shared: null };
    if (before && (before[2] !== e.phase || before[3] !== e.task)) {
      undo.shared = this.memory.map((m, k) => this.arrays[k].shared ? m : null);
      this.memory = this.memory.map((m, k) => this.arrays[k].shared ? new Map() : m);
    }
    if (e.array !== null) {
      const memory = this.memory[e.array], values = e.kind === "atomic" ? e.after : e.values;
      for (let k = e.elements.length; k-- > 0;) {  // the lowest lane wins
        undo.cells.push([e.array, e.elements[k], memory.get(e.elements[k])]);
        memory.set(e.elements[k], values[k]);
      }
    }
    this.undo[i] = undo;
    const s = this.sums[i];
    this.sums[i + 1] ??= { T: s.T + e.cost.time, Q: s.Q + e.cost.Q, conflicts: s.conflicts + e.cost.conflicts, rounds: s.rounds + e.cost.rounds, instructions: s.instructions + e.cost.instructions };
  }
  back() {
    const undo = this.undo[--this.done];
    for (let k = undo.cells.length; k-- > 0;) {
      const [array, index, value] = undo.cells[k];
      if (value === undefined) this.memory[array].delete(index); else this.memory[array].set(index, value);
    }
    if (undo.shared) this.memory = this.memory.map((m, k) => undo.shared[k] ?? m);
  }
  /// The active lanes of each warp with their elements.
  warps(e) {
    const warps = new Map();
    e.lanes.forEach((lane, k) => {
      const w = Math.floor(lane / this.b);
      if (!warps.has(w)) warps.set(w, []);
      warps.get(w).push({ lane, element: e.elements[k] });
    });
    return [...warps.values()];
  }
  leastBlocks(e) {
    const size = this.arrays[e.array].words;
    return this.warps(e).reduce((sum, warp) => sum + Math.ceil(new Set(warp.map(x => x.element)).size * size / this.b), 0);
  }
  /// Bank -> the different words that one warp asks of it, where that is more than one.
  crowdedBanks(e) {
    const array = this.arrays[e.array], crowded = new Map();
    if (!array.shared || e.cost.conflicts === 0) return crowded;
    for (const warp of this.warps(e)) {
      const banks = new Map();
      for (const { lane, element: index } of warp) {
        const word = array.first + index * array.words, bank = word % this.b;
        if (!banks.has(bank)) banks.set(bank, []);
        banks.get(bank).push(e.kind === "atomic" ? lane + ":" + word : word);
      }
      for (const [bank, asked] of banks) {
        const degree = new Set(asked).size;
        if (degree > 1) crowded.set(bank, Math.max(degree, crowded.get(bank) ?? 0));
      }
    }
    return crowded;
  }
  multiprocessor(e) { return this.phases[e.phase].multiprocessors[e.task] ?? e.task % this.multiprocessors; }
  verdict(e) {
    if (e.array === null) return e.kind === "sync" ? "sync: free" : e.kind === "control" ? `${plural(e.lanes.length, "lane")} go on` : plural(e.cost.instructions, "instruction");
    const c = e.cost, array = this.arrays[e.array];
    if (array.shared) {
      const crowded = [...this.crowdedBanks(e)].map(([bank, degree]) => `bank ${bank} \u00d7${degree}`).join(", ");
      return `${plural(c.wavefronts, "wavefront")}, ` + (c.conflicts ? `${plural(c.conflicts, "bank conflict")}${crowded ? ": " + crowded : ""}` : "no bank conflict");
    }
    const least = this.leastBlocks(e);
    return `${plural(c.Q, "block")}, ${plural(c.sectors, "sector")}: ` + (c.Q > least ? `not coalesced, ${plural(least, "block")} would do` : "coalesced") + (c.serialised ? `, ${integer(c.serialised)} serialised` : "");
  }
  describe(i) {
    const e = this.event(i);
    if (!e) return this.violation;
    const phase = this.phases[e.phase];
    const what = e.array === null ? e.kind : `${e.kind} ${this.arrays[e.array].shared ? "shared" : "global"} ${this.arrays[e.array].name}`;
    return `phase ${e.phase} ${phase.kernel}, task ${e.task} of ${phase.tasks} on multiprocessor ${this.multiprocessor(e)}: ${what}, ${e.lanes.length} of ${this.V} lanes; ${this.verdict(e)}` +
      (e.cost.rounds ? "; waits for global reads" : "");
  }
  counts(i) {
    const s = this.sums[Math.min(i + 1, this.done)];
    const ended = this.phases.slice(0, this.event(Math.min(i, this.events.length - 1))?.phase ?? 0).reduce((sum, p) => sum + p.T, 0);
    const shown = { "time units of all tasks": s.T, "T of the phases before": ended, Q: s.Q, conflicts: s.conflicts, "read rounds": s.rounds, instructions: s.instructions };
    if (this.totals) for (const key of ["Q", "conflicts", "instructions"]) shown[key] = `${integer(s[key])} of ${integer(this.totals[key])}`;
    return shown;
  }
  phaseOf(i) { return this.events[Math.min(i, this.events.length - 1)]?.[2]; }

  drawLanes(i) {
    const first = Math.max(0, i - 9), last = Math.min(this.length, first + 16);
    const head = element("tr", {}, element("th", { scope: "col" }, "step"), element("th", { scope: "col", class: "left" }, "what"), ...Array.from({ length: this.V }, (_, lane) => element("th", { scope: "col" }, String(lane))));
    const rows = [];
    for (let k = first; k < last; ++k) rows.push(this.laneRow(k, k === i));
    return element("table", {}, element("caption", { class: "soft left" }, "Lanes in columns, time downwards; grey: inactive"), element("thead", {}, head), element("tbody", {}, ...rows));
  }
  laneRow(k, now) {
    const e = this.event(k), attributes = { class: "step" + (now ? " now" : ""), "aria-current": now && "step", onclick: () => show(k) };
    if (!e) return element("tr", attributes, element("th", {}, String(k)), element("td", { class: "left bad", colspan: this.V + 1 }, "rule violation"));
    const what = e.array === null ? e.kind : `${e.kind} ${this.arrays[e.array].name}`;
    const cells = Array.from({ length: this.V }, () => element("td", { class: "idle" }, "\u00b7"));
    e.lanes.forEach((lane, x) => {
      cells[lane] = element("td", { class: now && e.array !== null ? e.kind : null }, e.values[x] ?? "");
      if (e.array !== null) cells[lane].append(element("small", {}, `[${e.elements[x]}]`));
    });
    return element("tr", attributes, element("th", { scope: "row" }, String(k)), element("td", { class: "left" }, `${what} :${e.place[1]}`), ...cells);
  }
  drawMemory(i) {
    const e = this.event(i), parts = [];
    this.arrays.forEach((array, index) => {
      const mine = e && e.array === index;
      if (array.shared && !mine && this.memory[index].size === 0) return;
      parts.push(this.memoryTable(array, index, mine ? e : null));
    });
    return parts;
  }
  memoryTable(array, index, e) {
    const memory = this.memory[index], b = this.b;
    const per = Math.max(1, Math.floor(b / array.words));  // elements of a row
    const offset = array.shared ? Math.floor(array.first % b / array.words) : 0;  // so that columns are banks
    const rowOf = x => Math.floor((x + offset) / per), rows = rowOf(array.size - 1) + 1;
    const lanes = new Map();
    if (e) e.elements.forEach((x, k) => lanes.set(x, [...(lanes.get(x) ?? []), e.lanes[k]]));
    const touched = new Set([...lanes.keys()].map(rowOf));
    let shown = Array.from({ length: Math.min(rows, 4096) }, (_, r) => r);
    if (rows > 16) {
      const near = new Set([...touched].flatMap(r => [r - 1, r, r + 1]).concat([0, 1]));
      shown = [...near].filter(r => r >= 0 && r < rows).sort((x, y) => x - y).slice(0, 48);
    }
    const crowded = e ? this.crowdedBanks(e) : new Map();
    const column = c => array.shared ? c * array.words : null;
    const heads = Array.from({ length: per }, (_, c) => {
      const degree = array.shared && crowded.get(column(c));
      return element("th", { scope: "col", class: degree ? "conflict" : null, title: degree ? `bank ${column(c)}: ${degree} words asked by one warp` : null }, array.shared ? `${column(c)}${degree ? " \u00d7" + degree : ""}` : String(c));
    });
    const body = shown.map(r => element("tr", { class: touched.has(r) ? "touched" : null }, element("th", { scope: "row", class: "left" }, array.shared ? String(r) : `block ${r}`),
      ...Array.from({ length: per }, (_, c) => {
        const x = r * per + c - offset;
        if (x < 0 || x >= array.size) return element("td", { class: "idle" }, "");
        const who = lanes.get(x), degree = who && crowded.get(column(c));
        const cell = element("td", { class: who ? (degree ? "conflict" : e.kind) : null }, memory.get(x) ?? "");
        if (who) cell.append(element("small", {}, "lane " + (who.length > 3 ? `${who[0]}\u2026${who[who.length - 1]}` : who.join(","))));
        return cell;
      })));
    const name = `${array.shared ? "Shared" : "Global"} memory: ${array.name}, ${plural(array.size, "element")}` + (array.words > 1 ? ` of ${array.words} words` : "");
    const note = e ? this.verdict(e) : "";
    return element("section", { class: "panel" }, element("h2", {}, name), element("p", { class: /not coal|bank conflict[s:]|bank conflicts/.test(note) && !/no bank/.test(note) ? "bad" : "soft" }, note || (array.shared ? "columns are banks" : "rows are blocks")),
      element("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": name }, element("table", {}, element("thead", {}, element("tr", {}, element("th", { class: "left" }, array.shared ? "bank" : ""), ...heads)), element("tbody", {}, ...body))));
  }
  /// Phases from left to right, in each the multiprocessors below each other, tasks as bars of their time.
  drawStrip(i) {
    if (!this.bars) {
      this.bars = [];
      this.events.forEach((r, k) => {
        const last = this.bars[this.bars.length - 1];
        if (last && last.phase === r[2] && last.task === r[3]) { last.time += r[9]; last.end = k; return; }
        this.bars.push({ phase: r[2], task: r[3], time: r[9], begin: k, end: k });
      });
    }
    const bars = this.bars.slice(0, 2000), height = 14, width = Math.max(300, at("strip").clientWidth);  // so that text keeps its size
    const rows = [...new Set(bars.map(x => this.multiprocessor(x)))].sort((x, y) => x - y).slice(0, 16);
    const lengths = new Map(), load = new Map();
    for (const bar of bars) {
      const key = bar.phase + ":" + this.multiprocessor(bar);
      bar.x = load.get(key) ?? 0;
      load.set(key, bar.x + bar.time);
      lengths.set(bar.phase, Math.max(lengths.get(bar.phase) ?? 0, bar.x + bar.time));
    }
    const starts = new Map();
    let total = 0;
    for (const [phase, length] of lengths) { starts.set(phase, total); total += Math.max(length, 1); }
    const scale = (width - 40) / Math.max(total, 1);
    const picture = svg("svg", { class: "strip", viewBox: `0 0 ${width} ${rows.length * height + 4}`, role: "img", "aria-label": `Tasks of ${lengths.size} phases on ${rows.length} multiprocessors` });
    rows.forEach((mp, r) => picture.append(svg("text", { x: 0, y: r * height + 11 }, `MP ${mp}`)));
    for (const bar of bars) {
      const r = rows.indexOf(this.multiprocessor(bar));
      if (r < 0) continue;
      const now = bar.begin <= i && i <= bar.end;
      const rect = svg("rect", { x: 40 + (starts.get(bar.phase) + bar.x) * scale, y: r * height + 1, width: Math.max(1, bar.time * scale), height: height - 2,
        fill: now ? "var(--write)" : bar.phase % 2 ? "var(--soft)" : "var(--read)", opacity: now ? 1 : 0.55 }, svg("title", {}, `phase ${bar.phase} ${this.phases[bar.phase].kernel}, task ${bar.task}: ${bar.time} time units, steps ${bar.begin} to ${bar.end}`));
      rect.addEventListener("click", () => show(bar.begin));
      picture.append(rect);
    }
    return picture;
  }
  notes() {
    return this.seen > this.events.length ? [`${integer(this.events.length)} of ${integer(this.seen)} instructions are recorded (--limit, --phase, --task, --accesses); memory shows what these did.`] : [];
  }
}

// --- a PRAM run ------------------------------------------------------------------------------------
const combined = { sum: "sum", max: "maximum", min: "minimum", or: "bitwise or", xor: "exclusive or", arbitrary: "one of them, at random", priority: "the smallest processor's", common: "all agree" };

class PramRun {
  constructor(run) {
    Object.assign(this, run);
    this.first = 1;
    this.whole = run.steps.length;  // steps that broke no rule
    if (run.broken) this.steps = [...run.steps, run.broken];
    this.length = this.whole + (run.violation ? 1 : 0);
    this.processors = Math.max(1, ...this.steps.map(s => s.processors));
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
  drawLanes(i) {
    const columns = Math.min(this.processors, 64), first = Math.max(0, i - 6), last = Math.min(this.length, first + 10), rows = [];
    for (let k = first; k < last; ++k) {
      const now = k === i, attributes = { class: "step" + (now ? " now" : ""), "aria-current": now && "step", onclick: () => show(k) };
      if (k >= this.steps.length) { rows.push(element("tr", attributes, element("th", {}, String(k + 1)), element("td", { class: "left bad", colspan: columns + 1 }, "rule violation"))); continue; }
      const s = this.steps[k], cells = Array.from({ length: columns }, (_, p) => element("td", { class: "idle" }, p < s.processors ? "\u00b7" : ""));
      const put = (p, text, kind) => {
        if (p >= columns) return;
        if (cells[p].classList.contains("idle")) cells[p] = element("td", { class: "left" });
        if (now && kind) cells[p].className = "left " + kind;
        cells[p].append(element("small", {}, text));
      };
      for (const [p, cell, value] of s.reads) put(p, `read ${this.name(cell)} = ${value}`, "read");
      for (const [p, cell, value, accumulates] of s.writes) put(p, `${this.name(cell)} ${accumulates ? "+=" : "\u2190"} ${value}`, "write");
      for (const p of s.computing) put(p, "computes");
      rows.push(element("tr", attributes, element("th", { scope: "row" }, String(k + 1)), element("td", { class: k < this.whole ? "left" : "left bad" }, s.name + (k < this.whole ? "" : ": rule violation")), ...cells));
    }
    const head = element("tr", {}, element("th", {}, "step"), element("th", { class: "left" }, "name"), ...Array.from({ length: columns }, (_, p) => element("th", { scope: "col" }, "P" + p)));
    const caption = "Processors in columns, time downwards" + (this.processors > columns ? `; the first ${columns} of ${integer(this.processors)}` : "");
    return element("table", {}, element("caption", { class: "soft left" }, caption), element("thead", {}, head), element("tbody", {}, ...rows));
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

// --- controls --------------------------------------------------------------------------------------
const runs = data.runs.map(run => run.kind === "agpu" ? new AgpuRun(run) : new PramRun(run));
let run = null, current = 0, timer = null;

const axes = [["n", r => String(r.n)], ["b", r => r.spec ? String(r.spec.b) : ""], ["M", r => r.spec ? String(r.spec.M) : ""], ["variant", r => r.variant]];
function chooseRun() {
  const wanted = axes.map(([name]) => at("axis-" + name)?.value);
  const score = r => axes.reduce((sum, [, value], k) => sum + (wanted[k] === undefined || value(r) === wanted[k] ? 1 : 0), 0);
  open(runs.reduce((best, r) => score(r) > score(best) ? r : best, runs[0]), 0);
}
function open(next, step) {
  stop();
  run = next;
  at("title").textContent = run.title;
  at("subtitle").textContent = run.machine;
  document.title = `agpusim: ${run.title}`;
  for (const [name, value] of axes) if (at("axis-" + name)) at("axis-" + name).value = value(run);
  at("slider").min = at("number").min = run.first;
  at("slider").max = at("number").max = run.first + Math.max(0, run.length - 1);
  at("notes").replaceChildren(...run.notes().map(text => element("p", { class: "bad" }, text)));
  show(step);
}
function drawSource(i) {
  const place = run.place(i);
  if (!place) return;
  const [number, line] = place, file = data.files[number];
  at("file").textContent = `${file.name}:${line}`;
  const box = at("source");
  if (box.dataset.file !== String(number)) {
    box.dataset.file = number;
    box.replaceChildren(...(file.lines.length ? file.lines.map((text, k) => element("div", {}, element("span", { class: "number" }, String(k + 1)), text)) : ["The file is not readable where the page was made."]));
  }
  box.querySelector(".now")?.classList.remove("now");
  const row = file.lines.length ? box.children[line - 1] : null;
  if (row) {
    row.classList.add("now");
    box.scrollTop = row.offsetTop - box.offsetTop - box.clientHeight / 2;
  }
}
function show(step) {
  if (run.length === 0) { at("status").textContent = "Nothing was recorded."; return; }
  current = Math.min(Math.max(0, step), run.length - 1);
  run.goTo(current);
  const number = current + run.first;
  at("slider").value = at("number").value = number;
  const broken = run.violation && current === run.length - 1;
  at("status").textContent = `Step ${number} of ${run.length - 1 + run.first}: ${run.describe(current)}`;
  at("status").className = broken || (run.kind === "agpu" && run.isConflict(current)) ? "bad" : "";
  at("counts").replaceChildren(...Object.entries(run.counts(current)).map(([name, value]) => element("span", {}, name + " ", element("b", {}, typeof value === "number" ? integer(value) : value))));
  at("strip").replaceChildren(run.drawStrip(current));
  at("lanes").replaceChildren(run.drawLanes(current));
  at("memory").replaceChildren(...run.drawMemory(current));
  drawSource(current);
  const link = `#run=${runs.indexOf(run)}&step=${number}`;
  at("link").href = link;
  history.replaceState(null, "", link);
}
function stop() {
  clearInterval(timer);
  timer = null;
  if (at("play")) { at("play").textContent = "\u25b6 Play"; at("play").setAttribute("aria-pressed", "false"); }
}
function play() {
  if (timer !== null) { stop(); return; }
  if (current === run.length - 1) show(0);
  timer = setInterval(() => { if (current >= run.length - 1) stop(); else show(current + 1); }, Number(at("speed").value));
  at("play").textContent = "\u2016 Pause";
  at("play").setAttribute("aria-pressed", "true");
}
function nextWhere(test, direction = 1) {
  for (let k = current + direction; k >= 0 && k < run.length; k += direction) if (test(k)) { show(k); return; }
}
const conflict = direction => nextWhere(k => run.isConflict(k), direction);
const phase = direction => nextWhere(k => run.phaseOf(k) !== run.phaseOf(current), direction);
const keys = { ArrowRight: () => show(current + 1), ArrowDown: () => show(current + 1), ArrowLeft: () => show(current - 1), ArrowUp: () => show(current - 1), PageDown: () => show(current + 10), PageUp: () => show(current - 10),
  Home: () => show(0), End: () => show(run.length - 1), " ": play, c: () => conflict(1), C: () => conflict(-1), p: () => phase(1), P: () => phase(-1), g: () => at("number").focus() };

function build() {
  const button = (id, label, title, action) => element("button", { type: "button", id, title, "aria-label": title, onclick: () => { if (id !== "play") stop(); action(); } }, label);
  const choices = axes.flatMap(([name, value]) => {
    const values = [...new Set(runs.map(value))];
    if (values.length < 2) return [];
    return [element("label", {}, name + " ", element("select", { id: "axis-" + name, onchange: chooseRun }, ...values.map(v => element("option", { value: v }, v))))];
  });
  const bar = element("div", { class: "panel bar", role: "toolbar", "aria-label": "Steps" }, ...choices,
    button("first", "|\u25c0", "First step (Home)", keys.Home), button("back", "\u25c0 Back", "Back (left arrow)", keys.ArrowLeft), button("play", "\u25b6 Play", "Play or pause (space)", play),
    button("forward", "Forward \u25b6", "Forward (right arrow)", keys.ArrowRight), button("last", "\u25b6|", "Last step (End)", keys.End),
    button("conflict", "Next conflict", "Next step with a conflict (c)", keys.c), button("phase", "Next phase", "Next phase (p)", keys.p),
    element("input", { type: "range", id: "slider", "aria-label": "Step", oninput: e => { stop(); show(Number(e.target.value) - run.first); } }),
    element("label", {}, "step ", element("input", { type: "number", id: "number", onchange: e => { stop(); show(Number(e.target.value) - run.first); } })),
    element("label", {}, "each ", element("select", { id: "speed", onchange: () => { if (timer !== null) { stop(); play(); } } }, ...[[1000, "1 s"], [400, "0.4 s"], [150, "0.15 s"]].map(([v, t]) => element("option", { value: v, selected: v === 400 }, t)))),
    element("a", { id: "link", href: "#" }, "link to this step"));
  const help = element("details", {}, element("summary", {}, "Keys"), element("p", {}, ...[["\u2190 \u2192", "one step"], ["Page up, Page down", "ten steps"], ["Home, End", "first, last"], ["space", "play"], ["c, C", "next, previous conflict"], ["p, P", "next, previous phase"], ["g", "go to a step"]].flatMap(([k, t]) => [element("kbd", {}, k), ` ${t}  `])));
  at("page").append(bar, element("div", { id: "notes" }),
    element("section", { class: "panel" }, element("p", { id: "status", role: "status", "aria-live": "polite" }), element("div", { id: "counts", class: "counts" }), element("div", { id: "strip" })),
    element("div", { class: "views" },
      element("div", {}, element("section", { class: "panel" }, element("h2", { id: "file" }), element("div", { id: "source", class: "source", tabindex: "0", role: "region", "aria-label": "Source" })), element("div", { class: "panel" }, help)),
      element("div", { class: "side" }, element("section", { class: "panel" }, element("div", { id: "lanes", class: "scroll", tabindex: "0", role: "region", "aria-label": "Lanes or processors" })), element("div", { id: "memory" }))));
}
document.addEventListener("keydown", e => {
  if (e.ctrlKey || e.altKey || e.metaKey || ["INPUT", "SELECT", "TEXTAREA"].includes(e.target.tagName) || (e.key === " " && e.target.tagName === "BUTTON")) return;
  const action = keys[e.key];
  if (!action) return;
  e.preventDefault();
  if (e.key !== " ") stop();
  action();
});
function fromAddress() {
  const wanted = new URLSearchParams(location.hash.slice(1));
  const next = runs[Number(wanted.get("run"))] ?? runs[0];
  open(next, (Number(wanted.get("step")) || 0) - next.first);
}
addEventListener("hashchange", fromAddress);
build();
fromAddress();
document.body.dataset.drawn = "yes";
