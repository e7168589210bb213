#include "agpusim/validation/experiments/integer_sorts/findings.hpp"

#include <stdexcept>

#include "agpusim/validation/experiments/integer_sorts/detail/finding_judges.hpp"

namespace agpusim {
namespace {

using namespace detail;

using Cell = ExperimentCell;

/// Largest size of the paper at which 1-H-P is fastest.
std::int64_t one_hp_border(double delta) {
  if (same(delta, 1)) return 2'000'000;
  return same(delta, 0.5) ? 1'300'000 : 700'000;
}

bool is_distinct(const Cell& cell) { return cell.family == key_family::distinct; }
bool has_duplicates(const Cell& cell) { return cell.family == key_family::duplicates; }
bool has_fixed_len(const Cell& cell) { return cell.family == key_family::fixed_len; }
bool is_full_range(const Cell& cell) { return cell.family == key_family::full_range; }
bool has_fixed_range(const Cell& cell) { return cell.family == key_family::fixed_max_value; }

struct Statement {
  const char* section;
  const char* text;
  bool (*is_about)(const Cell& cell);
  Judge* judge;
};

const Statement statements[] = {
    {"6.2", "CUB's time depends on n only (here: within 10 % at one n)",
     [](const Cell&) { return true; }, cub_depends_on_n},
    {"6.3.1",
     "distinct keys: 1-H-P is fastest for 0.2 <= n <= 2 M at delta = 1, to 1.3 M at 0.5, to 0.7 M "
     "at 0.25",
     [](const Cell& cell) {
       return is_distinct(cell) && cell.n >= 200'000 && cell.n <= one_hp_border(cell.delta);
     },
     one_hp_is_fastest},
    {"6.3.1", "... and not beyond",
     [](const Cell& cell) { return is_distinct(cell) && cell.n > one_hp_border(cell.delta); },
     one_hp_is_not_fastest},
    {"6.3.1", "the nearer delta to 1, the longer the range of n where 1-H-P is fastest",
     is_distinct, one_hp_range_grows_with_delta},
    {"7", "1-H-P is fastest from n = 0.1 M to 2 M at delta = 1",
     [](const Cell& cell) {
       return is_distinct(cell) && same(cell.delta, 1) && cell.n <= 2'000'000;
     },
     one_hp_is_fastest},
    {"6.3.2", "duplicates, small delta (1), n not small (> 1 M): CUB is fastest",
     [](const Cell& cell) {
       return has_duplicates(cell) && same(cell.delta, 1) && cell.n > 1'000'000;
     },
     cub_is_fastest},
    {"6.3.2", "duplicates, large delta (50): H-P or 0-compressed is faster than CUB",
     [](const Cell& cell) { return has_duplicates(cell) && same(cell.delta, 50); },
     hp_or_compressed_beats_cub},
    {"6.3.2",
     "the border is delta = 10 (printed: maxVal = 10): from there H-P or 0-compressed wins",
     [](const Cell& cell) { return has_duplicates(cell) && same(cell.delta, 10); },
     hp_or_compressed_beats_cub},
    {"6.3.2", "the smallest n where H-P or 0-compressed wins grows with sigma", has_duplicates,
     border_grows_with_sigma},
    {"6.3.2", "H-P is mostly faster than 0-compressed, by very little", has_duplicates,
     hp_mostly_beats_compressed},
    {"6.3.3", "len = 100, delta = 1: 0-compressed is fastest",
     [](const Cell& cell) { return has_fixed_len(cell) && same(cell.delta, 1) && cell.len == 100; },
     compressed_is_fastest},
    {"6.3.3, 7", "len = 100 and 1000, delta = 1: 0-compressed is faster than H-P",
     [](const Cell& cell) { return has_fixed_len(cell) && same(cell.delta, 1); },
     compressed_beats_hp},
    {"6.3.3", "len = 100 and 1000, large delta (10, 50): H-P or 0-compressed is faster than CUB",
     [](const Cell& cell) { return has_fixed_len(cell) && cell.delta > 1; },
     hp_or_compressed_beats_cub},
    {"6.3.4", "len = range, delta = 1: CUB is fastest except at n = 1 M",
     [](const Cell& cell) { return is_full_range(cell) && same(cell.delta, 1); },
     cub_is_fastest_beyond_1m},
    {"6.3.4", "len = range, delta = 10, 50: H-P and 0-compressed are faster than CUB",
     [](const Cell& cell) { return is_full_range(cell) && cell.delta > 1; },
     hp_and_compressed_beat_cub},
    {"6.3.4", "len = range, delta = 10, 50: H-P is faster than 0-compressed",
     [](const Cell& cell) { return is_full_range(cell) && cell.delta > 1; }, hp_beats_compressed},
    {"6.3.4",
     "... by a difference that is negligible against that to CUB (here: less than half of it)",
     [](const Cell& cell) { return is_full_range(cell) && cell.delta > 1; }, gap_is_small},
    {"6.3.4", "H-P gets faster as delta grows",
     [](const Cell& cell) { return has_duplicates(cell) || is_full_range(cell); },
     faster_with_delta},
    {"6.3.5", "H-P gets faster as maxVal grows from 1000 to 100 000",
     [](const Cell& cell) { return has_fixed_range(cell) && cell.range >= 1000; },
     faster_with_range},
    {"6.3.5", "maxVal = 100: CUB is fastest",
     [](const Cell& cell) { return has_fixed_range(cell) && cell.range == 100; }, cub_is_fastest},
    {"6.3.5", "maxVal = 1000, sigma = 100: CUB overtakes as n grows",
     [](const Cell& cell) {
       return has_fixed_range(cell) && cell.range == 1000 && same(cell.sigma, 100);
     },
     cub_overtakes},
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
  Selection all;
  for (const ExperimentRow& row : rows) all.push_back(&row);
  std::vector<Finding> findings;
  for (const Statement& statement : statements) {
    Finding finding{statement.section, statement.text, {}};
    const Selection selected = select(all, statement.is_about);
    for (const FindingTimes& times : all_times) {
      Judgement judgement = statement.judge(selected, times);
      judgement.times = times.name;
      finding.judgements.push_back(std::move(judgement));
    }
    findings.push_back(std::move(finding));
  }
  return findings;
}

}  // namespace agpusim
