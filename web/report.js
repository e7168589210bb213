"use strict";
// The page of a report with plots: headings, sentences and tables as the program wrote them (validation/report/report_html.cpp).

openPage(({ title, html, plots }) => {
  heading(title, "");
  const all = element("section", { class: "panel" });
  all.innerHTML = html;
  fill("page", all);
  for (const place of document.querySelectorAll("[data-plot]")) place.replaceWith(panelFigures(plots[place.dataset.plot]));
});
