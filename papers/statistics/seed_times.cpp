#include <set>
#include <tuple>

#include <fmt/format.h>

#include "agpusim/papers/common/paper_json.hpp"
#include "agpusim/papers/statistics/account.hpp"

namespace agpusim::statistics_experiment {
namespace {

using agpusim::detail::field;
using agpusim::detail::Json;
using agpusim::detail::JsonError;

double positive(const Json& json, const char* name) {
  const auto value = field<double>(json, name);
  if (value <= 0) throw JsonError(fmt::format("field '{}' is not positive", name));
  return value;
}

SeedTime decode_time(const Json& json) {
  SeedTime time;
  time.card = field<std::string>(json, "card");
  time.problem = field<std::string>(json, "problem");
  if (time.problem != "minmax" && time.problem != "statistics") {
    throw JsonError(fmt::format("problem '{}' is neither minmax nor statistics", time.problem));
  }
  time.n = field<std::int64_t>(json, "n");
  if (time.n < 2) throw JsonError("field 'n' is below 2");
  time.single_us = positive(json, "single_us");
  time.parallel_us = positive(json, "parallel_us");
  time.printed_ratio = positive(json, "ratio");
  return time;
}

}  // namespace

SeedTimes load_seed_times(const std::filesystem::path& path) {
  SeedTimes result;
  std::set<std::tuple<std::string, std::string, std::int64_t>> seen;
  agpusim::detail::read_paper(path, [&](const Json& file) {
    result.source = field<std::string>(file, "source");
    agpusim::detail::for_each_entry(file, "time", [&](const Json& entry) {
      const SeedTime& time = result.times.emplace_back(decode_time(entry));
      if (seen.emplace(time.card, time.problem, time.n).second) return;
      throw JsonError(
          fmt::format("{}, {}, n = {} stands there twice", time.card, time.problem, time.n));
    });
  });
  return result;
}

}  // namespace agpusim::statistics_experiment
