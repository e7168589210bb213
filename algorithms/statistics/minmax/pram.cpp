#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "agpusim/algorithms/common/pram/bounds.hpp"
#include "agpusim/algorithms/common/pram/forms.hpp"
#include "agpusim/algorithms/common/pram/maximum.hpp"
#include "agpusim/algorithms/common/pram/numbers.hpp"
#include "agpusim/algorithms/common/pram/row.hpp"
#include "agpusim/algorithms/common/pram/two_trees.hpp"
#include "agpusim/algorithms/registry.hpp"
#include "agpusim/model/error.hpp"

namespace agpusim {
namespace {

using Numbers = std::vector<std::int64_t>;

Numbers reference(const Numbers& x) {
  Numbers extremes = {x.front(), x.front()};
  for (const std::int64_t value : x) {
    if (value < extremes[0]) extremes[0] = value;
    if (value > extremes[1]) extremes[1] = value;
  }
  return extremes;
}

std::int64_t larger(std::int64_t a, std::int64_t b) { return std::max(a, b); }
std::int64_t smaller(std::int64_t a, std::int64_t b) { return std::min(a, b); }

/// n, made even by one more element.
std::int64_t even_size(std::int64_t n) { return n + n % 2; }

/// The rounds of seed 003 on N = even_size(n) elements, the additional one equal to the last
/// (theory 3.13, 0-based): processor i < N/2 sends the larger of elements 2i and 2i+1 to cell i and
/// the smaller to cell N/2+i. In each round the number of the cell with the maximum is halved, and
/// so is the distance to the end of the cell with the minimum: after ⌈lg N⌉ rounds they are in
/// cells 0 and N-1. A processor writes one cell a step, so a round is two steps, from one buffer to
/// the other: the second step still needs the elements of both.
Numbers minmax_by_rounds(Pram& pram, const PramArray& x) {
  const std::int64_t size = even_size(x.size());
  const std::array<PramArray, 2> buffers = {pram.array(size, "odd rounds"),
                                            pram.array(size, "even rounds")};
  PramArray from = x;
  for (std::size_t round = 0; round < static_cast<std::size_t>(ceil_lg(size)); ++round) {
    const PramArray& to = buffers[round % 2];
    const auto send = [&](const char* name, std::int64_t first, auto choose) {
      pram.step(name, size / 2, [&](PramProcessor& p) {
        const std::int64_t i = 2 * p.id();
        const std::int64_t a = p.read(from, i);
        const std::int64_t b = i + 1 < from.size() ? p.read(from, i + 1) : a;
        p.write(to, first + p.id(), choose(a, b));
      });
    };
    send("larger of pairs", 0, larger);
    send("smaller of pairs", size / 2, smaller);
    from = to;
  }
  const Numbers last = pram.values(from);
  return {last.back(), last.front()};
}

PramForm minmax_by_rounds_form(std::int64_t n) {
  const std::int64_t size = even_size(n);
  return {2 * ceil_lg(size), size / 2, size * ceil_lg(size)};
}

/// A tree of minima beside one of maxima.
Numbers minmax_by_trees(Pram& pram, const PramArray& x) {
  const PramArray copy = pram.array(x.size(), "copy");
  pram.step("copy", x.size(), [&](PramProcessor& p) { p.write(copy, p.id(), p.read(x, p.id())); });
  fold_two_by_tree(pram, "extremes of pairs", copy, smaller, x, larger);
  return {pram.values(copy).front(), pram.values(x).front()};
}

/// The minimum of x in one cell, from the maximum of the complements in another: ~v = -v-1 reverses
/// the order and, unlike -v, is a word for every word v.
PramArray complement_of(Pram& pram, const PramArray& complement) {
  const PramArray minimum = pram.array(1, "minimum");
  pram.step("minimum", 1, [&](PramProcessor& p) { p.write(minimum, 0, ~p.read(complement, 0)); });
  return minimum;
}

Numbers minmax_of_written(Pram& pram, const PramArray& x) {
  const PramArray maximum = pram.array(1, "maximum");
  const PramArray complement = pram.array(1, "largest complement");
  pram.step("write all", x.size(),
            [&](PramProcessor& p) { p.write(maximum, 0, p.read(x, p.id())); });
  pram.step("write all complements", x.size(),
            [&](PramProcessor& p) { p.write(complement, 0, ~p.read(x, p.id())); });
  return {pram.values(complement_of(pram, complement)).front(), pram.values(maximum).front()};
}

/// Both extremes from an algorithm for the maximum, which runs twice.
template <class Maximum>
Numbers minmax_by_maximum(Pram& pram, const PramArray& x, Maximum maximum_of) {
  const PramArray complements = pram.array(x.size(), "complements");
  pram.step("complements", x.size(),
            [&](PramProcessor& p) { p.write(complements, p.id(), ~p.read(x, p.id())); });
  const PramArray maximum = maximum_of(pram, x);
  const PramArray minimum = complement_of(pram, maximum_of(pram, complements));
  return {pram.values(minimum).front(), pram.values(maximum).front()};
}

PramForm minmax_by_maximum_form(std::int64_t n, const PramForm& maximum) {
  return sequence_form({step_form(n), maximum, maximum, step_form(1)});
}

Numbers program(const RunConfig& config, Pram& pram, const PramArray& x) {
  if (config.variant == "max_crcw") return minmax_of_written(pram, x);
  if (config.variant == "common_quadratic") return minmax_by_maximum(pram, x, maximum_of_all_pairs);
  if (config.variant == "doubly_log") return minmax_by_maximum(pram, x, maximum_by_growing_groups);
  if (config.variant == "tree") return minmax_by_trees(pram, x);
  return minmax_by_rounds(pram, x);
}

PramForm closed_form(const RunConfig& config) {
  const std::int64_t n = config.n;
  if (config.variant == "max_crcw") {
    return sequence_form({step_form(n), step_form(n), step_form(1)});
  }
  if (config.variant == "common_quadratic") {
    return minmax_by_maximum_form(n, maximum_of_all_pairs_form(n));
  }
  if (config.variant == "doubly_log") {
    return minmax_by_maximum_form(n, maximum_by_growing_groups_form(n));
  }
  if (config.variant == "tree") return sequence_form({step_form(n), two_trees_form(n)});
  return minmax_by_rounds_form(n);
}

void check(const RunConfig& config) {
  if (config.n == 0) {
    throw UsageError(
        fmt::format("{}: n = 0: no numbers have no minimum and no maximum; give at least one, for "
                    "example --n 8",
                    config.algorithm));
  }
  if (config.variant == "common_quadratic") refuse_square_overflow(config);
}

}  // namespace

void register_pram_minmax(Registry& registry) {
  // A cell that several processors write 1 to is not 0 afterwards.
  const std::vector<PramAccess> flags = {
      PramAccess::common, PramAccess::arbitrary, PramAccess::priority, PramAccess::sum,
      PramAccess::max,    PramAccess::min,       PramAccess::bit_or};
  PramSide row =
      side_on_numbers({number_kinds(), generate_numbers}, program, reference, closed_form);
  row.summary = "smallest and largest of n >= 1 numbers";
  row.variants = {
      pram_variant(
          "max_crcw", "every processor writes its number to one cell and its complement to another",
          growth::of_n("3 steps, n processors", growth::one, growth::linear, growth::linear),
          "theory 2.2", {PramAccess::max}),
      pram_variant(
          "common_quadratic", "all pairs are compared at once, for each extreme",
          growth::of_n("8 steps, n^2 processors", growth::one, growth::square, growth::square),
          "theory 3.13; Shiloach and Vishkin, J. Algorithms 2(1), 1981", flags),
      pram_variant("doubly_log",
                   "all pairs in groups of floor(2n/m)+1 of the m candidates, for each extreme",
                   growth::of_n("6 steps a round and 2, O(log log n) rounds, n processors",
                                growth::log_log, growth::linear, growth::m_log_log),
                   "theory 3.13; Valiant, SIAM J. Comput. 4(3), 1975", flags),
      pram_variant("tree", "a tree of minima beside a tree of maxima",
                   growth::of_n("ceil(lg n)+1 steps, n processors, work 3n-2", growth::log,
                                growth::linear, growth::linear),
                   "balanced binary tree", machines_of_erew()),
      pram_variant(
          "tournament",
          "of each pair the larger goes to the front half, the smaller to the back half",
          growth::of_n("2 ceil(lg N) steps, N/2 processors, work N ceil(lg N), N = n made even",
                       growth::log, growth::linear, growth::m_log),
          "theory 3.13; seed 003", machines_of_erew())};
  row.check = [usual = row.check](const RunConfig& config) {
    check(config);
    usual(config);
  };
  registry.add("minmax", std::move(row));
}

}  // namespace agpusim
