"use strict";
// The page of `agpusim analyze`: what is chosen stands in the address, so that it can be kept and sent.

/** Parts by their share of all predictions, largest first, as {name: {color, shape}}; those beyond the palette look alike. */
function partStyles(rows, partNames) {
  const total = Object.fromEntries(partNames.map(name => [name, rows.reduce((sum, row) => sum + partOf(row, name) / row.predicted_ms, 0)]));
  const order = [...partNames].sort((a, b) => total[b] - total[a]);
  const styles = Object.fromEntries(order.map((name, rank) => [name, palette[Math.min(rank, palette.length - 1)]]));
  for (const limit of unique(rows.map(row => row.limit))) styles[limit] ??= palette.at(-1);
  return styles;
}

const readAddress = () => Object.fromEntries(new URLSearchParams(location.hash.slice(1)));

function showAnalysis(data) {
  const rows = rowsOf(data), partNames = partsOf(rows), allCounters = countersOf(data), styles = partStyles(rows, partNames), order = {};
  let state = readAddress();

  function change(changes) {
    state = Object.fromEntries(Object.entries({ ...state, ...changes }).filter(([, value]) => value));
    history.replaceState(null, "", "#" + new URLSearchParams(state));
  }
  function onFilter(field, value) {
    change(field ? { [field]: value } : Object.fromEntries(filterFields.map(name => [name, ""])));
    show();
    byId("filters").querySelector(field ? `select[name="${filterTitles[field] ?? field}"]` : "select")?.focus();
  }
  function pick(form) {
    change({ show: form, curves: "" });
    show();
    byId("panel-title").focus({ preventScroll: true });
    byId("panel").scrollIntoView();
  }
  function showPanel(shown, counters) {
    const isChosen = entry => formOf(entry) === state.show, members = shown.filter(isChosen), counted = counters.find(isChosen);
    const onSeries = series => {
      change({ curves: series });
      showPanel(shown, counters);
      byId("panel").querySelector("select").focus();
    };
    fill("algorithm", members.length || counted ? panel(state.show, members, counted, state.curves, styles, partNames, onSeries)
      : element("p", { class: "soft" }, state.show ? `Nothing of ${state.show} passes the filters.` : ""));
  }
  function show() {
    const shown = passing(rows, state), counters = passingCounters(allCounters, shown, state), chosen = shown.some(row => formOf(row) === state.show) ? state.show : "";
    fill("summary", errorAnswer(shown), element("p", { class: "soft" }, data.fit.sentence), scoreCards(shown, counters, data.fit));
    fill("filters", filterForm(rows, state, onFilter));
    fill("scatter", shown.length ? scatter(shown, chosen, styles, partNames, pick) : element("p", {}, "No row passes the filters."));
    fill("algorithms", formTable(shown, counters, data.scores, state.show, order, pick));
    showPanel(shown, counters);
  }

  const constants = sortableTable({ caption: "Constants of the device that the predictions use.", name: "constants", rows: data.constants, columns: [
    column("constant", c => c.name), numbers("value", c => c.value, sixDigits), column("unit", c => c.unit), column("source", c => c.source), column("date", c => c.date)] });
  const sizes = rows.map(row => row.n).filter(present);
  const range = sizes.length ? `, n = ${size(logDomain(sizes, 1)[0])} to ${size(logDomain(sizes, 1)[1])}` : "";
  heading(`Predicted and measured on ${text(data.device.name)}`,
    `${integer(rows.length)} runs of ${unique(rows.map(row => row.algorithm)).length} algorithms${range}; constants ${text(data.device.file)}; agpusim ${data.agpusim}, ${moment(data.generated)}`);
  fill("page", element("div", { id: "summary" }), element("div", { id: "filters" }),
    element("div", { class: "overview" }, element("div", { id: "scatter", class: "panel" }), element("div", { id: "algorithms", class: "panel" })), element("div", { id: "algorithm" }),
    termsPanel(["machine", "n", "T", "Q", "counts", "error", "limited by"]), folded("Families", familyTable(data.families)), folded("Constants of the device", constants));
  show();
  addEventListener("hashchange", () => {
    const next = readAddress();
    if (Object.keys(next).some(key => key === "show" || key === "curves" || filterFields.includes(key))) { state = next; show(); }
  });
}

openPage(showAnalysis);
