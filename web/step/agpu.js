"use strict";
// A run on AGPU: state of the memories after each step, and drawings.

const kinds = ["arithmetic", "read", "write", "atomic", "control", "sync"];

class AgpuRun {
  constructor(run) {
    Object.assign(this, run);
    this.first = 0;  // number of the first step
    this.b = run.spec.b;
    this.across = this.V = run.spec.V;
    this.columns = Math.min(this.V, this.b * Math.max(1, Math.floor(most / this.b)));  // whole warps
    this.from = 0;
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
  /// Bank -> the different words that one of these warps asks of it, where that is more than one.
  crowdedBanks(e, warps = this.warps(e)) {
    const array = this.arrays[e.array], crowded = new Map();
    if (!array.shared || e.cost.conflicts === 0) return crowded;
    for (const warp of warps) {
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
  /// `named`: with the banks of conflicts, which the picture of the memory marks.
  verdict(e, named = true) {
    if (e.array === null) return e.kind === "sync" ? "sync: free" : e.kind === "control" ? `${plural(e.lanes.length, "lane")} go on` : plural(e.cost.instructions, "instruction");
    const c = e.cost, array = this.arrays[e.array];
    if (array.shared) {
      const banks = [...this.crowdedBanks(e)].map(([bank, degree]) => `bank ${bank} \u00d7${degree}`);
      const crowded = banks.slice(0, 4).join(", ") + (banks.length > 4 ? `, \u2026 (${banks.length} banks)` : "");
      return `${plural(c.wavefronts, "wavefront")}, ` + (c.conflicts ? `${plural(c.conflicts, "bank conflict")}${named && crowded ? ": " + crowded : ""}` : "no bank conflict");
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
    const shown = { Q: s.Q, conflicts: s.conflicts, "time units of all tasks": s.T, "T of the phases before": ended, "read rounds": s.rounds, instructions: s.instructions };
    if (this.totals) for (const key of ["Q", "conflicts", "instructions"]) shown[key] = `${integer(s[key])} of ${integer(this.totals[key])}`;
    return shown;
  }
  phaseOf(i) { return this.events[Math.min(i, this.events.length - 1)]?.[2]; }

  caption() { return "Lanes across, time down; grey: inactive"; }
  follow(i) {
    const e = this.event(i), crowded = e && e.array !== null ? this.warps(e).filter(warp => this.crowdedBanks(e, [warp]).size > 0) : [];
    follow(this, crowded.length > 0 ? crowded.flat().map(x => x.lane) : e?.lanes ?? []);
  }
  drawLanes(i) {
    const first = Math.max(0, i - 9), last = Math.min(this.length, first + 16);
    const head = element("tr", {}, element("th", { scope: "col" }, "step"), element("th", { scope: "col", class: "left" }, "what"), ...Array.from({ length: Math.min(this.columns, this.V - this.from) }, (_, c) => element("th", { scope: "col" }, String(this.from + c))));
    const rows = [];
    for (let k = first; k < last; ++k) rows.push(this.laneRow(k, k === i));
    return element("table", {}, element("thead", {}, head), element("tbody", {}, ...rows));
  }
  laneRow(k, now) {
    const e = this.event(k), attributes = { class: "step" + (now ? " now" : ""), "aria-current": now && "step", onclick: () => show(k) };
    if (!e) return element("tr", attributes, element("th", {}, String(k)), element("td", { class: "left bad", colspan: this.columns + 1 }, "rule violation"));
    const what = e.array === null ? e.kind : `${e.kind} ${this.arrays[e.array].name}`;
    const cells = Array.from({ length: Math.min(this.columns, this.V - this.from) }, () => element("td", { class: "idle" }, "\u00b7"));
    e.lanes.forEach((lane, x) => {
      const c = lane - this.from;
      if (c < 0 || c >= cells.length) return;
      cells[c] = element("td", { class: now && e.array !== null ? e.kind : null }, e.values[x] ?? "");
      if (e.array !== null) cells[c].append(element("small", {}, `[${e.elements[x]}]`));
    });
    return element("tr", attributes, element("th", { scope: "row" }, String(k)), element("td", { class: "left" }, `${what} :${e.place[1]}`), ...cells);
  }
  /// The accessed array is the first.
  drawMemory(i) {
    const e = this.event(i), parts = [];
    this.arrays.forEach((array, index) => {
      if (e && e.array === index) parts.unshift(this.memoryTable(array, index, e));
      else if (!array.shared || this.memory[index].size > 0) parts.push(this.memoryTable(array, index, null));
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
    const note = e ? this.verdict(e, false) : "";
    return element("section", { class: "panel" }, element("h2", {}, name), element("p", { class: e && (e.cost.conflicts > 0 || /not coal/.test(note)) ? "bad" : "soft" }, note || (array.shared ? "columns are banks" : "rows are blocks")),
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
    const bars = this.bars.slice(0, 2000), height = 14, width = Math.max(300, byId("strip").clientWidth);  // so that text keeps its size
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
    return this.left_out ? [`${this.left_out}; memory shows what these did.`] : [];
  }
}
