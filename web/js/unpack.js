"use strict";
// The JSON of a report as it was before validation/report/packed.cpp made columns of its rows.

function unpackColumn(column, rows) {
  if (Array.isArray(column)) return column.map(unpack);
  if ("all" in column) return new Array(rows).fill(unpack(column.all));
  return "texts" in column ? column.index.map(i => column.texts[i]) : unpack(column);
}

function unpack(value) {
  if (Array.isArray(value)) return value.map(unpack);
  if (value === null || typeof value !== "object") return value;
  const { packed, columns, sparse } = value;
  if (packed === undefined) return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, unpack(member)]));
  const members = Object.entries(columns ?? sparse).map(([key, column]) => [key, unpackColumn(column, packed)]);
  return Array.from({ length: packed }, (_, i) =>
    Object.fromEntries(members.map(([key, values]) => [key, values[i]]).filter(([, member]) => columns || member !== null)));
}
