"use strict";
// What the buttons do, and how a result is shown.

// A page in a frame is of another origin where this one is a file: it tells its height itself.
const tellHeight = "<script>new ResizeObserver(() => parent.postMessage(document.body.offsetHeight, '*')).observe(document.body)<\/script>";

function showPage(args, html) {
  const view = byId("view");
  view.hidden = html === null;
  if (html === null) return;
  URL.revokeObjectURL(view.src);
  const grows = args[0] !== "step";  // whose controls stay in sight
  view.src = URL.createObjectURL(new Blob([html, grows ? tellHeight : ""], { type: "text/html" }));
  view.style.height = "92vh";
}

function downloads(args, { output, page }) {
  const save = (name, type, content) => element("button", { class: "small", onclick: () => saveFile(name, type, content) }, "Save " + name);
  const ending = args.includes("--json") ? ["json", "application/json"] : args.includes("--csv") ? ["csv", "text/csv"] : ["txt", "text/plain"];
  return [...(page === null ? [] : [save(args[0] + ".html", "text/html", page)]), ...(output ? [save(`${args[0]}.${ending[0]}`, ending[1], output)] : [])];
}

function showEnd(args, end) {
  const { code, output, page, errors, seconds } = end;
  const ended = code === null ? "Stopped" : code === 0 ? "Done" : `Ended with exit code ${code}`;
  fill("status", `${ended} after ${seconds.toFixed(2)} s.`, ...errors.map(line => element("span", { class: code === 0 ? "soft" : "bad" }, line)));
  byId("text").textContent = output;
  byId("text").hidden = !output || page !== null;
  fill("downloads", ...downloads(args, end));
  showPage(args, page);
}

let latest = 0;  // number of the command whose end is shown

async function execute(args) {
  const number = ++latest;
  byId("command").value = args.map(arg => /\s/.test(arg) ? `"${arg}"` : arg).join(" ");
  byId("result").hidden = true;
  byId("stop").disabled = false;
  document.body.dataset.state = "running";
  const started = performance.now();
  let state = "";
  const show = () => number === latest && fill("status", `Running for ${((performance.now() - started) / 1000).toFixed(0)} s. ${state}`);
  show();
  const clock = setInterval(show, 1000);
  let shown;
  try {
    const end = await engine.run(args, text => { state = text; });
    shown = () => showEnd(args, end);
  } catch (error) {
    shown = () => fill("status", element("span", { class: "bad" }, `This browser could not run it: ${error.message}`));
  }
  clearInterval(clock);
  if (number !== latest) return;  // another command was entered before this one ended
  shown();
  byId("result").hidden = false;
  byId("stop").disabled = true;
  document.body.dataset.state = "ended";
}

async function openPage() {
  for (const name of ["step", "sweep", "compare"]) byId(name).addEventListener("click", () => execute(argumentsOf(name)));
  window.addEventListener("message", ({ source, data }) => {
    if (source === byId("view").contentWindow) byId("view").style.height = `${Number(data) + 8}px`;
  });
  byId("stop").addEventListener("click", () => engine.stop());
  byId("form").addEventListener("submit", event => {
    event.preventDefault();
    execute(argumentsOf("run"));
  });
  byId("line").addEventListener("submit", event => {
    event.preventDefault();
    const words = value("command").match(/"[^"]*"|\S+/g) ?? ["help"];
    execute(words.map(word => word.replaceAll('"', "")));
  });
  try {
    const list = JSON.parse((await engine.run(["list", "--json"])).output);
    const machines = (await engine.run(["help", "machines"])).output.matchAll(/^ {2}([\w-]+) +\d/gm);
    fillForm(list, [...machines].map(match => match[1]));
    fill("status", `agpusim ${list.agpusim}: ${list.algorithms.length} algorithms on AGPU, ${list.pram_algorithms.length} on a PRAM.`);
  } catch (error) {
    fill("status", element("span", { class: "bad" }, `This browser cannot run agpusim: ${error.message}`));
  }
  document.body.dataset.drawn = Math.round(performance.now());
}
openPage();
