#pragma once

#include <string>

#include "agpusim/validation/json/json.hpp"

// What the pages and plots of all experiments have in common.
namespace agpusim::detail {

/// A page that needs no network. Its script sees `data`, `plots`, vegaEmbed and these helpers:
///   element(tag, attributes, ...children)  a node
///   cell(text, className)                  a cell of a table
///   figure(value)                          a cell with four digits; a dash for null
///   table(header, rows)                    rows of cells below a header
///   draw(plots, place)                     a heading and a figure per plot
struct Page {
  std::string title;  ///< of the window
  std::string heading;
  std::string body;  ///< HTML of the main part
  std::string script;
  Json data;
  Json plots;
};

[[nodiscard]] std::string to_html(const Page& page);

/// The encoding of a quantitative field on a logarithmic axis.
[[nodiscard]] Json log_axis(const char* field, const char* title, const char* format);

/// One entry of a page's plots: "name", "title" and "spec", Vega-Lite panels side by side.
[[nodiscard]] Json plot(const std::string& name, const std::string& title, int columns,
                        Json panels);

}  // namespace agpusim::detail
