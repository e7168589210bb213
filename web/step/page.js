"use strict";
// The controls of the page.

const runs = data.runs.map(run => run.kind === "agpu" ? new AgpuRun(run) : new PramRun(run));
let run = null, current = 0, timer = null;

const axes = [["n", r => String(r.n)], ["b", r => r.spec ? String(r.spec.b) : ""], ["M", r => r.spec ? String(r.spec.M) : ""], ["variant", r => r.variant]];
function chooseRun() {
  const wanted = axes.map(([name]) => byId("axis-" + name)?.value);
  const score = r => axes.reduce((sum, [, value], k) => sum + (wanted[k] === undefined || value(r) === wanted[k] ? 1 : 0), 0);
  open(runs.reduce((best, r) => score(r) > score(best) ? r : best, runs[0]), 0);
}
function open(next, step) {
  stop();
  run = next;
  byId("title").textContent = run.title;
  byId("subtitle").textContent = run.machine;
  document.title = `agpusim: ${run.title}`;
  for (const [name, value] of axes) if (byId("axis-" + name)) byId("axis-" + name).value = value(run);
  byId("slider").min = byId("number").min = run.first;
  byId("slider").max = byId("number").max = run.first + Math.max(0, run.length - 1);
  const parts = Array.from({ length: Math.ceil(run.across / run.columns) }, (_, k) => k * run.columns);
  byId("part").replaceChildren(...parts.map(from => element("option", { value: from }, `${from}\u2013${Math.min(run.across, from + run.columns) - 1} of ${integer(run.across)}`)));
  byId("window").hidden = parts.length < 2;
  byId("caption").textContent = run.caption();
  byId("notes").replaceChildren(...run.notes().map(text => element("p", { class: "bad" }, text)));
  show(step);
}
function drawSource(i) {
  const place = run.place(i);
  if (!place) return;
  const [number, line] = place, file = data.files[number];
  byId("file").textContent = `${file.name}:${line}`;
  const box = byId("source");
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
function drawLanes() {
  byId("part").value = run.from;
  byId("lanes").replaceChildren(run.drawLanes(current));
  const row = byId("lanes").querySelector("tr.now"), cell = row.querySelector("td:not(.left, .idle)");
  if (cell) reveal(byId("lanes"), cell);
  byId("lanes").scrollTop += row.getBoundingClientRect().top - byId("lanes").getBoundingClientRect().top - byId("lanes").clientHeight / 2;
}
function chooseLanes(from) {
  run.from = Math.min(Math.max(0, from), Math.floor((run.across - 1) / run.columns) * run.columns);
  drawLanes();
}
function show(step) {
  if (run.length === 0) { byId("status").textContent = "Nothing was recorded."; return; }
  current = Math.min(Math.max(0, step), run.length - 1);
  run.goTo(current);
  const number = current + run.first;
  byId("slider").value = byId("number").value = number;
  const broken = run.violation && current === run.length - 1;
  byId("status").textContent = `Step ${number} of ${run.length - 1 + run.first}: ${run.describe(current)}`;
  byId("status").className = broken || (run.kind === "agpu" && run.isConflict(current)) ? "bad" : "";
  byId("counts").replaceChildren(...Object.entries(run.counts(current)).map(([name, value]) => element("span", {}, name + " ", element("b", {}, typeof value === "number" ? integer(value) : value))));
  byId("strip").replaceChildren(run.drawStrip(current));
  run.follow(current);
  drawLanes();
  byId("memory").replaceChildren(...run.drawMemory(current));
  const word = byId("memory").querySelector("td.conflict") ?? byId("memory").querySelector("td.read, td.write, td.atomic");
  if (word) reveal(word.closest(".scroll"), word);
  drawSource(current);
  const link = `#run=${runs.indexOf(run)}&step=${number}`;
  byId("link").href = link;
  history.replaceState(null, "", link);
}
function stop() {
  clearInterval(timer);
  timer = null;
  if (byId("play")) { byId("play").textContent = "\u25b6 Play"; byId("play").setAttribute("aria-pressed", "false"); }
}
function play() {
  if (timer !== null) { stop(); return; }
  if (current === run.length - 1) show(0);
  timer = setInterval(() => { if (current >= run.length - 1) stop(); else show(current + 1); }, Number(byId("speed").value));
  byId("play").textContent = "\u2016 Pause";
  byId("play").setAttribute("aria-pressed", "true");
}
function nextWhere(test, direction = 1) {
  for (let k = current + direction; k >= 0 && k < run.length; k += direction) if (test(k)) { show(k); return; }
}
const conflict = direction => nextWhere(k => run.isConflict(k), direction);
const phase = direction => nextWhere(k => run.phaseOf(k) !== run.phaseOf(current), direction);
const keys = { ArrowRight: () => show(current + 1), ArrowDown: () => show(current + 1), ArrowLeft: () => show(current - 1), ArrowUp: () => show(current - 1), PageDown: () => show(current + 10), PageUp: () => show(current - 10),
  Home: () => show(0), End: () => show(run.length - 1), " ": play, c: () => conflict(1), C: () => conflict(-1), p: () => phase(1), P: () => phase(-1), l: () => chooseLanes(run.from + run.columns), L: () => chooseLanes(run.from - run.columns), g: () => byId("number").focus() };

function build() {
  const button = (id, label, title, action) => element("button", { type: "button", id, title, "aria-label": title, onclick: () => { if (id !== "play") stop(); action(); } }, label);
  const choices = axes.flatMap(([name, value]) => {
    const values = [...new Set(runs.map(value))];
    if (values.length < 2) return [];
    return [element("label", {}, name + " ", element("select", { id: "axis-" + name, onchange: chooseRun }, ...values.map(v => element("option", { value: v }, v))))];
  });
  const bar = element("div", { class: "panel controls", role: "toolbar", "aria-label": "Steps" }, ...choices,
    button("first", "|\u25c0", "First step (Home)", keys.Home), button("back", "\u25c0 Back", "Back (left arrow)", keys.ArrowLeft), button("play", "\u25b6 Play", "Play or pause (space)", play),
    button("forward", "Forward \u25b6", "Forward (right arrow)", keys.ArrowRight), button("last", "\u25b6|", "Last step (End)", keys.End),
    button("conflict", "Next conflict", "Next step with a conflict (c)", keys.c), button("phase", "Next phase", "Next phase (p)", keys.p),
    element("input", { type: "range", id: "slider", "aria-label": "Step", oninput: e => { stop(); show(Number(e.target.value) - run.first); } }),
    element("label", {}, "step ", element("input", { type: "number", id: "number", onchange: e => { stop(); show(Number(e.target.value) - run.first); } })),
    element("label", {}, "each ", element("select", { id: "speed", onchange: () => { if (timer !== null) { stop(); play(); } } }, ...[[1000, "1 s"], [400, "0.4 s"], [150, "0.15 s"]].map(([v, t]) => element("option", { value: v, selected: v === 400 }, t)))),
    element("a", { id: "link", href: "#" }, "link to this step"));
  const help = element("details", {}, element("summary", {}, "Keys"), element("p", {}, ...[["\u2190 \u2192", "one step"], ["Page up, Page down", "ten steps"], ["Home, End", "first, last"], ["space", "play"], ["c, C", "next, previous conflict"], ["p, P", "next, previous phase"], ["l, L", "later, earlier lanes or processors"], ["g", "go to a step"]].flatMap(([k, t]) => [element("kbd", {}, k), ` ${t}  `])));
  byId("page").append(bar, element("div", { id: "notes" }),
    element("section", { class: "panel" }, element("p", { id: "status", role: "status", "aria-live": "polite" }), element("div", { id: "counts", class: "counts" }), element("div", { id: "strip" })),
    element("div", { class: "views" },
      element("div", {}, element("section", { class: "panel" }, element("h2", { id: "file" }), element("div", { id: "source", class: "source", tabindex: "0", role: "region", "aria-label": "Source" })), element("div", { class: "panel" }, help)),
      element("div", { class: "side" }, element("section", { class: "panel" }, element("div", { class: "line" }, element("span", { id: "caption", class: "soft" }),
        element("span", { id: "window" }, button("earlier", "\u25c0", "Earlier lanes or processors (L)", keys.L), element("select", { id: "part", "aria-label": "Lanes or processors that are shown", onchange: e => chooseLanes(Number(e.target.value)) }), button("later", "\u25b6", "Later lanes or processors (l)", keys.l))),
        element("div", { id: "lanes", class: "scroll", tabindex: "0", role: "region", "aria-label": "Lanes or processors" })), element("div", { id: "memory" }))));
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
