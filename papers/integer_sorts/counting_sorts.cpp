#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <string_view>
#include <tuple>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "agpusim/algorithms/integer_sorts/counting_sort/plan.hpp"
#include "agpusim/papers/integer_sorts/bench_keys.hpp"
#include "agpusim/papers/integer_sorts/experiment.hpp"
#include "agpusim/validation/io/json_lines.hpp"
#include "agpusim/validation/io/stats.hpp"

namespace agpusim {
namespace {

using counting_sort::Choice;
using counting_sort::Method;
using report::Column;
using report::Format;
using report::Section;

constexpr std::string_view uniform_keys = bench::kind_names[bench::uniform];
constexpr std::string_view distinct_keys = bench::kind_names[bench::distinct];
constexpr std::string_view few_values = bench::kind_names[bench::few];

/// How the tables name a method: by a letter.
const std::map<std::string, char>& letters() {
  static const std::map<std::string, char> all = {
      {"one_launch", 'o'}, {"words", 'w'},    {"packed_16", 'h'},  {"packed_8", 'b'},
      {"partition", 'p'},  {"distinct", 'd'}, {"few_values", 'f'}, {"radix", '='}};
  return all;
}

/// What is taken for the keys which the benchmark makes.
Choice chosen_for(const CountingSorts& input, const counting_sort::Rates& rates) {
  const auto found = std::find(bench::kind_names.begin(), bench::kind_names.end(), input.input);
  if (found == bench::kind_names.end()) {
    throw detail::JsonError("unknown keys '" + input.input + "'");
  }
  const auto kind = static_cast<int>(found - bench::kind_names.begin());
  const std::int64_t count = std::min(counting_sort::sample_keys, input.n);
  std::vector<std::int32_t> sample;
  for (std::int64_t i = 0; i < count; ++i) {
    sample.push_back(static_cast<std::int32_t>(bench::bench_key(
        kind, i * (input.n / count), input.n, static_cast<std::uint64_t>(input.range))));
  }
  counting_sort::Probe probe = counting_sort::probe(sample);
  probe.differ = kind == bench::distinct;
  const bool anywhere = kind == bench::few;
  return counting_sort::choose({input.n, anywhere ? std::numeric_limits<std::int32_t>::min() : 0,
                                anywhere ? std::int64_t{1} << 32 : input.range},
                               probe, rates);
}

std::string power_or_number(std::int64_t value) {
  return report::to_text(value, value >= 16 ? Format::size : Format::integer);
}

std::string range_title(const CountingSorts& input) {
  return input.input == distinct_keys && input.range >= input.n ? "range >= n"
                                                                : power_or_number(input.range);
}

/// How many times as fast as CUB by the bits of the range, and by which method.
std::string map_cell(const CountingSorts& input) {
  const char letter = letters().at(input.chosen);
  return input.ours ? fmt::format("{:.2f} {}", input.fitted / *input.ours, letter)
                    : fmt::format("? {}", letter);
}

/// A line for each kind of keys and n, a column for each range.
report::Table map_table(const std::vector<const CountingSorts*>& inputs) {
  report::Table table{"", {{"", "keys"}, {"", "n", Format::size}}, {}};
  std::map<std::int64_t, std::string> ranges;
  for (const CountingSorts* const input : inputs) {
    ranges.emplace(input->input == distinct_keys ? 0 : input->range, range_title(*input));
  }
  for (const auto& [range, title] : ranges) table.columns.push_back({"", title, Format::right});
  std::vector<std::pair<std::string, std::int64_t>> lines;
  for (const CountingSorts* const input : inputs) {
    const std::pair line{input->input, input->n};
    if (std::find(lines.begin(), lines.end(), line) == lines.end()) lines.push_back(line);
  }
  for (const auto& [keys, n] : lines) {
    auto& cells = table.rows.emplace_back(table.columns.size());
    cells[0] = keys;
    cells[1] = n;
    for (const CountingSorts* const input : inputs) {
      if (input->input != keys || input->n != n) continue;
      const auto range = ranges.find(input->input == distinct_keys ? 0 : input->range);
      cells[2 + static_cast<std::size_t>(std::distance(ranges.begin(), range))] = map_cell(*input);
    }
  }
  return table;
}

const std::vector<Column<CountingSorts>>& columns() {
  using Input = CountingSorts;
  const auto optional = [](std::optional<double> Input::*member) {
    return [member](const Input& input) { return report::value_or_null(input.*member); };
  };
  static const std::vector<Column<Input>> all = {
      {{"keys", "keys"}, &Input::input},
      {{"n", "n", Format::size}, &Input::n},
      {{"range", "range", Format::size}, &Input::range},
      {{"chosen", "chosen"}, &Input::chosen},
      {{"foretold_us", "predicted, us", Format::decimal}, &Input::predicted},
      {{"ours_us", "ours, us", Format::decimal}, optional(&Input::ours)},
      {{"fastest", "fastest"}, &Input::fastest},
      {{"least_us", "it, us", Format::decimal}, &Input::least},
      {{"cub_fitted_us", "CUB fitted, us", Format::decimal}, &Input::fitted},
      {{"cub_us", "CUB, us", Format::decimal}, optional(&Input::all_bits)},
      {{"seed_us", "seed's H-P, us", Format::decimal}, optional(&Input::seed)},
      {{"copy_us", "copy, us", Format::decimal}, &Input::copy}};
  return all;
}

/// What the choice loses, and where CUB is faster.
std::vector<std::string> scores_of(const std::vector<CountingSorts>& inputs) {
  std::int64_t measured = 0;
  std::int64_t near = 0;
  std::int64_t not_slower = 0;
  std::vector<std::string> lost;
  double regret = 0;
  std::vector<double> errors;
  for (const CountingSorts& input : inputs) {
    if (!input.ours) continue;
    ++measured;
    near += *input.ours <= 1.05 * input.least ? 1 : 0;
    regret += *input.ours / input.least - 1;
    errors.push_back(std::abs(input.predicted / *input.ours - 1));
    not_slower += *input.ours <= input.fitted / 0.95 ? 1 : 0;
    if (*input.ours > input.fitted / 0.95) {
      lost.push_back(fmt::format("{} n = {} range = {}", input.input, power_or_number(input.n),
                                 power_or_number(input.range)));
    }
  }
  std::vector<std::string> sentences = {
      fmt::format("the choice is at least 0.95 times as fast as CUB by the bits of the range for "
                  "{} of {} inputs{}{}",
                  not_slower, measured, lost.empty() ? "" : "; not for ", fmt::join(lost, ", ")),
      fmt::format("it is the fastest method that was measured, or within 5 % of it, for {}; {:.1f} "
                  "% slower than that on average",
                  near, 100 * regret / static_cast<double>(std::max<std::int64_t>(measured, 1))),
      fmt::format("the time it is chosen for is off by {:.0f} % (median), by up to 10 % for {}",
                  100 * median(errors),
                  std::count_if(errors.begin(), errors.end(), [](double e) { return e <= 0.1; }))};
  if (const auto rest = std::ssize(inputs) - measured; rest > 0) {
    sentences.push_back(fmt::format(
        "what is chosen for {} inputs (? in the tables) was not measured on them", rest));
  }
  return sentences;
}

}  // namespace

std::vector<CountingSorts> read_counting_sorts(const std::filesystem::path& path,
                                               const DeviceFile& device) {
  const counting_sort::Rates rates =
      counting_sort::rates_of([&](std::string_view name) { return device.value(name); });
  using Times = std::map<std::string, double>;  // microseconds by method
  struct Measured {
    CountingSorts input;
    Times sorted;
    Times gave_up;  ///< methods that found that they cannot sort the keys
  };
  std::vector<Measured> all;
  detail::for_each_line(path, [&](const detail::Json& json, const std::string&) {
    CountingSorts input;
    input.input = detail::field<std::string>(json, "input");
    input.n = detail::field<std::int64_t>(json, "n");
    input.range = detail::field<std::int64_t>(json, "range");
    const auto key = [](const CountingSorts& one) { return std::tie(one.input, one.n, one.range); };
    auto at =
        std::ranges::find(all, key(input), [&](const Measured& one) { return key(one.input); });
    if (at == all.end()) {
      at = all.insert(at, {input, {}, {}});
      const Choice choice = chosen_for(at->input, rates);
      at->input.chosen = to_string(choice.method);
      at->input.predicted = choice.us;
    }
    (detail::field<bool>(json, "right") ? at->sorted
                                        : at->gave_up)[detail::field<std::string>(json, "method")] =
        detail::field<double>(json, "us");
  });
  std::vector<CountingSorts> inputs;
  for (Measured& one : all) {
    CountingSorts& input = one.input;
    const auto time = [&](const std::string& method) -> std::optional<double> {
      const auto found = one.sorted.find(method);
      return found == one.sorted.end() ? std::nullopt : std::optional(found->second);
    };
    input.copy = time("copy").value_or(0);
    input.fitted = time("radix").value_or(0);
    input.all_bits = time("cub_all_bits");
    input.seed = time("seed");
    input.ours = time(input.chosen);
    if (const auto found = one.gave_up.find(input.chosen); found != one.gave_up.end()) {
      input.ours = found->second + input.fitted;
    }
    input.least = std::numeric_limits<double>::infinity();
    for (const Method method : counting_sort::methods()) {
      const std::optional<double> us = time(to_string(method));
      if (!us || *us >= input.least) continue;
      input.least = *us;
      input.fastest = to_string(method);
    }
    inputs.push_back(std::move(input));
  }
  return inputs;
}

Section counting_sorts_section(const std::vector<CountingSorts>& inputs) {
  Section section;
  section.heading = "Sorts from counts: who wins where";
  section.sentences = {
      "times as fast as cub::DeviceRadixSort by the bits of the range is the sort that "
      "counting_sort chooses from n, range and a sample of the keys: o one_launch, w words, h "
      "packed_16, b packed_8, p partition, d distinct, f few_values, = CUB itself"};
  for (std::string& sentence : scores_of(inputs)) section.sentences.push_back(std::move(sentence));
  std::vector<const CountingSorts*> uniform;
  std::vector<const CountingSorts*> skewed;
  std::vector<const CountingSorts*> distinct;
  std::vector<const CountingSorts*> few;
  std::vector<CountingSorts> largest;
  for (const CountingSorts& input : inputs) {
    (input.input == uniform_keys    ? uniform
     : input.input == distinct_keys ? distinct
     : input.input == few_values    ? few
                                    : skewed)
        .push_back(&input);
    if (input.input == uniform_keys && input.n == inputs.front().n) largest.push_back(input);
  }
  for (const auto& part : {uniform, skewed, few, distinct}) {
    if (!part.empty()) section.tables.push_back(map_table(part));
  }
  section.tables.push_back(report::table("", columns(), largest));
  section.tables.push_back(report::table("counting_sorts", columns(), inputs));
  section.tables.back().for_reader = false;
  return section;
}

}  // namespace agpusim
