#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "agpusim/algorithms/common/sort_bound.hpp"
#include "agpusim/algorithms/common/symbols.hpp"
#include "agpusim/model/error.hpp"
#include "agpusim/tests/support/catch.hpp"
#include "agpusim/tests/support/rows.hpp"

// The bounds of a variant: over sizes, machines and inputs count / bound stays between constants.

namespace agpusim {
namespace {

/// Most that the largest quotient may be of the smallest.
constexpr double most_spread = 3;

/// The quotients of one count and its bound.
class Quotients {
 public:
  void add(const RunConfig& config, std::int64_t count, const Bound& bound) {
    const double quotient = static_cast<double>(count) / bound.value(config);
    const auto text = [&] {
      return fmt::format("{:.3f} at n = {}, {}, input {}, V = {}", quotient, config.n,
                         config.spec.to_string(), config.input, config.spec.width);
    };
    if (quotient < least_) {
      least_ = quotient;
      least_text_ = text();
    }
    if (quotient > most_) {
      most_ = quotient;
      most_text_ = text();
    }
  }
  [[nodiscard]] double spread() const { return most_ / least_; }
  [[nodiscard]] std::string text() const { return least_text_ + "; " + most_text_; }

 private:
  double least_ = std::numeric_limits<double>::infinity();
  double most_ = 0;
  std::string least_text_;
  std::string most_text_;
};

struct TestedMachine {
  std::int32_t b;
  std::int64_t k;
  std::int32_t warps;
  std::int64_t shared_words;
  std::int64_t largest;  ///< n of derived counts
};
constexpr TestedMachine machines[] = {
    {4, 2, 1, 256, 1 << 21},    {4, 2, 1, 16384, 1 << 21},   {8, 4, 2, 1024, 1 << 21},
    {16, 1, 4, 2048, 1 << 21},  {32, 2, 1, 4096, 1 << 24},   {32, 8, 4, 8192, 1 << 30},
    {64, 2, 2, 16384, 1 << 24}, {32, 1, 32, 16384, 1 << 24},
};

/// Whether every multiprocessor has several tasks: below, other terms than the bound's decide.
bool is_large(const RunConfig& config) {
  const std::int64_t k = config.spec.multiprocessors();
  const auto tile = config.parameters.find("tile");
  return config.n >= 64 * k * config.spec.width &&
         (tile == config.parameters.end() || config.n >= 4 * k * tile->second);
}

/// The runs of one form of a row.
class Runs {
 public:
  explicit Runs(const Algorithm& row) : row_(row) {}

  void add_sizes(const RunConfig& form, const TestedMachine& machine) {
    RunConfig config = form;
    config.spec.block_words = machine.b;
    config.spec.cores = machine.b * machine.k;
    config.spec.width = machine.b * machine.warps;
    config.spec.shared_words = machine.shared_words;
    bool goes_on = true;
    for (std::int64_t power = 512; goes_on && power <= (oblivious_ ? machine.largest : 1 << 18);
         power *= 8) {
      config.n = power;
      goes_on = add(config);
      config.n = power / 4 * 7;
      if (power <= 1 << 18) goes_on = add(config);
    }
  }

  [[nodiscard]] int count() const { return runs_; }
  [[nodiscard]] const Quotients& time() const { return time_; }
  [[nodiscard]] const Quotients& io() const { return io_; }

  [[nodiscard]] bool oblivious() const { return oblivious_; }

 private:
  /// Returns whether larger runs are affordable.
  bool add(RunConfig config) {
    try {
      config = resolve(row_, config);
    } catch (const UsageError&) {
      return true;
    }
    if (!is_large(config)) return true;
    const std::optional<RunReport> report = report_of(config);
    if (!report) return false;
    ++runs_;
    time_.add(config, report->time(), time_bound(row_, config));
    io_.add(config, report->total().io(), io_bound(row_, config));
    // Counts are derived from one task of each class, whose loops may be long.
    constexpr std::int64_t longest_task = 1 << 15;
    return std::all_of(report->phases.begin(), report->phases.end(),
                       [](const PhaseReport& phase) { return phase.max_task_time < longest_task; });
  }

