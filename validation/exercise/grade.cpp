#include "agpusim/validation/exercise/grade.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <set>

#include <fmt/format.h>

#include "agpusim/model/agpu/require_cost.hpp"
#include "agpusim/model/error.hpp"
#include "agpusim/validation/exercise/replay.hpp"

namespace agpusim::exercise {
namespace {

/// Inputs of one size: their names and the k-th word of each, drawn from `random`.
struct Kind {
  const char* name;
  std::uint32_t (*word)(std::int64_t k, std::mt19937_64& random);
};
constexpr std::array<Kind, 6> kinds = {{
    {"random", [](std::int64_t, std::mt19937_64& r) { return static_cast<std::uint32_t>(r()); }},
    {"0, 1, 2, ...",
     [](std::int64_t k, std::mt19937_64&) { return static_cast<std::uint32_t>(k); }},
    {"all 0", [](std::int64_t, std::mt19937_64&) { return std::uint32_t{0}; }},
    {"all the largest", [](std::int64_t, std::mt19937_64&) { return ~std::uint32_t{0}; }},
    {"0 and 1",
     [](std::int64_t, std::mt19937_64& r) { return static_cast<std::uint32_t>(r() & 1); }},
    {"one 1",
     [](std::int64_t k, std::mt19937_64& r) { return std::uint32_t{k == 0 && (r() & 1) != 0}; }},
}};

/// The first difference of a result; empty: none.
template <class Result, class Words>
std::string difference(const Result& got, const Words& expected) {
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const auto writer = got.writer.find(static_cast<std::int64_t>(i));
    if (got.written[i] && got.out[i] == expected[i]) continue;
    if (!got.written[i]) {
      return fmt::format("out[{}] must be {}, and nobody wrote it", i, expected[i]);
    }
    return fmt::format("out[{}] is {}, must be {}; {}", i, got.out[i], expected[i], writer->second);
  }
  return "";
}

std::int64_t cost_of(const RunReport& report, const std::string& name) {
  static const std::vector<std::string> names = detail::cost_names();
  const auto at = std::find(names.begin(), names.end(), name) - names.begin();
  return detail::cost_terms(report).at(static_cast<std::size_t>(at));
}

std::int64_t cost_of(const PramReport& report, const std::string& name) {
  if (name == "steps") return report.time();
  return name == "processors" ? report.processors() : report.work();
}

/// The lines beside a cost that is too high.
std::string reason(const RunReport& report, const Limit& limit) {
  const std::string text =
      detail::cost_failure(report, fmt::format("{} <= {}", limit.cost, limit.bound));
  return text.substr(text.find('\n'));
}
std::string reason(const PramReport&, const Limit&) { return ""; }

/// Up to this much, in percent of the best known cost, a plain answer may pay.
constexpr std::int64_t percent = 150;

/// What every exercise is marked for, where it says nothing itself: the bound is 1.5 times what the
/// exercise's own solution pays in the same run.
template <class Report>
std::vector<Limit> complete(std::vector<Limit> limits, const Report& best,
                            std::initializer_list<const char*> names) {
  for (const char* const name : names) {
    const std::int64_t known = cost_of(best, name);
    const auto at = std::find_if(limits.begin(), limits.end(),
                                 [&](const Limit& limit) { return limit.cost == name; });
    if (at == limits.end()) {
      limits.push_back({name, (known * percent + 99) / 100, known, "1.5 x best known"});
    }
  }
  return limits;
}

/// Whether a plain answer cannot cost so little: the best known one does not nearly.
bool is_far_fewer(const std::string& name, std::int64_t cost, std::int64_t known) {
  if (name == "T" || name == "Q") return cost * 100 < known * 60 && known - cost >= 8;
  return name == "steps" && cost * 100 < known * 75 && known - cost >= 2;
}

/// Compares costs with their limits, and keeps the numbers of this run.
template <class Report>
void mark_cost(Marks& marks, const Report& report, const Report& best,
               const std::vector<Limit>& limits, bool is_largest, const std::string& what) {
  marks.costs.clear();
  for (const Limit& limit : limits) {
    const std::int64_t cost = cost_of(report, limit.cost);
    marks.costs.push_back({limit, cost, what});
    if (cost > limit.bound && marks.cost.empty()) {
      marks.cost = fmt::format("{} = {} is above {}, {} ({}){}", limit.cost, cost, limit.bound,
                               limit.chosen, what, reason(report, limit));
    }
    const std::int64_t known = cost_of(best, limit.cost);
    if (is_largest && marks.fewer.empty() && is_far_fewer(limit.cost, cost, known)) {
      marks.fewer = fmt::format(
          "{} = {} is far fewer than the best known {}: look at what the answer does outside the "
          "machine ({})",
          limit.cost, cost, known, what);
    }
  }
}

/// An answer, and the exercise's own solution, on one input.
template <class Case, class Words>
auto run(const Case& asked, const Ask& ask, const std::string& what, const Words& expected,
         Marks& marks) {
  ++marks.runs;
  decltype(replay(asked, "")) got;
  try {
    got = replay(asked, ask(request(asked)));
  } catch (const Broken& broken) {
    throw Stopped(fmt::format("what the answer handed over is no run of the machine: {} ({})",
                              broken.what(), what));
  }
  if (got.ending == Ending::failed) throw Stopped(fmt::format("{} ({})", got.message, what));
  if (got.ending == Ending::broke_a_rule && marks.legality.empty()) {
    marks.legality = fmt::format("{} ({})", got.message, what);
  }
  const std::string wrong = got.written.empty() ? "" : difference(got, expected);
  if (!wrong.empty() && marks.result.empty()) marks.result = fmt::format("{} ({})", wrong, what);
  if (!got.outside.empty() && marks.outside.empty()) {
    marks.outside = fmt::format("{} ({})", got.outside, what);
  }
  marks.wrote =
      marks.wrote || std::find(got.written.begin(), got.written.end(), true) != got.written.end();
  marks.ended += got.ending == Ending::came_to_its_end ? 1 : 0;
  return got;
}

Nonce draw_nonce() {
  static thread_local std::random_device device;
  return static_cast<Nonce>(std::uint64_t{device()} << 32 | device());
}

/// Of a run of the exercise's own solution, which is right.
template <class Case>
auto best_report(const Case& asked, const Exercise& exercise) {
  return replay(asked, exercise.solution(request(asked))).report;
}

void mark_runs(const KernelExercise& judge, const Exercise& exercise, const Ask& ask,
               std::mt19937_64& random, Marks& marks) {
  for (const AgpuSpec& spec : judge.machines) {
    std::vector<std::int64_t> sizes = judge.sizes(spec);
    const std::size_t known = sizes.size();
    if (judge.unit) {
      const std::int64_t unit = judge.unit(spec);
      const std::int64_t most = *std::max_element(sizes.begin(), sizes.end()) / unit;
      const auto below = [&](std::int64_t n) {
        return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(n));
      };
      sizes.push_back(unit * (1 + below(most)));
      sizes.push_back(unit * (1 + 2 * below((most + 1) / 2)));
      sizes.push_back(unit * (most + 1 + below(most)));
    }
    const std::int64_t largest = *std::max_element(sizes.begin(), sizes.end());
    for (std::size_t s = 0; s < sizes.size(); ++s) {
      for (const Kind& kind : kinds) {
        if (s >= known && &kind != &kinds.front()) continue;
        KernelCase asked{draw_nonce(), spec, {}, judge.out(spec, sizes[s])};
        for (std::int64_t k = 0; k < sizes[s]; ++k) asked.in.push_back(kind.word(k, random));
        const std::string what =
            fmt::format("n = {}, {}, {}", sizes[s], kind.name, spec.to_string());
        const auto got = run(asked, ask, what, judge.expected(spec, asked.in), marks);
        if (got.ending != Ending::came_to_its_end) continue;
        const RunReport best = best_report(asked, exercise);
        mark_cost(marks, got.report, best, complete(judge.limits(spec, sizes[s]), best, {"T", "Q"}),
                  sizes[s] == largest, what);
      }
    }
  }
}

