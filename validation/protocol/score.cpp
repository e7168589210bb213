#include <algorithm>
#include <cmath>
#include <map>

#include "agpusim/validation/predict/stats.hpp"
#include "agpusim/validation/protocol/protocol.hpp"

namespace agpusim::protocol {

Score score_of(const std::vector<double>& predicted, const std::vector<double>& measured) {
  Score score;
  score.rows = static_cast<std::int64_t>(predicted.size());
  score.mape = mape(predicted, measured);
  std::vector<double> errors(predicted.size());
  for (std::size_t i = 0; i < errors.size(); ++i) {
    errors[i] = std::abs(predicted[i] / measured[i] - 1);
  }
  score.median = median(errors);
  score.p90 = quantile(errors, 0.9);
  score.worst = quantile(errors, 1);
  score.within_10 = static_cast<double>(std::count_if(errors.begin(), errors.end(),
                                                      [](double error) { return error <= 0.1; })) /
                    static_cast<double>(errors.size());
  score.spearman = spearman(predicted, measured);
  return score;
}

Contests contests_of(const std::vector<Row>& rows, const std::vector<double>& predicted) {
  constexpr double clear = 1.1;
  std::map<std::string, std::vector<std::size_t>> by_problem;
  for (std::size_t i = 0; i < rows.size(); ++i) by_problem[rows[i].problem].push_back(i);
  Contests contests;
  for (const auto& [problem, places] : by_problem) {
    for (std::size_t a = 0; a < places.size(); ++a) {
      for (std::size_t b = a + 1; b < places.size(); ++b) {
        const double x = rows[places[a]].measured_ms;
        const double y = rows[places[b]].measured_ms;
        if (std::max(x, y) <= clear * std::min(x, y)) continue;
        ++contests.pairs;
        contests.right += (x < y) == (predicted[places[a]] < predicted[places[b]]) ? 1 : 0;
      }
    }
  }
  return contests;
}

}  // namespace agpusim::protocol
