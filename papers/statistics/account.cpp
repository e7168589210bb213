#include "agpusim/papers/statistics/account.hpp"

#include <bit>
#include <cmath>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "agpusim/papers/common/paper_json.hpp"
#include "agpusim/validation/records/config_json.hpp"
#include "agpusim/validation/rows/evaluate.hpp"

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

std::string tournament_of(const std::string& problem) { return problem + "_tournament"; }

/// The rows of one card with the charges that `charge` gives them.
template <class Measured, class Charge>
std::vector<AccountRow> account_rows(const SeedTimes& times, const Card& card, Measured measured,
                                     Charge charge) {
  std::vector<AccountRow> rows;
  for (const SeedTime& time : times.times) {
    if (time.card == card.name) {
      rows.push_back({time.problem, time.n, time.*measured, charge(time), 0, 0});
    }
  }
  return rows;
}

CardAccount account_for(const Card& card, const Registry& registry, const SeedTimes& times,
                        bool with_one_lane) {
  std::map<std::string, std::vector<PhaseReport>> known;
  // The charges of a run of the paper, whose numbers are 0, 1, 2, ...
  const auto charges = [&](RunConfig config, Rounds rounds) {
    const Algorithm& row = registry.find(config.algorithm);
    config.input = "sorted";
    config.spec = card.spec;
    config = resolve(row, std::move(config));
    // The branches of a tournament depend on its numbers: its counts are worth keeping.
    const auto [forms, first] = known.try_emplace(config_to_json(config));
    if (first) {
      const Row evaluated = evaluate({config.algorithm, &row, config}, {});
      evaluated.require_counted();
      forms->second = evaluated.counted->report.phases;
    }
    return charges_of(config, forms->second, rounds_of(rounds, config.n));
  };
  // `sum_type`: the type of statistics_tournament; other numbers are integers of 32 bits.
  const auto tournament = [&](const char* what, Rounds rounds, const char* sum_type) {
    const auto charge = [&](const SeedTime& time) {
      RunConfig config;
      config.algorithm = tournament_of(time.problem);
      config.variant = "copy";
      config.type = time.problem == "statistics" ? sum_type : "i32";
      config.n = time.n;
      config.parameters = {{"rows", 1}};  // a thread has one pair
      return charges(std::move(config), rounds);
    };
    return cross_fit(account_rows(times, card, &SeedTime::parallel_us, charge),
                     Law::launches_time_bytes, what);
  };
  const auto single = [&](const char* what, auto charge) {
    return cross_fit(account_rows(times, card, &SeedTime::single_us, charge), Law::time, what);
  };
  CardAccount result;
  result.card = card;
  result.lg = tournament("Tm, ceil(log2 N) rounds", Rounds::ceil_lg, "f32");
  result.ln = tournament("Tm, floor(ln N) rounds", Rounds::floor_ln, "f32");
  result.wide = tournament("Tm, ceil(log2 N) rounds, sums of 64 bits", Rounds::ceil_lg, "i32");
  if (with_one_lane) {
    result.single = single("Ts in proportion to T", [&](const SeedTime& time) {
      RunConfig config;
      config.algorithm = time.problem;
      config.variant = "one_lane";
      config.type = "i32";
      config.n = time.n;
      return charges(std::move(config), Rounds::ceil_lg);
    });
  }
  result.single_by_n = single("Ts in proportion to N", [](const SeedTime& time) {
    return Charges{1, static_cast<double>(time.n), 0};
  });
  return result;
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

std::int64_t rounds_of(Rounds rule, std::int64_t n) {
  if (rule == Rounds::floor_ln) {
    return static_cast<std::int64_t>(std::log(static_cast<double>(n)));
  }
  return static_cast<std::int64_t>(std::bit_width(static_cast<std::uint64_t>(n - 1)));
}

Charges charges_of(const RunConfig& config, const std::vector<PhaseReport>& forms,
                   std::int64_t rounds) {
  const std::int64_t all = rounds_of(Rounds::ceil_lg, config.n);
  std::map<std::string, std::int64_t> launches;
  for (const PhaseReport& form : forms) ++launches[form.kernel];
  std::map<std::string, std::int64_t> launched;
  Charges sum;
  for (const PhaseReport& form : forms) {
    const std::int64_t total = launches.at(form.kernel);
    const bool every_round = total % all == 0;
    if (every_round && launched[form.kernel]++ >= total / all * rounds) continue;
    sum.launches += 1;
    sum.time += static_cast<double>(form.time);
    sum.bytes +=
        static_cast<double>(form.counts.io()) * config.spec.block_words * config.spec.word_bits / 8;
  }
  return sum;
}

Account account(const Registry& registry, const SeedTimes& times, const std::vector<Card>& cards) {
  Account result;
  result.source = times.source;
  bool tournaments = true;
  bool one_lane = true;
  for (const std::string problem : paper_problems) {
    if (registry.find_or_null(tournament_of(problem)) == nullptr) {
      tournaments = false;
      result.missing.push_back(tournament_of(problem));
    }
    if (registry.find_or_null(problem) == nullptr) {
      one_lane = false;
      result.missing.push_back(problem);
    }
  }
  if (!tournaments) return result;
  for (const Card& card : cards) {
    result.cards.push_back(account_for(card, registry, times, one_lane));
  }
  return result;
}

}  // namespace agpusim::statistics_experiment
