#include "agpusim/commands/validate/coverage.hpp"

#include <cmath>
#include <iterator>
#include <map>

#include "agpusim/commands/validate/protocol.hpp"
#include "agpusim/validation/io/stats.hpp"
#include "agpusim/validation/predict/interval.hpp"

namespace agpusim::protocol {
namespace {

/// 92 % of the rows that an interval is made from lie inside, so that about 90 % of those of
/// another style do.
constexpr double tail = 0.04;

}  // namespace

void add_left_out(std::vector<LeftOut>& errors, const std::vector<const FitRow*>& rows,
                  const std::vector<Prediction>& predictions) {
  for (std::size_t i = 0; i < rows.size(); ++i) {
    errors.push_back({rows[i]->style, launch_bound(predictions[i]),
                      std::log(rows[i]->measured->ms / predictions[i].milliseconds)});
  }
}

std::vector<Coverage> coverage_of(const std::string& from, const std::vector<LeftOut>& errors) {
  std::vector<Coverage> result;
  for (const bool launch : {true, false}) {
    std::map<std::string, std::vector<double>> by_style;
    for (const LeftOut& error : errors) {
      if (error.launch_bound == launch) by_style[error.style].push_back(error.log_ratio);
    }
    if (by_style.size() < 2) continue;
    Coverage coverage{from, launch ? "by the launch" : "otherwise"};
    std::vector<double> all;
    for (const auto& [left_out, ratios] : by_style) {
      std::vector<double> others;
      for (const auto& [style, of_style] : by_style) {
        if (style != left_out) others.insert(others.end(), of_style.begin(), of_style.end());
      }
      const double low = quantile(others, tail);
      const double high = quantile(others, 1 - tail);
      for (const double ratio : ratios) coverage.inside += low <= ratio && ratio <= high ? 1 : 0;
      all.insert(all.end(), ratios.begin(), ratios.end());
    }
    coverage.rows = std::ssize(all);
    coverage.low = std::exp(quantile(all, tail));
    coverage.high = std::exp(quantile(all, 1 - tail));
    result.push_back(coverage);
  }
  return result;
}

}  // namespace agpusim::protocol
