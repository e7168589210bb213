#include "agpusim/papers/statistics/account.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <utility>

#include "agpusim/algorithms/registry.hpp"
#include "agpusim/model/cost/units.hpp"
#include "agpusim/validation/records/config_json.hpp"
#include "agpusim/validation/rows/evaluate.hpp"

namespace agpusim::statistics_experiment {
namespace {

std::string tournament_of(const std::string& problem) { return problem + "_tournament"; }

/// The paper's numbers are integers of 32 bits.
constexpr const char* paper_type = "i32";

/// What the authors may have run.
struct Program {
  Rounds rounds = Rounds::ceil_lg;
  std::string sum_type = "f32";  ///< the type of statistics_tournament
};

/// The charges of the paper's runs on one card's machine: its numbers are 0, 1, 2, ...
class CardRuns {
 public:
  CardRuns(const Registry& registry, const Card& card) : registry_(registry), card_(card) {}

  Charges tournament(const SeedTime& time, const Program& program) {
    RunConfig config;
    config.algorithm = tournament_of(time.problem);
    config.variant = "copy";
    config.type = time.problem == "statistics" ? program.sum_type : paper_type;
    config.n = time.n;
    config.parameters = {{"rows", 1}};  // a thread has one pair
    return charges(config, program.rounds);
  }

  Charges one_lane(const SeedTime& time) {
    RunConfig config;
    config.algorithm = time.problem;
    config.variant = "one_lane";
    config.type = paper_type;
    config.n = time.n;
    return charges(config, Rounds::ceil_lg);
  }

 private:
  Charges charges(RunConfig config, Rounds rounds) {
    const Algorithm& row = registry_.find(config.algorithm);
    config.input = "sorted";
    config.spec = card_.spec;
    config = resolve(row, std::move(config));
    // The branches of a tournament depend on its numbers: its counts are worth keeping.
    const auto [forms, first] = forms_.try_emplace(config_to_json(config));
    if (first) {
      const Row evaluated = evaluate({config.algorithm, &row, config}, {});
      evaluated.require_counted();
      forms->second = evaluated.counted->report.phases;
    }
    return charges_of(config, forms->second, rounds_of(rounds, config.n));
  }

  const Registry& registry_;
  const Card& card_;
  std::map<std::string, std::vector<PhaseReport>> forms_;
};

/// The rows of one card with the charges that `charge` gives them.
template <class Measured, class Charge>
std::vector<AccountRow> account_rows(const SeedTimes& times, const Card& card, Measured measured,
                                     Charge charge) {
  std::vector<AccountRow> rows;
  for (const SeedTime& time : times.times) {
    if (time.card != card.name) continue;
    AccountRow row;
    row.problem = time.problem;
    row.n = time.n;
    row.measured_us = time.*measured;
    row.charges = charge(time);
    rows.push_back(row);
  }
  return rows;
}

CardAccount account_for(const Card& card, const Registry& registry, const SeedTimes& times,
                        bool with_one_lane) {
  CardRuns runs(registry, card);
  const auto tournament = [&](const Program& program) {
    return cross_fit(
        account_rows(times, card, &SeedTime::parallel_us,
                     [&](const SeedTime& time) { return runs.tournament(time, program); }),
        Law::launches_time_bytes);
  };
  const auto single = [&](auto charge) {
    return cross_fit(account_rows(times, card, &SeedTime::single_us, charge), Law::time);
  };
  CardAccount result;
  result.card = card;
  result.lg = tournament({});
  result.ln = tournament({.rounds = Rounds::floor_ln});
  result.wide = tournament({.sum_type = "i32"});
  if (with_one_lane) {
    result.single = single([&](const SeedTime& time) { return runs.one_lane(time); });
  }
  result.single_by_n = single([](const SeedTime& time) {
    return Charges{1, static_cast<double>(time.n), 0};
  });
  return result;
}

}  // namespace

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
