#include "agpusim/validation/experiments/integer_sorts/findings.hpp"

#include <stdexcept>

#include "agpusim/validation/experiments/integer_sorts/detail/finding_judges.hpp"

namespace agpusim {
namespace {

using namespace detail;

struct Statement {
  const char* section;
  const char* text;
  Judgement (*judge)(const Rows& rows, const FindingTimes& times);
};

constexpr Statement statements[] = {
    {"6.2", "CUB's time depends on n only (here: within 10 % at one n)", cub_depends_on_n},
    {"6.3.1",
     "distinct keys: 1-H-P is fastest for 0.2 <= n <= 2 M at delta = 1, to 1.3 M at 0.5, to 0.7 M "
     "at 0.25",
     one_hp_is_fastest},
    {"6.3.1", "... and not beyond", one_hp_loses_beyond},
    {"6.3.1", "the nearer delta to 1, the longer the range of n where 1-H-P is fastest",
     one_hp_range_grows},
    {"7", "1-H-P is fastest from n = 0.1 M to 2 M at delta = 1", one_hp_from_small},
    {"6.3.2", "duplicates, small delta (1), n not small (> 1 M): CUB is fastest",
     cub_wins_small_delta},
    {"6.3.2", "duplicates, large delta (50): H-P or 0-compressed is faster than CUB",
     hp_wins_large_delta},
    {"6.3.2",
     "the border is delta = 10 (printed: maxVal = 10): from there H-P or 0-compressed wins",
     border_is_ten},
    {"6.3.2", "the smallest n where H-P or 0-compressed wins grows with sigma",
     border_grows_with_sigma},
    {"6.3.2", "H-P is mostly faster than 0-compressed, by very little", hp_mostly_ahead},
    {"6.3.3", "len = 100, delta = 1: 0-compressed is fastest", compressed_wins_few_values},
    {"6.3.3, 7", "len = 100 and 1000, delta = 1: 0-compressed is faster than H-P",
     compressed_ahead_of_hp},
    {"6.3.3", "len = 100 and 1000, large delta (10, 50): H-P or 0-compressed is faster than CUB",
     hp_wins_few_values_large_delta},
    {"6.3.4", "len = range, delta = 1: CUB is fastest except at n = 1 M", cub_wins_full_range},
    {"6.3.4", "len = range, delta = 10, 50: H-P and 0-compressed are faster than CUB",
     hp_wins_full_range},
    {"6.3.4", "len = range, delta = 10, 50: H-P is faster than 0-compressed", hp_ahead_full_range},
    {"6.3.4",
     "... by a difference that is negligible against that to CUB (here: less than half of it)",
     gap_is_small},
    {"6.3.4", "H-P gets faster as delta grows", faster_with_delta},
    {"6.3.5", "H-P gets faster as maxVal grows from 1000 to 100 000", faster_with_max_value},
    {"6.3.5", "maxVal = 100: CUB is fastest", cub_wins_tiny_range},
    {"6.3.5", "maxVal = 1000, sigma = 100: CUB overtakes as n grows", cub_overtakes},
};

}  // namespace

std::string to_string(Verdict verdict) {
  switch (verdict) {
    case Verdict::holds:
      return "holds";
    case Verdict::partly:
      return "partly";
    case Verdict::fails:
      return "does not hold";
    case Verdict::unknown:
      return "cannot be seen";
  }
  throw std::logic_error("verdict without a name");
}

std::vector<Finding> integer_sorts_findings(const std::vector<ExperimentRow>& rows) {
  const std::vector<FindingTimes> all_times = finding_times();
  std::vector<Finding> findings;
  for (const Statement& statement : statements) {
    Finding finding{statement.section, statement.text, {}};
    for (const FindingTimes& times : all_times) {
      Judgement judgement = statement.judge(rows, times);
      judgement.times = times.name;
      finding.judgements.push_back(std::move(judgement));
    }
    findings.push_back(std::move(finding));
  }
  return findings;
}

}  // namespace agpusim
