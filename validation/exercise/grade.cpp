#include "agpusim/validation/exercise/grade.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <random>
#include <set>

#include <fmt/format.h>

#include "agpusim/model/agpu/lane_context.hpp"
#include "agpusim/model/agpu/require_cost.hpp"
#include "agpusim/model/error.hpp"
#include "agpusim/model/source_text.hpp"
#include "agpusim/validation/io/atomic_file.hpp"
#include "agpusim/validation/report/report.hpp"

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

/// Remembers who wrote each element of "out" last.
class Writers : public Observer {
 public:
  void begin_task(std::int64_t task) override { task_ = task; }
  void instruction(const Instruction& instruction) override {
    if (instruction.array == nullptr || instruction.kind == InstructionKind::read ||
        instruction.array->shared || instruction.array->name != "out") {
      return;
    }
    const ActiveIndices& indices = *instruction.indices;
    for (std::int32_t i = indices.count; i-- > 0;) {
      last_[instruction.origin + indices.index[i]] =
          fmt::format("written by lane {} of task {} at {}", indices.lane[i], task_,
                      place_text(instruction.where.file_name(), instruction.where.line()));
    }
  }
  [[nodiscard]] std::string of(std::int64_t element) const {
    const auto found = last_.find(element);
    return found == last_.end() ? "which nobody wrote" : found->second;
  }

 private:
  std::int64_t task_ = 0;
  std::map<std::int64_t, std::string> last_;
};

