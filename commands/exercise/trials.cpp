#include "agpusim/commands/exercise/trials.hpp"

#include <algorithm>
#include <array>
#include <exception>
#include <numeric>
#include <random>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "agpusim/commands/exercise/replay.hpp"
#include "agpusim/model/agpu/require_cost.hpp"

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

/// What a judge says of one machine.
template <class Case>
struct Judged {
  using Words = decltype(Case::in);
  Case begun;  ///< the machine
  std::function<Words(const std::vector<std::uint32_t>& drawn)> input;
  std::function<std::int64_t(std::int64_t n)> out;
  std::function<Words(const Words&)> expected;
  std::function<std::vector<Limit>(std::int64_t n)> limits;
  std::function<void(Case&, std::int64_t n)> complete;  ///< adds what else is asked for
  std::int64_t slack = 0;                               ///< time units beyond the bound of T
  std::vector<std::string> costs;                       ///< costs that are marked in any case
};

/// Up to this much, in percent of what the own solution pays, a plain answer may pay.
constexpr std::int64_t percent = 150;

template <class Case>
void add_trials(std::vector<Trial<Case>>& to, const Judged<Case>& judged,
                const std::vector<std::int64_t>& sizes, std::size_t given, const Ask& solution,
                std::mt19937_64& random) {
  const std::int64_t largest = *std::max_element(sizes.begin(), sizes.end());
  for (std::size_t s = 0; s < sizes.size(); ++s) {
    const std::int64_t n = sizes[s];
    for (const Kind& kind : kinds) {
      if (s >= given && &kind != &kinds.front()) continue;
      std::vector<std::uint32_t> drawn;
      for (std::int64_t k = 0; k < n; ++k) drawn.push_back(kind.word(k, random));
      Trial<Case> trial{judged.begun, {}, judged.limits(n), {}, n == largest};
      trial.asked.in = judged.input(drawn);
      trial.asked.out = judged.out(n);
      judged.complete(trial.asked, n);
      trial.expected = judged.expected(trial.asked.in);
      trial.what = fmt::format("n = {}, {}, {}", n, kind.name, judged.begun.spec.to_string());
      if (static_cast<std::int64_t>(trial.expected.size()) != trial.asked.out) {
        throw Broken(fmt::format("expected() gives {} words, and out() says {} ({})",
                                 trial.expected.size(), trial.asked.out, trial.what));
      }
      const auto own = replay(trial.asked, solution(request(trial.asked)));
      if (own.ending != Ending::came_to_its_end) {
        throw Broken(fmt::format("the own solution: {} ({})", own.message, trial.what));
      }
      for (const std::string& cost : judged.costs) {
        const std::int64_t paid = cost_of(own.report, cost);
        if (std::none_of(trial.limits.begin(), trial.limits.end(),
                         [&](const Limit& limit) { return limit.cost == cost; })) {
          const std::int64_t more = cost == "T" ? judged.slack : 0;
          trial.limits.push_back({cost, (paid * percent + 99) / 100 + more, "1.5 x best known"});
        }
      }
      for (Limit& limit : trial.limits) limit.paid = cost_of(own.report, limit.cost);
      to.push_back(std::move(trial));
    }
  }
}

std::int64_t below(std::int64_t n, std::mt19937_64& random) {
  return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(n));
}

void require(bool there, const char* what) {
  if (!there) throw Broken(fmt::format("judge() sets no {}", what));
}

template <class Case>
void write(Writer& to, const std::vector<Trial<Case>>& trials) {
  to.number(static_cast<std::int64_t>(trials.size()));
  for (const Trial<Case>& trial : trials) {
    to.text(request(trial.asked));
    to.words(trial.expected);
    to.number(static_cast<std::int64_t>(trial.limits.size()));
    for (const Limit& limit : trial.limits) {
      to.text(limit.cost);
      for (const std::int64_t value : {limit.bound, limit.paid}) to.number(value);
      to.text(limit.chosen);
    }
    to.text(trial.what);
    to.number(trial.is_largest ? 1 : 0);
  }
}

template <class Case>
std::vector<Trial<Case>> read(Reader& from, Case (*read_case)(const std::string& bytes)) {
  std::vector<Trial<Case>> trials(static_cast<std::size_t>(from.count()));
  for (Trial<Case>& trial : trials) {
    trial.asked = read_case(from.text());
    trial.expected = from.words<decltype(trial.expected)>();
    trial.limits.resize(static_cast<std::size_t>(from.count()));
    for (Limit& limit : trial.limits) {
      limit.cost = from.text();
      for (std::int64_t* value : {&limit.bound, &limit.paid}) *value = from.number();
      limit.chosen = from.text();
    }
    trial.what = from.text();
    trial.is_largest = from.number(0, 1) != 0;
  }
  from.end();
  return trials;
}

}  // namespace

