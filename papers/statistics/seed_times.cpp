#include "agpusim/papers/statistics/seed_times.hpp"

#include <set>
#include <tuple>

#include <fmt/format.h>

#include "agpusim/model/error.hpp"
#include "agpusim/validation/io/atomic_file.hpp"
#include "agpusim/validation/io/json.hpp"

namespace agpusim::statistics_experiment {
namespace {

using agpusim::detail::field;
using agpusim::detail::Json;
using agpusim::detail::JsonError;

constexpr std::int64_t schema = 1;

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

SeedTimes decode(const Json& json) {
  if (field<std::int64_t>(json, "schema") != schema) {
    throw JsonError(fmt::format("field 'schema' is not {}", schema));
  }
  SeedTimes result;
  result.source = field<std::string>(json, "source");
  const Json& times = agpusim::detail::member(json, "times");
  if (!times.is_array()) throw JsonError("field 'times' is not a list");
  std::set<std::tuple<std::string, std::string, std::int64_t>> seen;
  for (const Json& entry : times) {
    SeedTime time = decode_time(entry);
    if (!seen.emplace(time.card, time.problem, time.n).second) {
      throw JsonError(
          fmt::format("{}, {}, n = {} stands there twice", time.card, time.problem, time.n));
    }
    result.times.push_back(std::move(time));
  }
  return result;
}

}  // namespace

SeedTimes load_seed_times(const std::filesystem::path& path) {
  try {
    return decode(agpusim::detail::parse_object(read_file(path)));
  } catch (const JsonError& error) {
    throw FileError(fmt::format("{}: {}; restore the file", path.string(), error.what()));
  }
}

}  // namespace agpusim::statistics_experiment
