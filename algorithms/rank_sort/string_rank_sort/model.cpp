#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include <fmt/format.h>

#include "agpusim/algorithms/common/element_type.hpp"
#include "agpusim/algorithms/common/form.hpp"
#include "agpusim/algorithms/common/given_values.hpp"
#include "agpusim/algorithms/common/sort_reference.hpp"
#include "agpusim/algorithms/common/symbols.hpp"
#include "agpusim/algorithms/rank_sort/string_rank_sort/program.hpp"
#include "agpusim/algorithms/registry.hpp"
#include "agpusim/model/agpu/device.hpp"

namespace agpusim {
namespace {

using string_rank_sort::all_words;

void check(const RunConfig& config) {
  const std::int64_t words = config.parameters.at("words");
  if (words > 8 || !is_power_of_two(words)) {
    throw UsageError(fmt::format("words = {}: must be 1, 2, 4 or 8 words of a string", words));
  }
  if (is_given(config.input)) {
    throw UsageError("string_rank_sort makes its strings itself, for example --input few_distinct");
  }
  if (config.n > std::int64_t{1} << 22) {
    throw UsageError(
        fmt::format("string_rank_sort: n = {} is above 2^22, for which n^2 comparisons take "
                    "seconds on any GPU",
                    config.n));
  }
}

/// Checksum of the strings that the library has sorted.
std::uint64_t reference(const RunConfig& config) {
  return with_element_type(config.type, [&]<class Word>(Word) {
    const auto words = static_cast<std::size_t>(config.parameters.at("words"));
    const std::vector<Word> in = generate<Word>(config.input, all_words(config), config.seed);
    std::vector<std::size_t> order(static_cast<std::size_t>(config.n));
    std::iota(order.begin(), order.end(), std::size_t{0});
    const auto begin = [&](std::size_t string) { return in.data() + string * words; };
    std::sort(order.begin(), order.end(), [&](std::size_t x, std::size_t y) {
      return std::lexicographical_compare(begin(x), begin(x) + words, begin(y), begin(y) + words);
    });
    std::vector<Word> out;
    for (const std::size_t string : order) {
      out.insert(out.end(), begin(string), begin(string) + words);
    }
    return checksum<Word>(out);
  });
}

/// The bound of n keys of one word, and that every word must be read and written.
LowerBound lower_bound(const RunConfig& config) {
  LowerBound bound = comparison_sort_row().lower_bound(config);
  const std::int64_t scan = element_blocks(config, all_words(config));
  bound.io = std::max(bound.io, 2 * scan);
  bound.time = std::max(bound.time, ceil_div(bound.io, config.spec.multiprocessors()));
  return bound;
}

}  // namespace

void register_string_rank_sort(Registry& registry) {
  Algorithm row = comparison_sort_row();
  row.name = "string_rank_sort";
  row.family = "rank sorts";
  row.summary = "stable sort of strings of equal length by counting, compared word by word";
  row.source = "seed 002, repaired; theory 3.9";
  row.time = {
      "Theta(n^2 c/p), c words compared of two strings: 1 of random ones, all of equal ones",
      [](const Symbols& s) { return s.n * s.n / s.p; }};
  row.io = {"n^2 c/b + blocks of the scatter, at most n words",
            [](const Symbols& s) { return s.n * s.n / s.b + s.n * s["words"]; }};
  row.min_n = 0;
  row.parameters = {{"words", "words of a string, each an element of the type: 1, 2, 4 or 8",
                     [](const RunConfig&) { return std::int64_t{2}; }}};
  row.check = check;
  row.reference = reference;
  row.lower_bound = lower_bound;
  row.program = string_rank_sort::make_program<SimulatedDevice>;
  registry.add(std::move(row));
}

}  // namespace agpusim