void mark_runs(const PramExercise& judge, const Exercise& exercise, const Ask& ask,
               std::mt19937_64& random, Marks& marks) {
  std::vector<std::int64_t> sizes = judge.sizes;
  const std::size_t known = sizes.size();
  if (judge.draws_sizes) {
    const std::int64_t most = *std::max_element(sizes.begin(), sizes.end());
    sizes.push_back(1 + 2 * static_cast<std::int64_t>(random() % 32));
    sizes.push_back(most + 1 + static_cast<std::int64_t>(random() % 32));
  }
  const std::int64_t largest = *std::max_element(sizes.begin(), sizes.end());
  std::map<std::int64_t, std::vector<std::vector<std::int64_t>>> given;
  for (std::size_t s = 0; s < sizes.size(); ++s) {
    for (const Kind& kind : kinds) {
      if (s >= known && &kind != &kinds.front()) continue;
      PramCase asked{draw_nonce(), judge.machine, {}, judge.out(sizes[s])};
      for (std::int64_t k = 0; k < sizes[s]; ++k) asked.in.push_back(kind.word(k, random) >> 1);
      if (judge.input) asked.in = judge.input(asked.in);
      const std::string what =
          fmt::format("n = {}, {}, {}", sizes[s], kind.name, judge.machine.to_string());
      const auto got = run(asked, ask, what, judge.expected(asked.in), marks);
      if (got.ending != Ending::came_to_its_end) continue;
      if (given.try_emplace(sizes[s], got.given).first->second != got.given && marks.cost.empty()) {
        marks.cost = fmt::format(
            "an array begins with what the program computed of the input outside the machine ({})",
            what);
      }
      const PramReport best = best_report(asked, exercise);
      mark_cost(marks, got.report, best, complete(judge.limits(sizes[s]), best, {"steps", "work"}),
                sizes[s] == largest, what);
    }
  }
}

}  // namespace

