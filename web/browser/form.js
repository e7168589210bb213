"use strict";
// The form: what can be chosen, and the arguments of the command that it describes.

const value = id => byId(id).value.trim();
const options = (names, first) => [...(first === undefined ? [] : [element("option", { value: "" }, first)]), ...names.map(name => element("option", { value: name }, name))];
const given = (option, id) => value(id) ? [option, value(id)] : [];

let rows = [];
const chosenRow = () => rows[byId("row").selectedIndex];
const named = (row, variant) => row.name + (variant ? ":" + variant : "");

function fillForm(list, machines) {
  rows = [...list.algorithms.map(row => ({ ...row, pram: false })), ...list.pram_algorithms.map(row => ({ ...row, pram: true }))];
  const group = (label, pram) =>
    element("optgroup", { label }, ...rows.filter(row => row.pram === pram).map(row => element("option", { value: (pram ? "pram/" : "") + row.name }, row.name)));
  fill("row", group("on an abstract GPU", false), group("on a PRAM", true));
  byId("row").value = "bitonic_sort";
  fill("machines", ...options(machines));
  fill("contestants", ...rows.filter(row => !row.pram).flatMap(row => (row.variants.length ? row.variants : [""]).map(variant => element("option", { value: named(row, variant) }))));
  fill("model", ...options(["erew", "crew", "common", "arbitrary", "priority", "sum", "max", "min", "or", "xor"], "the variant's"));
  byId("row").addEventListener("change", fillRow);
  fillRow();
}

/** What the chosen row can be asked for. */
function fillRow() {
  const row = chosenRow();
  fill("variant", ...options(row.variants, row.variants.length ? "default" : "only one"));
  fill("type", ...options(row.types ?? [], "default"));
  fill("inputs", ...options(row.inputs));
  fill("parameters", ...(row.parameters ?? []).map(({ name, help }) => element("label", { title: help }, name + " ", element("input", { name, autocomplete: "off", placeholder: "default" }))));
  byId("summary").textContent = row.summary;
  for (const id of ["p", "b", "M", "machine", "type", "compare"]) byId(id).disabled = row.pram;
  byId("model").disabled = !row.pram;
}

const settings = () => [...document.querySelectorAll("#parameters input")].filter(input => input.value.trim()).flatMap(input => ["--set", `${input.name}=${input.value.trim()}`]);
const machine = () => [...given("--machine", "machine"), ...["p", "b", "M", "w"].flatMap(id => given("--" + id, id))];
const variant = () => given("--variant", "variant");
const data = () => [...given("--type", "type"), ...given("--input", "input"), ...given("--seed", "seed"), ...settings()];
const pramData = () => [...given("--input", "input"), ...given("--seed", "seed"), ...settings()];

function contestants(row) {
  const others = value("others").split(/\s+/).filter(Boolean);
  return others.length ? [named(row, value("variant")), ...others] : row.variants.map(name => named(row, name));
}

const commands = {
  run: row => row.pram
    ? ["pram", row.name, ...given("--n", "n"), ...variant(), ...given("--model", "model"), ...given("--w", "w"), ...pramData()]
    : ["run", row.name, ...given("--n", "n"), ...variant(), ...machine(), ...data()],
  step: row => row.pram
    ? ["step", row.name, "--pram", ...given("--n", "n"), ...variant(), ...given("--model", "model"), ...pramData()]
    : ["step", row.name, ...given("--n", "n"), ...variant(), ...machine(), ...data()],
  sweep: row => [
    "sweep", (row.pram ? "pram/" : "") + named(row, value("variant") || (row.variants.length ? "all" : "")), ...given("--n", "sizes"),
    ...(row.pram ? pramData() : [...machine(), ...data()]), "--fit",
  ],
  compare: row => ["compare", ...contestants(row), ...given("--n", "sizes"), ...machine(), ...data()],
};

/** The arguments of a command of the form, the wanted form of its result among them. */
function argumentsOf(name) {
  const written = { page: ["--html", name + ".html"], JSON: ["--json"], CSV: ["--csv"], text: [] }[value("output")];
  return [...commands[name](chosenRow()), ...(name === "step" && !written.includes("--html") ? [] : written)];
}
