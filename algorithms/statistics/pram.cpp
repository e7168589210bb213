#include <fmt/format.h>

#include "agpusim/algorithms/common/pram/bounds.hpp"
#include "agpusim/algorithms/common/pram/forms.hpp"
#include "agpusim/algorithms/common/pram/numbers.hpp"
#include "agpusim/algorithms/common/pram/row.hpp"
#include "agpusim/algorithms/common/pram/two_trees.hpp"
#include "agpusim/algorithms/common/pram/words.hpp"
#include "agpusim/algorithms/registry.hpp"
#include "agpusim/model/error.hpp"

// The output is S, the sum of n integers, and Q, the sum of their squares, both exact. The rest
// follows as rational numbers: mean S/n, variance (nQ - S^2)/n^2 (population) and
// (nQ - S^2)/(n(n-1)) (sample, n >= 2).
namespace agpusim {
namespace {

using Numbers = std::vector<std::int64_t>;

Numbers reference(const Numbers& x) {
  // A partial sum may need more bits than the sum, so words wrap around.
  std::uint64_t sum = 0;
  std::uint64_t squares = 0;
  for (const std::int64_t value : x) {
    const auto word = static_cast<std::uint64_t>(value);
    sum += word;
    squares += word * word;
  }
  return {static_cast<std::int64_t>(sum), static_cast<std::int64_t>(squares)};
}

/// Throws RuleViolation when the square needs more than 64 bits.
std::int64_t square_word(std::int64_t value) {
  std::int64_t square = 0;
  if (__builtin_mul_overflow(value, value, &square)) [[unlikely]] {
    throw RuleViolation(
        fmt::format("the square of {} overflows a word of 64 bits; use smaller values", value));
  }
  return square;
}

/// An array of `size` >= n cells whose first n are the squares of x: one step.
PramArray squares_of(Pram& pram, const PramArray& x, std::int64_t size) {
  const PramArray squares = pram.array(size, "squares");
  pram.step("square", x.size(),
            [&](PramProcessor& p) { p.write(squares, p.id(), square_word(p.read(x, p.id()))); });
  return squares;
}

Numbers sums_of_written(Pram& pram, const PramArray& x) {
  const PramArray sum = pram.array(1, "sum");
  const PramArray squares = pram.array(1, "sum of squares");
  pram.step("add all", x.size(), [&](PramProcessor& p) { p.write(sum, 0, p.read(x, p.id())); });
  pram.step("add all squares", x.size(),
            [&](PramProcessor& p) { p.write(squares, 0, square_word(p.read(x, p.id()))); });
  return {pram.values(sum).front(), pram.values(squares).front()};
}

Numbers sums_by_trees(Pram& pram, const PramArray& x) {
  const PramArray squares = squares_of(pram, x, x.size());
  fold_two_by_tree(pram, "add pairs", x, add_words, squares, add_words);
  return {pram.values(x).front(), pram.values(squares).front()};
}

/// n, made even by a zero.
std::int64_t even_size(std::int64_t n) { return n + n % 2; }

/// The rounds of seed 003 on N = even_size(n) numbers (theory 3.13, 0-based), for one sum:
/// processor i < N/2 sends the sum of elements 2i and 2i+1 to cell i and 0 to cell N/2+i. The sum
/// is in cell 0 after ⌈lg N⌉ rounds. A processor writes one cell a step, so a round is two steps;
/// the second reads nothing, and in a step reads come before writes, so no copy of the numbers is
/// needed. The first n cells of `numbers` are defined.
std::int64_t sum_by_rounds(Pram& pram, const PramArray& numbers, std::int64_t n) {
  const std::int64_t half = numbers.size() / 2;
  std::int64_t defined = n;
  for (std::int64_t round = 0; round < ceil_lg(numbers.size()); ++round) {
    pram.step("add pairs", half, [&](PramProcessor& p) {
      const std::int64_t i = 2 * p.id();
      const std::int64_t first = p.read(numbers, i);
      const std::int64_t second = i + 1 < defined ? p.read(numbers, i + 1) : 0;
      p.write(numbers, p.id(), add_words(first, second));
    });
    pram.step("fill with 0", half, [&](PramProcessor& p) { p.write(numbers, half + p.id(), 0); });
    defined = numbers.size();
  }
  return pram.values(numbers).front();
}

Numbers sums_by_rounds(Pram& pram, const PramArray& x) {
  const std::int64_t size = even_size(x.size());
  const PramArray numbers = pram.array(size, "numbers");
  pram.step("copy", x.size(),
            [&](PramProcessor& p) { p.write(numbers, p.id(), p.read(x, p.id())); });
  const PramArray squares = squares_of(pram, x, size);
  const std::int64_t sum = sum_by_rounds(pram, numbers, x.size());
  return {sum, sum_by_rounds(pram, squares, x.size())};
}

PramForm sum_by_rounds_form(std::int64_t size) {
  return {2 * ceil_lg(size), size / 2, size * ceil_lg(size)};
}

Numbers program(const RunConfig& config, Pram& pram, const PramArray& x) {
  if (config.variant == "sum_crcw") return sums_of_written(pram, x);
  if (config.variant == "tree") return sums_by_trees(pram, x);
  return sums_by_rounds(pram, x);
}

PramForm closed_form(const RunConfig& config) {
  const PramForm once = step_form(config.n);
  if (config.variant == "sum_crcw") return sequence_form({once, once});
  if (config.variant == "tree") return sequence_form({once, two_trees_form(config.n)});
  const PramForm rounds = sum_by_rounds_form(even_size(config.n));
  return sequence_form({once, once, rounds, rounds});
}

void check(const RunConfig& config) {
  if (config.n == 0) {
    throw UsageError(fmt::format(
        "{}: n = 0: no numbers have no mean and no variance; give at least one, for example --n 8",
        config.algorithm));
  }
}

}  // namespace

void register_pram_statistics(Registry& registry) {
  PramSide row =
      side_on_numbers({number_kinds(), generate_numbers}, program, reference, closed_form);
  row.summary = "sum and sum of squares of n >= 1 integers: mean and variance, exactly";
  row.variants = {
      pram_variant(
          "sum_crcw", "every processor writes its number to one cell and its square to another",
          growth::of_n("2 steps, n processors", growth::one, growth::linear, growth::linear),
          "theory 3.1", {PramAccess::sum}),
      pram_variant("tree", "a tree that adds the numbers beside one that adds their squares",
                   growth::of_n("ceil(lg n)+1 steps, n processors, work 3n-2", growth::log,
                                growth::linear, growth::linear),
                   "balanced binary tree", machines_of_erew()),
      pram_variant(
          "tournament", "the sums of pairs go to the front half, 0 to the back half, twice",
          growth::of_n("4 ceil(lg N)+2 steps, n processors, work 2N ceil(lg N)+2n, N = n made even",
                       growth::log, growth::linear, growth::m_log),
          "theory 3.13; seed 003", machines_of_erew())};
  row.check = [usual = row.check](const RunConfig& config) {
    check(config);
    usual(config);
  };
  registry.add("statistics", std::move(row));
}

}  // namespace agpusim