int Marks::given() const {
  return (result.empty() ? 1 : 0) + (legality.empty() ? 1 : 0) + (right() && cost.empty() ? 1 : 0);
}

std::string Marks::first_wrong() const {
  if (!compiler.empty()) return result;
  return !legality.empty() ? legality : !result.empty() ? result : cost;
}

std::string Marks::text() const {
  const auto line = [](const char* what, const std::string& wrong) {
    return fmt::format("{:10} {}\n", what, wrong.empty() ? "ok" : "WRONG: " + wrong);
  };
  std::string paid = "cost       not marked before the others are ok\n";
  if (right()) {
    paid = line("cost", cost);
    for (const Paid& of : costs) {
      paid += fmt::format("           {} = {}, bound {} ({}), best known {} ({})\n", of.limit.cost,
                          of.cost, of.limit.bound, of.limit.chosen, of.limit.best, of.run);
    }
  }
  return fmt::format("{}, seed {}, {} runs\n{}{}{}{} of 3\n", name, seed, runs,
                     line("result", result), line("legality", legality), paid, given());
}

Marks mark(const Exercise& exercise, std::uint64_t seed, const Ask& ask) {
  Marks marks{exercise.name, seed};
  std::mt19937_64 random(seed);
  try {
    std::visit([&](const auto& judge) { mark_runs(judge, exercise, ask, random, marks); },
               exercise.judge);
  } catch (const Stopped& stopped) {
    marks.result = marks.legality = stopped.what();
  }
  if (marks.ended == 0 && marks.result.empty()) marks.result = "no run came to its end";
  if (!marks.wrote && marks.legality.empty()) {
    marks.legality = "no run wrote anything: there is nothing to mark";
  }
  if (marks.cost.empty()) marks.cost = marks.fewer;
  if (!marks.outside.empty()) marks.cost = marks.outside;
  if (!marks.outside.empty() && !marks.result.empty()) marks.result = marks.outside;
  return marks;
}

std::vector<std::int64_t> order_of(const std::vector<std::int64_t>& words) {
  std::vector<std::int64_t> order(words.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](std::int64_t a, std::int64_t b) {
    return words[static_cast<std::size_t>(a)] < words[static_cast<std::size_t>(b)];
  });
  return order;
}

AgpuSpec machine(std::int32_t b, std::int32_t warps, std::int64_t shared_words) {
  AgpuSpec spec;
  spec.block_words = b;
  spec.width = b * warps;
  spec.cores = std::int64_t{4} * b;
  spec.shared_words = shared_words;
  return spec;
}

std::vector<std::int64_t> sizes_around(const AgpuSpec& spec) {
  std::set<std::int64_t> sizes = {1};
  for (const std::int64_t size : {std::int64_t{spec.block_words}, std::int64_t{spec.width},
                                  std::int64_t{5} * spec.width, spec.shared_words}) {
    for (std::int64_t n = std::max<std::int64_t>(1, size - 1); n <= size + 1; ++n) sizes.insert(n);
  }
  return {sizes.begin(), sizes.end()};
}

}  // namespace agpusim::exercise