Trials draw_trials(const KernelExercise& judge, const Ask& solution, std::uint64_t seed) {
  require(!judge.machines.empty(), "machines");
  require(judge.sizes != nullptr, "sizes");
  require(judge.out != nullptr, "out");
  require(judge.expected != nullptr, "expected");
  std::mt19937_64 random(seed);
  std::vector<Trial<KernelCase>> trials;
  std::vector<AgpuSpec> machines = judge.machines;
  if (judge.draws_machine) machines.push_back(judge.draws_machine(random()));
  for (const AgpuSpec& spec : machines) {
    std::vector<std::int64_t> sizes = judge.sizes(spec);
    require(!sizes.empty(), "sizes");
    const std::size_t given = sizes.size();
    if (judge.unit) {
      const std::int64_t unit = judge.unit(spec);
      const std::int64_t most = *std::max_element(sizes.begin(), sizes.end()) / unit;
      sizes.push_back(unit * (1 + below(most, random)));
      sizes.push_back(unit * (1 + 2 * below((most + 1) / 2, random)));
      sizes.push_back(unit * (most + 1 + below(most, random)));
    }
    Judged<KernelCase> judged{
        {0, spec, {}, 0},
        [&](const auto& drawn) { return judge.input ? judge.input(drawn) : drawn; },
        [&](std::int64_t n) { return judge.out(spec, n); },
        [&](const auto& in) { return judge.expected(spec, in); },
        [&](std::int64_t n) { return judge.limits ? judge.limits(spec, n) : std::vector<Limit>{}; },
        [&](KernelCase& asked, std::int64_t n) {
          if (judge.launches) asked.launches = judge.launches(spec, n);
          if (judge.scratch) asked.scratch = judge.scratch(spec, n);
          asked.out_is_zeroed = judge.out_is_zeroed;
        },
        judge.launches ? spec.width / 4 : 0,  // what compilers make of a guard in a small run
        {"T", "Q"}};
    add_trials(trials, judged, sizes, given, solution, random);
  }
  return trials;
}

Trials draw_trials(const PramExercise& judge, const Ask& solution, std::uint64_t seed) {
  require(!judge.sizes.empty(), "sizes");
  require(judge.out != nullptr, "out");
  require(judge.expected != nullptr, "expected");
  std::mt19937_64 random(seed);
  std::vector<std::int64_t> sizes = judge.sizes;
  const std::int64_t most = *std::max_element(sizes.begin(), sizes.end());
  const std::int64_t odd = 1 + 2 * below(32, random);
  for (const std::int64_t drawn : {odd, most + 1 + below(32, random)}) {
    sizes.push_back(judge.size ? judge.size(drawn) : drawn);
  }
  Judged<PramCase> judged{
      {0, judge.machine, {}, 0},
      [&](const auto& drawn) {
        PramExercise::Words words(drawn.size());
        std::transform(drawn.begin(), drawn.end(), words.begin(), [](auto w) { return w >> 1; });
        return judge.input ? judge.input(words) : words;
      },
      judge.out,
      judge.expected,
      [&](std::int64_t n) { return judge.limits ? judge.limits(n) : std::vector<Limit>{}; },
      [](PramCase&, std::int64_t) {},
      0,
      {"steps", "work"}};
  std::vector<Trial<PramCase>> trials;
  add_trials(trials, judged, sizes, judge.sizes.size(), solution, random);
  return trials;
}

std::string reply_with(const std::function<Trials(std::uint64_t seed)>& draw,
                       const std::string& request) {
  Writer to;
  try {
    const Trials trials = draw(static_cast<std::uint64_t>(Reader(request).number()));
    to.text("");
    to.number(static_cast<std::int64_t>(trials.index()));
    std::visit([&](const auto& all) { write(to, all); }, trials);
    return to.bytes();
  } catch (const std::exception& error) {
    Writer reason;
    reason.text(error.what());
    return reason.bytes();
  }
}

Trials ask_for_trials(const Ask& program, std::uint64_t seed) {
  Writer to;
  to.number(static_cast<std::int64_t>(seed));
  const std::string reply = program(to.bytes());
  Reader from(reply);
  if (const std::string reason = from.text(); !reason.empty()) throw Broken(reason);
  if (from.number(0, 1) == 0) return read<KernelCase>(from, read_kernel_case);
  return read<PramCase>(from, read_pram_case);
}

std::int64_t cost_of(const RunReport& report, const std::string& name) {
  static const std::vector<std::string> names = detail::cost_names();
  const auto at = std::find(names.begin(), names.end(), name);
  if (at == names.end()) throw Broken(fmt::format("{} is no cost that can be limited", name));
  return detail::cost_terms(report).at(static_cast<std::size_t>(at - names.begin()));
}

std::int64_t cost_of(const PramReport& report, const std::string& name) {
  if (name == "steps") return report.time();
  if (name == "processors") return report.processors();
  if (name == "work") return report.work();
  throw Broken(fmt::format("{} is none of steps, processors and work", name));
}

std::vector<std::int64_t> order_of(const std::vector<std::int64_t>& words) {
  std::vector<std::int64_t> order(words.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](std::int64_t a, std::int64_t b) {
    return words[static_cast<std::size_t>(a)] < words[static_cast<std::size_t>(b)];
  });
  return order;
}

KernelExercise cuda_exercise(std::int32_t warps) {
  KernelExercise result;
  result.machines = {machine(32, warps, 12288)};
  result.sizes = sizes_around;
  result.unit = [](const AgpuSpec&) { return std::int64_t{1}; };
  result.out = [](const AgpuSpec&, std::int64_t n) { return n; };
  return result;
}

std::int64_t short_side(std::int64_t n) {
  std::int64_t side = 1;
  for (std::int64_t d = 1; d * d <= n; ++d) side = n % d == 0 ? d : side;
  return side;
}

std::int64_t columns_of(std::int64_t n) { return n % 4 == 1 ? short_side(n) : n / short_side(n); }

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
