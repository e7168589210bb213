#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "agpusim/validation/sweep/plot.hpp"
#include "agpusim/validation/sweep/writers.hpp"

namespace agpusim::sweep {
namespace {

constexpr const char* head = R"(<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>agpusim sweep</title><style>
:root{color-scheme:light dark}
body{font:15px/1.5 system-ui,sans-serif;max-width:1240px;margin:0 auto;padding:16px}
.plots{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(420px,100%),1fr));gap:16px}
figure{margin:0}svg{width:100%;height:auto}pre{overflow-x:auto;font-size:12.5px}
</style></head><body><h1>agpusim sweep</h1>
)";

/// The points of one program, by machine.
using Lines = std::map<std::string, std::vector<const Point*>>;

std::string plot_of(const Lines& lines, const std::string& quantity) {
  std::vector<Series> series;
  for (const auto& [machine, points] : lines) {
    Series count{machine, {}};
    Series lower{"lower bound, " + machine, {}, true};
    for (const Point* const point : points) {
      const Quantity* const q = point->find(quantity);
      const auto n = static_cast<double>(point->n());
      if (q == nullptr || q->count <= 0 || n <= 0) continue;
      count.points.emplace_back(n, static_cast<double>(q->count));
      if (q->lower_bound.value_or(0) > 0) {
        lower.points.emplace_back(n, static_cast<double>(*q->lower_bound));
      }
    }
    if (!count.points.empty()) series.push_back(std::move(count));
    if (lines.size() == 1 && !lower.points.empty()) series.push_back(std::move(lower));
  }
  if (series.empty()) return {};
  return "<figure>" + loglog_svg(quantity, "n", series) + "</figure>\n";
}

std::string time_plot(const Lines& lines) {
  std::vector<Series> series;
  for (const auto& [machine, points] : lines) {
    Series one{machine, {}};
    for (const Point* const point : points) {
      if (point->predicted_ms.value_or(0) <= 0 || point->n() <= 0) continue;
      one.points.emplace_back(static_cast<double>(point->n()), *point->predicted_ms);
    }
    if (!one.points.empty()) series.push_back(std::move(one));
  }
  if (series.empty()) return {};
  return "<figure>" + loglog_svg("predicted ms", "n", series) + "</figure>\n";
}

}  // namespace

std::string to_html(const Result& result) {
  std::string page = head;
  for (auto begin = result.points.begin(); begin != result.points.end();) {
    const auto end = std::find_if(begin, result.points.end(),
                                  [&](const Point& p) { return !same_series(p, *begin); });
    Lines lines;
    std::vector<std::string> quantities;
    for (auto it = begin; it != end; ++it) {
      if (it->refusal.empty()) lines[it->machine].push_back(&*it);
      for (const Quantity& q : it->quantities) {
        if (std::find(quantities.begin(), quantities.end(), q.name) == quantities.end()) {
          quantities.push_back(q.name);
        }
      }
    }
    page += fmt::format("<h2>{} {}, {}</h2>\n<div class=\"plots\">\n", xml_text(begin->program),
                        xml_text(begin->type), xml_text(begin->input));
    for (const std::string& quantity : quantities) page += plot_of(lines, quantity);
    page += time_plot(lines) + "</div>\n";
    Result part;
    part.points.assign(begin, end);
    std::copy_if(result.fits.begin(), result.fits.end(), std::back_inserter(part.fits),
                 [&](const Fit& fit) {
                   return fit.program == begin->program && fit.type == begin->type &&
                          fit.input == begin->input;
                 });
    page += fmt::format("<details><summary>Numbers</summary><pre>{}</pre></details>\n",
                        xml_text(to_text(part)));
    begin = end;
  }
  for (const std::string& note : result.notes) page += fmt::format("<p>{}</p>\n", xml_text(note));
  return page + "</body></html>\n";
}

}  // namespace agpusim::sweep
