"use strict";
// The page of `agpusim experiment miura`: tasks on arrays larger than device memory, beside the makespans that the model foretells.

const giga = 1e9, milliseconds = seconds => present(seconds) ? threeDigits(1e3 * seconds) : dash;
const schemeOf = run => run.scheme + (run.memory === "pageable" ? ", pageable" : "");
const runColumns = [
  column("task", r => r.task), column("scheme", schemeOf), numbers("n", r => r.n, integer), numbers("budget (GB)", r => r.budget ? r.budget / giga : null, sixDigits), numbers("chunk", r => r.chunk || null, integer),
  numbers("ms", r => r.seconds, milliseconds), numbers("Gelements/s", r => r.n / r.seconds / giga, threeDigits), numbers("of the floor", r => r.budget ? r.floor / r.seconds : null, percent),
  numbers("predicted (ms)", r => r.predicted, milliseconds), numbers("error", r => r.error, signedPercent),
  numbers("times one core", r => present(r.host_one) ? r.host_one / r.seconds : null, threeDigits), numbers("times all cores", r => present(r.host_all) ? r.host_all / r.seconds : null, threeDigits)];
const seedColumns = [
  column("task", r => r.task), column("n", r => r.n), column("printed", r => r.printed.join("\u2013")), numbers("by bandwidth", r => r.prediction?.bound, threeDigits),
  numbers("with chunks", r => r.prediction?.scheduled, threeDigits), numbers("by reading", r => r.prediction?.by_read, threeDigits), sentences("remark", r => r.remark)];

function chart(title, svg) {
  const box = element("div", { class: "scroll" });
  box.innerHTML = svg;
  return element("div", {}, element("p", {}, title), box);
}

openPage(({ data, plots }) => {
  const { link } = data;
  heading("Miura, Chang and Miyazaki (seed 004) repeated", "Tasks of seed 004 on arrays larger than the memory that the device may use, beside the makespans that the transfer model foretells.");
  fill("page", ...plots.map(panelFigures),
    section("runs", "The runs", element("p", {}, `${data.environment.device}, ${data.host_cores} host cores; link ${sixDigits(link.in / giga)} GB/s in, ${sixDigits(link.out / giga)} out, ${sixDigits(link.both / giga)} both. ` +
      `Floor: the bytes of the task over these. Mean error of the prediction ${percent(data.mean_error)}, median ${percent(data.median_error)}; ${data.within_tenth} of ${data.on_device} runs within 10 %.`),
      sortableTable({ caption: "Every run", name: "runs", columns: runColumns, rows: data.rows })),
    section("timelines", "Foretold and measured timelines", ...data.timelines.flatMap(timeline => [element("h3", {}, `${timeline.task} (${schemeOf(timeline)}), n = ${integer(timeline.n)}`),
      chart(`foretold: ${milliseconds(timeline.predicted)} ms`, timeline.predicted_svg), chart(`measured: ${milliseconds(timeline.measured)} ms`, timeline.measured_svg)])),
    section("seed", "The paper's machine", element("p", {}, "Speed-up over one thread of its host, as printed and by the transfer model."),
      sortableTable({ caption: "Speed-ups", name: "speed-ups", columns: seedColumns, rows: data.seed })));
});