  /// Derived for any n, or simulated where that takes a moment.
  std::optional<RunReport> report_of(const RunConfig& config) {
    if (oblivious_) {
      if (std::optional<RunReport> report = row_.derive(config)) return report;
      oblivious_ = false;
    }
    constexpr double affordable = 1 << 17;  // units of T, summed over the multiprocessors
    const double units =
        time_bound(row_, config).value(config) * static_cast<double>(config.spec.multiprocessors());
    if (units > affordable) return std::nullopt;
    return row_.simulate(config, {1, false, true, {}}).report;
  }

  const Algorithm& row_;
  Quotients time_;
  Quotients io_;
  int runs_ = 0;
  bool oblivious_ = true;
};

bool has_range(const Algorithm& row) {
  return std::any_of(row.parameters.begin(), row.parameters.end(),
                     [](const Parameter& parameter) { return parameter.name == "range"; });
}

/// Runs a form on all machines and, where the data decide, with all kinds of inputs and, where
/// there is such a parameter, with a range of values that does not grow with n.
Runs runs_of(const Algorithm& row, RunConfig form) {
  Runs runs(row);
  for (const TestedMachine& machine : machines) {
    for (const std::string& input : row.inputs) {
      form.input = input;
      runs.add_sizes(form, machine);
      if (runs.oblivious()) break;
      if (!has_range(row)) continue;
      RunConfig few_values = form;
      few_values.parameters["range"] = 128;
      runs.add_sizes(few_values, machine);
    }
  }
  return runs;
}

TEST_CASE("counts divided by the bounds of their variant stay between constants",
          "[algorithms][bounds]") {
  for (const Algorithm& row : test::all_rows().on_agpu()) {
    for (const RunConfig& form : forms_of(row)) {
      const Runs runs = runs_of(row, form);
      CAPTURE(row.name, form.variant, form.type, runs.time().text(), runs.io().text());
      CHECK(runs.count() >= 6);
      CHECK(runs.time().spread() <= most_spread);
      CHECK(runs.io().spread() <= most_spread);
    }
  }
}

TEST_CASE("a bound of another variant is found out", "[algorithms][bounds]") {
  const auto spreads = [](const std::string& name, const std::string& variant,
                          const std::string& type, const Bound& time, const Bound& io) {
    Algorithm row = test::row(name);
    for (Variant& other : row.variants) {
      other.time = time;
      other.io = io;
    }
    RunConfig form{
        .algorithm = name, .variant = variant, .type = type, .input = row.inputs.front()};
    const Runs runs = runs_of(row, form);
    return std::pair{runs.time().spread(), runs.io().spread()};
  };
  const Bound even = {"n/p", [](const Symbols& s) { return s.n / s.p; }};
  const Bound blocks = {"n/b", [](const Symbols& s) { return s.n / s.b; }};
  const Bound merges = {"(n/p) log b log(n/b)",
                        [](const Symbols& s) { return s.n / s.p * lg(s.b) * lg(s.n / s.b); }};
  CHECK(spreads("scan", "kogge_stone", "u32", even, blocks).first > most_spread);
  CHECK(spreads("multiway_merge_sort", "heap", "u32", merges, blocks).first > most_spread);
  const auto [time, io] = spreads("minmax", "one_lane", "i32", even, blocks);
  CHECK(time > most_spread);
  CHECK(io > most_spread);
}

TEST_CASE("a variant refuses types that it cannot run and names the others",
          "[algorithms][bounds]") {
  const auto refusal = [](const std::string& name, const std::string& variant,
                          const std::string& type) -> std::string {
    return test::message_of<UsageError>(
        [&] { return resolve(test::row(name), {.variant = variant, .type = type, .n = 1000}); });
  };
  CHECK(refusal("scan", "affine", "u64") == "scan (affine) has no type 'u64': known are u32");
  CHECK(refusal("reduce", "ordered", "u64") == "reduce (ordered) has no type 'u64': known are u32");
  CHECK(refusal("statistics", "textbook", "i64") ==
        "statistics (textbook) has no type 'i64': known are f32, f64");
  CHECK(refusal("statistics", "textbook", "") == "");
  CHECK(refusal("scan", "sum", "f32") == "scan has no type 'f32': known are u32, u64");
}

/// I/O in units of n/b with two decimals.
std::string in_scans(double blocks, double n, double b) {
  return fmt::format("{:.2f}", blocks / (n / b));
}

RunConfig sort_of(std::int64_t n, const std::string& type) {
  return RunConfig{.type = type,
                   .n = n,
                   .spec = {.cores = 1024, .block_words = 32, .shared_words = 1024, .width = 32}};
}

TEST_CASE("the I/O bound of sorting equals the table of theory 4") {
  struct Row {
    double n;
    double m;
    const char* reads;
    const char* total;
  };
  const double b = 32;
  for (const Row& row : {Row{0x1p20, 12288, "1.50", "2.50"}, Row{0x1p24, 12288, "1.91", "2.91"},
                         Row{0x1p28, 12288, "2.31", "3.31"}, Row{0x1p24, 58368, "1.55", "2.55"},
                         Row{0x1p24, 1024, "3.00", "4.00"}}) {
    CAPTURE(row.n, row.m);
    CHECK(in_scans(sorting_reads_bound(row.n, b, row.m), row.n, b) == row.reads);
    CHECK(in_scans(sorting_io_bound(row.n, b, row.m), row.n, b) == row.total);
  }
}

TEST_CASE("the I/O bound of sorting is finite where nothing has to be sorted or memory is tiny") {
  for (const double n : {0.0, 1.0, 2.0, 31.0, 32.0}) {
    CAPTURE(n);
    CHECK(sorting_reads_bound(n, 32, 1024) == 0);  // one block: its first read tells the order
    CHECK(sorting_io_bound(n, 32, 1024) == n / 16);
  }
  const double least = sorting_reads_bound(1024, 32, 64);
  CHECK(std::isfinite(least));
  CHECK(least > sorting_reads_bound(1024, 32, 1024));
  for (const double m : {0.0, 1.0, 32.0, 33.0, 63.0}) {
    CAPTURE(m);
    CHECK(sorting_reads_bound(1024, 32, m) == least);
  }
  // Four keys in blocks of one, memory for two: lg 24 bits, one bit a read.
  CHECK(fmt::format("{:.6f}", sorting_reads_bound(4, 1, 2)) == "4.584963");
}

TEST_CASE("the bounds of a run count words, registers, cores and multiprocessors") {
  // Keys in blocks of 32 or 16, memories of 1024 + 32 * 32 words. By Python's math.lgamma:
  // lg(2^16!) = 954,036.86 bits; 3,047.46 reads of u32 and 6,686.18 of u64.
  const LowerBound u32 = comparison_sort_bound(sort_of(1 << 16, "u32"));
  CHECK(u32.io == 3048 + 2048);
  CHECK(u32.time == 931);  // 954,036.86 / 1024 cores
  const LowerBound u64 = comparison_sort_bound(sort_of(1 << 16, "u64"));
  CHECK(u64.io == 6687 + 4096);
  CHECK(u64.time == 931);
  const LowerBound few = comparison_sort_bound(sort_of(8, "u32"));
  CHECK(few.io == 2);
  CHECK(few.time == 1);  // one of 32 multiprocessors reads and writes; lg 8! / 1024 < 1
  const LowerBound none = comparison_sort_bound(sort_of(0, "u64"));
  CHECK(none.io == 0);
  CHECK(none.time == 0);
}

}  // namespace
}  // namespace agpusim
