#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "agpusim/algorithms/common/sort_bound.hpp"
#include "agpusim/commands/bounds/sort_bounds.hpp"
#include "agpusim/model/cost/units.hpp"

namespace agpusim {
namespace {

using report::Column;
using report::Format;
using report::Value;

/// A step of a counting argument for one n, b and M.
struct Step {
  std::string of;  ///< n, b and M
  std::string what;
  std::string bound;   ///< with letters
  std::string filled;  ///< with numbers
  double value = 0;    ///< bits or blocks
};

double log2_choose(double of, double some) {
  return log2_factorial(of) - log2_factorial(some) - log2_factorial(of - some);
}

/// The steps of sorting, of permuting, and of sorting with a memory that is never erased.
std::vector<Step> steps_of(const SortBoundsRow& row, std::int64_t k) {
  const auto n = static_cast<double>(row.n);
  const auto b = static_cast<double>(row.block_words);
  const double memory = std::max(2 * b, static_cast<double>(row.shared_words));
  const double orders = log2_factorial(n);
  const double inside = n / b * log2_factorial(b);
  const double left = std::max(0.0, orders - inside);
  const double places = log2_choose(memory, b);
  const double reads = std::ceil(sorting_reads_bound(n, b, memory));
  const double named = std::log2(n * (1 + std::log2(std::max(n, 1.0))));
  const double moves = std::ceil(left / (named + places));
  const double all = static_cast<double>(k) * memory;
  const double unerased = std::ceil(sorting_reads_bound(n, b, all));
  std::vector<Step> steps;
  const auto add = [&](const char* what, const char* bound, std::string filled, double value) {
    steps.push_back({steps.empty() ? fmt::format("n = {}, b = {}, M = {}", n, b, memory) : "", what,
                     bound, std::move(filled), value});
  };
  add("orders of the keys, in bits", "lg n!", fmt::format("lg {}!", n), orders);
  add("the first read of each block tells the order inside", "<= (n/b) lg b!",
      fmt::format("{:.6g} * lg {}!", n / b, b), inside);
  add("left to tell", ">= lg n! - (n/b) lg b!", fmt::format("{:.6g} - {:.6g}", orders, inside),
      left);
  add("a read tells the places of b keys among those in memory", "<= lg C(M,b)",
      fmt::format("lg C({}, {})", memory, b), places);
  add("so many reads tell enough", "r lg C(M,b) >= what is left",
      fmt::format("{} * {:.6g} >= {:.6g}", reads, places, left), reads * places);
  if (reads > 0) {
    add("one read less does not", "(r-1) lg C(M,b) < what is left",
        fmt::format("{} * {:.6g} < {:.6g}", reads - 1, places, left), (reads - 1) * places);
  }
  add("blocks read and written by a sort", ">= max(r, n/b) + n/b",
      fmt::format("max({}, {:.6g}) + {:.6g}", reads, n / b, n / b), std::max(reads, n / b) + n / b);
  add("to permute, a transfer names one of n (1 + lg n) blocks, too", "<= lg(n (1 + lg n))",
      fmt::format("lg({:.6g})", std::exp2(named)), named);
  add("blocks read and written by a permutation",
      ">= max(left / (lg(n (1 + lg n)) + lg C(M,b)), 2n/b)",
      fmt::format("max({}, {:.6g})", moves, 2 * n / b), std::max(moves, 2 * n / b));
  add("without erasure one multiprocessor does the work of k with", "kM words",
      fmt::format("{} * {}", k, memory), all);
  add("... so that a sort may do with fewer reads", ">= left / lg C(kM,b)",
      fmt::format("{:.6g} / {:.6g}", left, log2_choose(all, b)), unerased);
  return steps;
}

}  // namespace

report::Table explained(const std::vector<SortBoundsRow>& rows, std::int64_t k) {
  std::vector<Step> steps;
  for (const SortBoundsRow& row : rows) {
    for (Step& step : steps_of(row, k)) steps.push_back(std::move(step));
  }
  const std::vector<Column<Step>> columns = {{{"of", ""}, &Step::of},
                                             {{"step", "step"}, &Step::what},
                                             {{"bound", "bound"}, &Step::bound},
                                             {{"filled", "here"}, &Step::filled},
                                             {{"value", "=", Format::decimal}, &Step::value}};
  return report::table("explained", columns, steps);
}

}  // namespace agpusim
