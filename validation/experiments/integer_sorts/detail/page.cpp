#include "agpusim/validation/experiments/integer_sorts/detail/page.hpp"

#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "embed/vega_embed_js.hpp"
#include "embed/vega_js.hpp"
#include "embed/vega_lite_js.hpp"

namespace agpusim::detail {
namespace {

constexpr std::string_view head = R"(<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'unsafe-inline' 'unsafe-eval'; style-src 'unsafe-inline'; img-src data:">
<link rel="icon" href="data:,">
<style>
body { margin: 0 auto; padding: 16px; max-width: 1280px; color: #1c2024; font: 15px/1.5 system-ui, sans-serif; }
h1 { font-size: 24px; margin: 0; }
h2 { font-size: 18px; margin: 24px 0 4px; }
p { max-width: 85ch; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-size: 13px; font-variant-numeric: tabular-nums; }
th, td { padding: 3px 8px; text-align: left; border-bottom: 1px solid #d9dde2; vertical-align: top; }
.holds { color: #15703a; }
.fails { color: #b3261e; }
.number { text-align: right; white-space: nowrap; }
</style>
)";

constexpr std::string_view helpers = R"(
"use strict";
const element = (tag, attributes = {}, ...children) => {
  const node = Object.assign(document.createElement(tag), attributes);
  node.append(...children);
  return node;
};
const table = (header, rows) => element("table", {}, element("thead", {}, element("tr", {}, ...header.map(text => element("th", { scope: "col" }, text)))),
  element("tbody", {}, ...rows.map(cells => element("tr", {}, ...cells))));
const cell = (text, className = "") => element("td", { className }, text);
const figure = value => cell(value === null ? "\u2013" : value.toPrecision(4), "number");
const draw = (plots, place) => {
  for (const plot of plots) {
    const node = element("div", { className: "scroll" });
    place.append(element("h2", {}, plot.title), node);
    vegaEmbed(node, plot.spec, { renderer: "svg", actions: false });
  }
};
)";

/// JSON that may stand in a script element, where "</script" or "<!--" in a text would end it.
std::string script_json(const Json& json) {
  std::string result;
  for (const char c : json.dump()) result += c == '<' ? std::string("\\u003c") : std::string(1, c);
  return result;
}

std::string script(std::string_view text) { return fmt::format("<script>{}</script>\n", text); }

}  // namespace

std::string to_html(const Page& page) {
  std::string html(head);
  html += fmt::format(
      "<title>{}</title>\n</head>\n<body>\n<header><h1>{}</h1><p id=\"subtitle\"></p></header>\n"
      "<main>\n{}</main>\n<noscript><p>The tables and plots of this page need JavaScript; no "
      "network is used.</p></noscript>\n",
      page.title, page.heading, page.body);
  html += script(embed::vega_js());
  html += script(embed::vega_lite_js());
  html += script(embed::vega_embed_js());
  html += script(
      fmt::format("const data = {}, plots = {};", script_json(page.data), script_json(page.plots)));
  html += script(std::string(helpers) + page.script);
  return html + "</body>\n</html>\n";
}

Json log_axis(const char* field, const char* title, const char* format) {
  return {{"field", field},
          {"type", "quantitative"},
          {"title", title},
          {"scale", {{"type", "log"}, {"nice", false}, {"padding", 8}}},
          {"axis", {{"format", format}, {"tickCount", 5}}}};
}

Json plot(const std::string& name, const std::string& title, int columns, Json panels) {
  return {{"name", name},
          {"title", title},
          {"spec",
           {{"$schema", "https://vega.github.io/schema/vega-lite/v6.json"},
            {"background", "white"},
            {"columns", columns},
            {"concat", std::move(panels)}}}};
}

}  // namespace agpusim::detail