/// The first difference of two results; empty: none.
template <class Words, class Who>
std::string difference(const Words& got, const Words& expected, const Who& who) {
  if (got.size() != expected.size()) {
    return fmt::format("{} elements instead of {}", got.size(), expected.size());
  }
  for (std::size_t i = 0; i < got.size(); ++i) {
    if (got[i] == expected[i]) continue;
    return fmt::format("out[{}] is {}, must be {}; {}", i, got[i], expected[i],
                       who(static_cast<std::int64_t>(i)));
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

/// Compares costs with their limits, and keeps the numbers of this run.
template <class Report>
void mark_cost(Marks& marks, const Report& report, const std::vector<Limit>& limits,
               const std::string& what) {
  marks.costs.clear();
  for (const Limit& limit : limits) {
    const std::int64_t cost = cost_of(report, limit.cost);
    marks.costs.push_back({limit, cost, what});
    if (cost > limit.bound && marks.cost.empty()) {
      marks.cost = fmt::format("{} = {} is above {} ({}){}", limit.cost, cost, limit.bound, what,
                               reason(report, limit));
    }
  }
}

}  // namespace

int Marks::given() const {
  return (result.empty() ? 1 : 0) + (legality.empty() ? 1 : 0) + (right() && cost.empty() ? 1 : 0);
}

std::string Marks::text() const {
  const auto line = [](const char* what, const std::string& wrong) {
    return fmt::format("{:10} {}\n", what, wrong.empty() ? "ok" : "WRONG: " + wrong);
  };
  std::string paid = "cost       not marked before the others are ok\n";
  if (right()) {
    paid = line("cost", cost);
    for (const Paid& of : costs) {
      paid += fmt::format("           {} = {}, bound {}, best known {} ({})\n", of.limit.cost,
                          of.cost, of.limit.bound, of.limit.best, of.run);
    }
  }
  return fmt::format("{}, seed {}, {} runs\n{}{}{}{} of 3\n", name, seed, runs,
                     line("result", result), line("legality", legality), paid, given());
}

report::Report to_report(const Marks& marks) {
  using report::Value;
  struct Mark {
    const char* name;
    bool given;
    std::string wrong;
  };
  const std::vector<Mark> all = {
      {"result", marks.result.empty(), marks.result},
      {"legality", marks.legality.empty(), marks.legality},
      {"cost", marks.right() && marks.cost.empty(),
       marks.right() ? marks.cost : "not marked before the others are ok"}};
  const std::vector<report::Column<Mark>> mark_columns = {
      {{"mark", "mark"}, [](const Mark& mark) { return Value(mark.name); }},
      {{"given", "given"}, [](const Mark& mark) { return Value(mark.given); }},
      {{"wrong", "wrong"},
       [](const Mark& mark) { return mark.wrong.empty() ? Value() : Value(mark.wrong); }}};
  const std::vector<report::Column<Paid>> cost_columns = {
      {{"cost", "cost"}, [](const Paid& paid) { return Value(paid.limit.cost); }},
      {{"paid", "paid"}, [](const Paid& paid) { return Value(paid.cost); }},
      {{"bound", "bound"}, [](const Paid& paid) { return Value(paid.limit.bound); }},
      {{"best_known", "best known"}, [](const Paid& paid) { return Value(paid.limit.best); }},
      {{"run", "run"}, [](const Paid& paid) { return Value(paid.run); }}};
  report::Report written;
  written.title = fmt::format("exercise {}", marks.name);
  written.body.facts = {{{"exercise", ""}, marks.name, "", "exercise"},
                        {{"seed", "seed"}, marks.seed, "", "seed"},
                        {{"runs", "runs"}, marks.runs},
                        {{"marks", "marks"}, marks.given(), "of 3", "marks"}};
  written.body.tables = {report::table("of", mark_columns, all),
                         report::table("costs", cost_columns, marks.costs)};
  written.body.tables.front().csv = true;
  return written;
}

int put(const Marks& marks, const std::string& format, const std::string& page) {
  const report::Report written = to_report(marks);
  if (!page.empty()) write_file(page, report::to_html(written));
  const std::string text = format == "json"  ? report::to_json(written)
                           : format == "csv" ? report::to_csv(written)
                                             : marks.text();
  std::fputs(text.c_str(), stdout);
  return marks.given() == 3 ? 0 : 1;
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

Marks mark(const KernelExercise& exercise, std::uint64_t seed) {
  Marks marks{exercise.name, seed};
  std::mt19937_64 random(seed);
  for (const AgpuSpec& spec : exercise.machines) {
    for (const std::int64_t n : exercise.sizes(spec)) {
      for (const Kind& kind : kinds) {
        KernelExercise::Words input;
        for (std::int64_t k = 0; k < n; ++k) input.push_back(kind.word(k, random));
        const std::string what = fmt::format("n = {}, {}, {}", n, kind.name, spec.to_string());
        ++marks.runs;
        SimulationOptions options;
        options.threads = 1;
        options.by_line = true;
        try {
          SimulatedDevice device(spec, options);
          const auto expected = exercise.expected(spec, input);
          if (marks.result.empty() && exercise.run(device, input) != expected) {
            Writers writers;
            options.by_line = false;
            options.observer = &writers;
            SimulatedDevice again(spec, options);
            marks.result = difference(exercise.run(again, input), expected,
                                      [&](std::int64_t element) { return writers.of(element); }) +
                           fmt::format(" ({})", what);
          }
          mark_cost(marks, device.report(), exercise.limits(spec, n), what);
        } catch (const RuleViolation& violation) {
          if (marks.legality.empty())
            marks.legality = fmt::format("{} ({})", violation.what(), what);
        }
      }
    }
  }
  return marks;
}

Marks mark(const PramExercise& exercise, std::uint64_t seed) {
  Marks marks{exercise.name, seed};
  std::mt19937_64 random(seed);
  for (const std::int64_t n : exercise.sizes) {
    for (const Kind& kind : kinds) {
      PramExercise::Words input;
      for (std::int64_t k = 0; k < n; ++k) input.push_back(kind.word(k, random) >> 1);
      const std::string what =
          fmt::format("n = {}, {}, {}", n, kind.name, exercise.machine.to_string());
      ++marks.runs;
      try {
        Pram pram(exercise.machine, {.threads = 1});
        const std::string wrong =
            difference(exercise.run(pram, input), exercise.expected(input),
                       [](std::int64_t) { return std::string("see your steps"); });
        if (!wrong.empty() && marks.result.empty())
          marks.result = fmt::format("{} ({})", wrong, what);
        mark_cost(marks, pram.report(), exercise.limits(n), what);
      } catch (const RuleViolation& violation) {
        if (marks.legality.empty()) marks.legality = fmt::format("{} ({})", violation.what(), what);
      }
    }
  }
  return marks;
}

}  // namespace agpusim::exercise
