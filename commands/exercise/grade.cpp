#include "agpusim/commands/exercise/grade.hpp"

#include <algorithm>
#include <map>
#include <random>

#include <fmt/format.h>

#include "agpusim/commands/exercise/replay.hpp"
#include "agpusim/model/agpu/require_cost.hpp"

namespace agpusim::exercise {
namespace {

/// The first difference of a result; empty: none.
template <class Result, class Words>
std::string difference(const Result& got, const Words& expected) {
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const auto writer = got.writer.find(static_cast<std::int64_t>(i));
    if (got.written[i] && got.out[i] == expected[i]) continue;
    if (!got.written[i]) {
      return fmt::format("out[{}] must be {}, and nobody wrote it", i, expected[i]);
    }
    return fmt::format("out[{}] is {}, must be {}{}", i, got.out[i], expected[i],
                       writer == got.writer.end() ? "" : "; " + writer->second);
  }
  return "";
}

/// The lines beside a cost that is too high.
std::string reason(const RunReport& report, const Limit& limit) {
  const std::string text =
      detail::cost_failure(report, fmt::format("{} <= {}", limit.cost, limit.bound));
  return text.substr(text.find('\n'));
}
std::string reason(const PramReport&, const Limit&) { return ""; }

/// Whether all of the answer runs in the engine, where nothing is free.
bool is_engine(const KernelCase& asked) { return !asked.launches.empty(); }
bool is_engine(const PramCase&) { return false; }

/// Whether a plain answer cannot cost so little: the best known one does not nearly.
bool is_far_fewer(const std::string& name, std::int64_t cost, std::int64_t known) {
  if (name == "T" || name == "Q") return cost * 100 < known * 60 && known - cost >= 8;
  return name == "steps" && cost * 100 < known * 75 && known - cost >= 2;
}

/// Compares costs with their limits, and keeps the numbers of this run.
template <class Report, class Case>
void mark_cost(Marks& marks, const Report& report, const Trial<Case>& trial) {
  marks.costs.clear();
  for (const Limit& limit : trial.limits) {
    const std::int64_t cost = cost_of(report, limit.cost);
    marks.costs.push_back({limit, cost, trial.what});
    if (cost > limit.bound && marks.cost.empty()) {
      marks.cost = fmt::format("{} = {} is above {}, {} ({}){}", limit.cost, cost, limit.bound,
                               limit.chosen, trial.what, reason(report, limit));
    }
    if (trial.is_largest && !is_engine(trial.asked) && marks.fewer.empty() &&
        is_far_fewer(limit.cost, cost, limit.paid)) {
      marks.fewer = fmt::format(
          "{} = {} is far fewer than the best known {}: look at what the answer does outside the "
          "machine ({})",
          limit.cost, cost, limit.paid, trial.what);
    }
  }
}

/// An answer on one input.
template <class Case>
auto run(const Case& asked, const Ask& ask, const Trial<Case>& trial, Marks& marks) {
  const std::string& what = trial.what;
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
  const std::string wrong = got.written.empty() ? "" : difference(got, trial.expected);
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

template <class Case>
void mark_runs(const std::vector<Trial<Case>>& trials, const Ask& ask, Marks& marks) {
  std::map<std::size_t, std::vector<std::vector<std::int64_t>>> given;  // at a size
  for (const Trial<Case>& trial : trials) {
    Case asked = trial.asked;
    asked.nonce = draw_nonce();
    const auto got = run(asked, ask, trial, marks);
    if (got.ending != Ending::came_to_its_end) continue;
    if (given.try_emplace(asked.in.size(), got.given).first->second != got.given &&
        marks.cost.empty()) {
      marks.cost = fmt::format(
          "an array begins with what the program computed of the input outside the machine ({})",
          trial.what);
    }
    mark_cost(marks, got.report, trial);
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
                          of.cost, of.limit.bound, of.limit.chosen, of.limit.paid, of.run);
    }
  }
  return fmt::format("{}, seed {}, {} runs\n{}{}{}{} of 3\n", name, seed, runs,
                     line("result", result), line("legality", legality), paid, given());
}

Marks mark(const std::string& name, std::uint64_t seed, const Trials& trials, const Ask& ask) {
  Marks marks{name, seed};
  try {
    std::visit([&](const auto& all) { mark_runs(all, ask, marks); }, trials);
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

}  // namespace agpusim::exercise
