"use strict";
// Files that the page makes itself.

function saveFile(name, type, content) {
  const link = element("a", { href: URL.createObjectURL(new Blob([content], { type })), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

/** As the program writes it: lists are separated by ";". */
function csvValue(value) {
  if (!present(value)) return "";
  if (typeof value !== "object") return String(value);
  return Object.entries(value).map(([key, item]) => (Array.isArray(value) ? "" : `${key}=`) + csvValue(item)).join(";");
}

const csvCell = value => {
  const cell = csvValue(value);
  return /[",\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
};

/** `columns`: [name, value of a row] pairs. */
function csvText(columns, rows) {
  const lines = [columns.map(([name]) => csvCell(name)), ...rows.map(row => columns.map(([, value]) => csvCell(value(row))))];
  return lines.map(line => line.join(",") + "\n").join("");
}

const saveCsv = (name, columns, rows) => saveFile(name + ".csv", "text/csv", csvText(columns, rows));

/** The image with the colours of the page in place of their names. */
function saveSvg(name, svg) {
  const colors = getComputedStyle(document.documentElement);
  saveFile(name + ".svg", "image/svg+xml", svg.replace(/var\((--\w+)\)/g, (_, variable) => colors.getPropertyValue(variable).trim()));
}
