"use strict";
// The page of `agpusim experiment kozakai`: what the paper says of its sorts, and what became of it.

const scoreSentence = score => `Against ${score.peer} the predicted winner is the measured one for ${score.right} of ${score.cells} inputs, or within 5 % of it for ${score.near}; ` +
  `whether ${score.peer} wins is predicted for ${score.side}.`;
const verdictClass = verdict => verdict === "holds" ? "good" : verdict === "does not hold" ? "bad" : "";

openPage(({ data, plots }) => {
  const { environment } = data, findings = data.findings.flatMap(finding => finding.judgements.map(judgement => ({ ...finding, ...judgement })));
  const times = data.cells.flatMap(cell => cell.entries.map(entry => ({ ...entry, family: cell.family, panel: cell.panel, n: cell.n })));
  heading("Kozakai 2022 (seed 000) repeated",
    `${environment.device}, driver ${environment.driver}, CUDA ${environment.cuda}, CCCL ${environment.cccl}; ${data.cells.length} inputs, ${data.unmeasured} runs not measured. ` +
    "Marks: measured, with the 5 % and 95 % quantiles. Solid lines: predicted from counts. Dashed lines: CUB, calibrated apart, not counted.");
  fill("page",
    section("findings", "What the paper says, and what became of it", ...data.scores.filter(score => score.cells).map(score => element("p", {}, scoreSentence(score))),
      sortableTable({ caption: "Sentences of the paper against the measured and the predicted times", name: "findings", rows: findings, columns: [
        column("section", f => f.section), sentences("the paper says", f => f.statement), column("times of", f => f.times),
        { ...column("verdict", f => f.verdict), show: f => element("span", { class: verdictClass(f.verdict) }, f.verdict) },
        numbers("places", f => f.held, held => integer(held)), numbers("of", f => f.checked, integer), sentences("numbers", f => f.numbers)] })),
    ...plots.map(panelFigures),
    section("times", "Every time", sortableTable({ caption: "Every input and contestant", name: "times", rows: times, columns: [
      column("keys", t => t.family), column("panel", t => t.panel), numbers("n", t => t.n, integer), column("team", t => t.team), column("sort", t => t.sort), column("variant", t => t.variant),
      numbers("measured (ms)", t => t.measured_ms, threeDigits), numbers("predicted (ms)", t => t.predicted_ms, threeDigits), column("limited by", t => t.limit)] })));
});
