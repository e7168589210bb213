"use strict";
// What the buttons do, and how a result is shown.

function showPage(args, html) {
  const view = byId("view");
  view.hidden = html === null;
  if (html === null) return;
  URL.revokeObjectURL(view.src);
  view.src = URL.createObjectURL(new Blob([html], { type: "text/html" }));
  view.style.height = "92vh";
  if (args[0] === "step") return;  // its controls stay in sight
  view.onload = () => {
    const inside = view.contentDocument?.documentElement;
    if (inside) new ResizeObserver(() => { view.style.height = inside.offsetHeight + 4 + "px"; }).observe(inside);
  };
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

async function execute(args) {
  byId("command").value = args.map(arg => /\s/.test(arg) ? `"${arg}"` : arg).join(" ");
  byId("result").hidden = true;
  byId("stop").disabled = false;
  document.body.dataset.state = "running";
  const started = performance.now();
  let state = "";
  const show = () => fill("status", `Running for ${((performance.now() - started) / 1000).toFixed(0)} s. ${state}`);
  show();
  const clock = setInterval(show, 1000);
  try {
    showEnd(args, await engine.run(args, text => { state = text; }));
    byId("result").hidden = false;
  } catch (error) {
    fill("status", element("span", { class: "bad" }, `This browser could not run it: ${error.message}`));
  }
  clearInterval(clock);
  byId("stop").disabled = true;
  document.body.dataset.state = "ended";
}

async function openPage() {
  for (const name of ["step", "sweep", "compare"]) byId(name).addEventListener("click", () => execute(argumentsOf(name)));
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
  document.body.dataset.drawn = "";
}
openPage();
