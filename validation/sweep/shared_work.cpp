#include "agpusim/validation/sweep/shared_work.hpp"

#include <memory>
#include <sstream>
#include <utility>

#include <fmt/format.h>

#include "agpusim/validation/io/text_table.hpp"
#include "agpusim/validation/sweep/counter.hpp"

namespace agpusim::sweep {
namespace {

std::string name_of(const Run& run) {
  return fmt::format("{} with n = {}{}", run.program, agpusim::detail::size_text(run.n()),
                     run.algorithm != nullptr ? " on " + run.config.spec.to_string() : "");
}

}  // namespace

ranks::Work shared_work(const std::vector<Run>& runs, const Options& options) {
  const Whole whole = whole_of(runs);
  const auto counter = std::make_shared<Counter>(options);
  return {.digest = whole.sweep,
          .order = largest_first(runs),
          .name = [&runs](std::size_t i) { return name_of(runs[i]); },
          .run =
              [&runs, whole, counter](std::size_t i, const std::string& lines) {
                KnownPoints known;
                std::istringstream text(lines);
                for (std::string line; std::getline(text, line);) {
                  Point point = from_line(line).point;
                  std::string key = point.key;
                  known.emplace(std::move(key), std::move(point));
                }
                return to_line((*counter)(runs[i], &known), whole);
              }};
}

KnownByRun::KnownByRun(const KnownPoints& points, Whole whole) : whole_(std::move(whole)) {
  for (const auto& [key, point] : points) points_.emplace(key_of_run(point), &point);
}

std::string KnownByRun::lines(const Run& run) const {
  std::string text;
  if (points_.empty()) return text;
  const auto [begin, end] = points_.equal_range(key_of(run));
  for (auto it = begin; it != end; ++it) text += to_line(*it->second, whole_) + "\n";
  return text;
}

}  // namespace agpusim::sweep
