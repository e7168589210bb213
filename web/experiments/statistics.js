"use strict";
// The page of `agpusim experiment nishimura`: the paper's times by its own machines' constants, and its programs on a GPU of today.

const accountColumns = [
  column("card", r => r.card), column("time", r => r.law), column("problem", r => r.problem), numbers("n", r => r.n, integer), numbers("launches", r => r.launches, integer), numbers("T", r => r.time, integer),
  numbers("bytes", r => r.bytes, integer), numbers("measured (us)", r => r.measured_us, threeDigits), numbers("predicted (us)", r => r.predicted_us, threeDigits), numbers("error", r => r.error, signedPercent)];
const constantColumns = [
  column("card", f => f.card), column("rounds", f => f.rounds), column("fitted to", f => f.trained_on), numbers("us per launch", f => f.launch_us || null, threeDigits),
  numbers("ns per T", f => 1e3 * f.time_unit_us || null, threeDigits), numbers("GB/s", f => f.byte_us ? 1e-3 / f.byte_us : null, threeDigits), numbers("peak GB/s", f => f.peak, threeDigits),
  numbers("its own error", f => f.training_mape, percent), numbers("mean error of all predictions", f => f.trained_on === "both" ? null : f.mape, percent)];
const panelColumns = [
  column("panel", e => e.panel), numbers("n", e => e.n, integer), column("program", e => e.program), numbers("median (us)", e => e.measured_us, threeDigits), numbers("5 %", e => e.measured_low_us, threeDigits),
  numbers("95 %", e => e.measured_high_us, threeDigits), numbers("floor (us)", e => e.floor_us, threeDigits), numbers("of the floor", e => e.floor_share, percent), numbers("over CUB", e => e.over_library, threeDigits),
  numbers("predicted (us)", e => e.predicted_us, threeDigits), column("limited by", e => e.limit)];
const accuracyColumns = [
  column("type", a => a.type), column("variant", a => a.variant), numbers("mean / sigma", a => a.mean_over_sigma, integer), numbers("exact", a => a.exact, sixDigits), numbers("computed", a => a.variance, sixDigits),
  numbers("relative error", a => a.relative_error, error => present(error) ? error.toExponential(1) : "NaN"), { ...column("remark", a => a.variance < 0 ? "negative" : ""), show: a => element("span", { class: "bad" }, a.variance < 0 ? "negative" : "") }];

function accountRows(account) {
  const laws = [["Tm", account.tournament_lg], ["Ts by N", account.single_by_n], ...(account.single ? [["Ts by T", account.single]] : [])];
  return laws.flatMap(([law, fit]) => fit.rows.map(row => ({ ...row, card: account.card, law })));
}
const fits = (account, rounds, fit) => [...fit.fits, fit.both].map(half => ({ ...half, mape: fit.mape, card: account.card, rounds, peak: account.bandwidth_peak }));

openPage(({ data, plots }) => {
  const { cards } = data.account, { comparison } = data;
  const entries = comparison ? comparison.panels.flatMap(panel => panel.rows.flatMap(row => row.entries.map(entry => ({ ...entry, panel: panel.title, n: row.n, floor_us: row.floor_us })))) : [];
  const where = comparison ? `${comparison.environment.device}, driver ${comparison.environment.driver}, CUDA ${comparison.environment.cuda}, CCCL ${comparison.environment.cccl}; ${comparison.unmeasured} runs not measured. ` +
    "Floor: the elements, moved once, at the fastest rate that was measured." : data.why_no_comparison;
  heading("Nishimura and Toyonaga (seed 003) repeated", `${data.account.source}. Every time is predicted with constants that were fitted to the other problem of the same card.`);
  fill("page", ...plots.map(panelFigures),
    section("account", "The paper's times", sortableTable({ caption: "Measured by the authors, predicted from the other problem", name: "account", columns: accountColumns, rows: cards.flatMap(accountRows) })),
    section("constants", "The constants", sortableTable({ caption: "Fitted constants of each card", name: "constants", columns: constantColumns,
      rows: cards.flatMap(account => [...fits(account, "ceil(log2 N)", account.tournament_lg), ...fits(account, "floor(ln N)", account.tournament_ln)]) })),
    section("panels", "The programs on a GPU of today", element("p", {}, where), ...(comparison ? [sortableTable({ caption: "Every program", name: "programs", columns: panelColumns, rows: entries })] : [])),
    section("accuracy", "The variance of normal numbers as their mean grows", element("p", {}, `${integer(data.accuracy_n)} numbers`),
      data.accuracy.length ? sortableTable({ caption: "Computed against exact variance", name: "accuracy", columns: accuracyColumns, rows: data.accuracy }) : "not computed"));
});
