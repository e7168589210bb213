"use strict";
// The page of `agpusim pipeline`: what the engines do over time, and which size of the chunks is best.

const rate = bytes => bytes > 0 ? `${threeDigits(bytes / 1e9)} GB/s` : "no limit";
const milliseconds = seconds => present(seconds) ? threeDigits(seconds * 1e3) : dash;

function trialSection(trials, chosen) {
  const rows = trials.filter(trial => present(trial.seconds));
  if (!rows.length) return "";
  const line = rows.map(trial => [trial.chunk, trial.seconds * 1e3]), top = 1.1 * Math.max(...line.map(([, ms]) => ms));
  return section("trials", "Size of the chunks",
    figure({
      name: "chunks", title: "Time", help: `Predicted time of the pipeline for each size of the chunks; the least, at ${integer(chosen)} elements, is the one shown above.`,
      plot: { x: { ...sizeAxis(rows.map(trial => trial.chunk)), title: "chunk (elements)" }, y: linearAxis("time (ms)", [0, top]), layers: [
        { kind: "line", color: "var(--predicted)", points: line }, { kind: "points", color: "var(--predicted)", points: line }] },
      points: rows.map(trial => ({ at: [trial.chunk, trial.seconds * 1e3], row: trial })), tip: trial => [`${integer(trial.chunk)} elements`, ["time (ms)", milliseconds(trial.seconds)]],
      csv: { columns: [["chunk", trial => trial.chunk], ["seconds", trial => trial.seconds]], rows } }),
    sortableTable({ caption: "Sizes that were tried", name: "chunks", rows: trials, columns: [
      numbers("chunk (elements)", trial => trial.chunk, integer), numbers("time (ms)", trial => trial.seconds, milliseconds), sentences("why not", trial => trial.refusal)] }));
}

function showPipeline(data) {
  const copied = data.copied_bytes;
  const { machine, link } = data, chart = element("div", { class: "scroll" });
  chart.innerHTML = data.chart;
  heading(`${data.task}, ${integer(data.n)} elements of ${data.type}, scheme ${data.scheme}`,
    `${data.help}. ${data.counts === "simulated" ? "Counted by simulation" : "Planned from derived counts"} by agpusim ${data.agpusim}`);
  fill("page",
    cards(card("time", "time", `${milliseconds(data.seconds)} ms`, data.seconds > 0 ? `${rate(copied / data.seconds)} over the link` : ""),
      card("bound", "lower bound", `${milliseconds(data.bound_seconds)} ms`, data.bound_resource), card("chunk", "chunk", integer(data.chunk), `elements; ${integer(data.chunks)} chunks on ${data.streams} streams`),
      card("memory", "device memory", `${threeDigits(data.device_bytes / 1e6)} MB`, `of ${threeDigits(data.budget_bytes / 1e6)} MB`), card("copied", "copied", `${threeDigits(copied / 1e9)} GB`, "over the link"),
      ...(present(data.correct) ? [card("result", "result", data.correct ? "equal" : "different", "compared with a plain loop")] : [])),
    section("chart", "Engines over time", element("p", { class: "soft" }, "Colour: stream. Point at an operation for its name, chunk, bytes and times; to the right: the share of the time in which the engine is busy."), chart),
    section("tables", "Engines and steps",
      sortableTable({ caption: "Engines", name: "engines", rows: data.engines, columns: [column("engine", e => e.engine), numbers("operations", e => e.operations, integer), numbers("bytes", e => e.bytes, integer),
        numbers("busy (ms)", e => e.busy_seconds, milliseconds), numbers("of the time", e => e.utilisation, percent)] }),
      sortableTable({ caption: `Steps on the device, ${data.counts}`, name: "steps", rows: data.steps, columns: [column("step", s => s.step), numbers("runs", s => s.runs, integer), numbers("elements", s => s.elements, integer),
        numbers("launches", s => s.launches, integer), numbers("T", s => s.T, integer), numbers("Q (blocks)", s => s.Q, integer), numbers("instructions", s => s.instructions, integer), numbers("time (ms)", s => s.seconds, milliseconds)] })),
    trialSection(data.trials, data.chunk),
    section("facts", "Machine and link", facts([["machine", `AGPU(p = ${machine.p}, b = ${machine.b}, M = ${machine.M}, w = ${machine.w}), V = ${machine.V}`],
      ["host to device", rate(link.in_bytes_per_second)], ["device to host", rate(link.out_bytes_per_second)],
      ["both directions together", link.both_bytes_per_second > 0 ? rate(link.both_bytes_per_second) : "their sum"], ["host memory", rate(link.host_bytes_per_second)],
      ["latency of a copy", `${threeDigits(link.in_latency_seconds * 1e6)} us`], ["copy engines", text(link.copy_engines)]])));
}

openPage(showPipeline);
