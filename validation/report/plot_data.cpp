#include "agpusim/validation/report/plot_data.hpp"

namespace agpusim::detail {
namespace {

Json encode(const std::vector<PlotPoint>& points) {
  Json json = Json::array();
  for (const PlotPoint& point : points) {
    Json numbers = {point.x, point.y};
    if (point.low > 0) numbers.insert(numbers.end(), {point.low, point.high});
    json.push_back(std::move(numbers));
  }
  return json;
}

Json encode(const PlotPanel& panel) {
  Json all = Json::array();
  for (const PlotSeries& series : panel.series) {
    all.push_back({{"label", series.label},
                   {"color", series.color},
                   {"shape", series.shape},
                   {"dash", series.dash},
                   {"points", encode(series.points)},
                   {"line", encode(series.line)}});
  }
  Json json = {{"title", panel.title},
               {"x", panel.x},
               {"y", panel.y},
               {"diagonal", panel.diagonal},
               {"series", std::move(all)}};
  if (panel.bars) json["bars"] = true;
  if (panel.linear) json["linear"] = true;
  return json;
}

}  // namespace

Json encode(const std::vector<Plot>& plots) {
  Json json = Json::array();
  for (const Plot& plot : plots) {
    Json panels = Json::array();
    for (const PlotPanel& panel : plot.panels) panels.push_back(encode(panel));
    json.push_back({{"name", plot.name},
                    {"title", plot.title},
                    {"columns", plot.columns},
                    {"panels", std::move(panels)}});
  }
  return json;
}

std::string page_data(const Json& experiment, const std::vector<Plot>& plots) {
  return Json{{"data", experiment}, {"plots", encode(plots)}}.dump();
}

}  // namespace agpusim::detail
