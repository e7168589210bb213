#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "agpusim/model/agpu/simulation_options.hpp"
#include "agpusim/model/run/host_program.hpp"

namespace agpusim {

class SimulatedDevice;

/// An axis of an algorithm besides n, with its default as a function of the rest of the run.
struct Parameter {
  std::string name;
  std::string help;
  std::function<std::int64_t(const RunConfig&)> default_value;
  std::int64_t least = 1;  ///< smallest value that can be set
  /// Whether a run leaves it out where it is the default, as runs that were recorded without it do.
  bool implied = false;
};

/// An asymptotic bound: its text and its expression for a run, without the constant.
struct Bound {
  std::string text;
  std::function<double(const RunConfig&)> value;
};

/// A form of an algorithm, with the bounds that are its own.
struct Variant {
  std::string name;
  Bound time = {};
  Bound io = {};
  std::vector<std::string> types = {};  ///< those it can run; empty: all of the row's
};

/// An exact expression from a paper or from theory for a count, where it holds.
struct Formula {
  std::string name;  ///< of the count: T, Q, ...
  std::string text;  ///< for example "Q = 2n/b"
  std::function<std::optional<std::int64_t>(const RunConfig&)> value;
  std::function<std::int64_t(const RunReport&)> count;
};

/// A formula of Q.
[[nodiscard]] Formula formula_of_io(
    std::string text, std::function<std::optional<std::int64_t>(const RunConfig&)> value);

/// One row of the algorithm table. Command line, tests, measurement plans and documents loop over
/// these rows; nothing else may switch on an algorithm's name. A row needs a name, a program and a
/// reference; Registry::add fills in what else it leaves out: one type (u32), the common kinds of
/// input, a check that accepts everything, bounds "none known".
struct Algorithm {
  std::string name;
  std::string summary;              ///< one line
  std::string source;               ///< paper and theorem
  Bound time;                       ///< of T; of the variants that have none of their own
  Bound io;                         ///< of Q, likewise
  std::vector<Variant> variants;    ///< empty where there is one form only; the default first
  std::vector<std::string> types;   ///< the default first
  std::vector<std::string> inputs;  ///< the default first
  std::vector<Parameter> parameters;
  /// Library programs of the same problem, on all types and inputs of the row, which says what is
  /// right. They have no counts, only a CUDA half (cub.cu), and depend on no machine.
  std::vector<std::string> peers;
  std::int64_t min_n = 1;     ///< smallest n; 0 where an empty input has a result
  bool given_values = false;  ///< inputs "values:3,1,7" give the keys themselves
  /// Throws UsageError when the machine or the parameters cannot run it (the reason in the
  /// message).
  std::function<void(const RunConfig&)> check;
  /// The host program on the abstract machine.
  std::function<std::unique_ptr<HostProgram>(SimulatedDevice&, const RunConfig&)> program;
  /// Runs on the abstract machine; made from `program` and `reference` where it is absent.
  std::function<RunResult(const RunConfig&, const SimulationOptions&)> simulate;
  /// The counts from one task of each class of tasks (model/agpu/task_runs.hpp), exact for every n
  /// but for the host words; nothing where they depend on data. Made from `program` where it is
  /// absent.
  std::function<std::optional<RunReport>(const RunConfig&)> derive;
  /// Checksum of the result of the sequential reference.
  std::function<std::uint64_t(const RunConfig&)> reference;
  std::vector<Formula> formulas;  ///< what papers say of its counts
  std::function<LowerBound(const RunConfig&)> lower_bound;
};

/// The names of the variants, the default first.
[[nodiscard]] std::vector<std::string> variant_names(const Algorithm& algorithm);

/// A configuration to fill in for each variant and each type that it can run, of the first input.
[[nodiscard]] std::vector<RunConfig> forms_of(const Algorithm& algorithm);

/// The bound of T and of Q of a run's variant. Throws UsageError with the known names.
[[nodiscard]] const Bound& time_bound(const Algorithm& algorithm, const RunConfig& config);
[[nodiscard]] const Bound& io_bound(const Algorithm& algorithm, const RunConfig& config);

/// The algorithm table, in registration order.
class Registry {
 public:
  /// Throws std::logic_error for a name that another row has and for a row without name, program
  /// or reference.
  void add(Algorithm algorithm);
  /// Throws UsageError with the known names when there is none of this name.
  [[nodiscard]] const Algorithm& find(const std::string& name) const;
  [[nodiscard]] const Algorithm* find_or_null(const std::string& name) const;
  /// The row that the library program of this name is a peer of, or null.
  [[nodiscard]] const Algorithm* row_of_peer(const std::string& name) const;
  [[nodiscard]] const std::vector<Algorithm>& all() const { return algorithms_; }

 private:
  std::vector<Algorithm> algorithms_;
};

/// Adds every algorithm of the build (generated from algorithms/CMakeLists.txt).
void register_all(Registry& registry);

/// Fills in default variant, type, input and parameters; throws UsageError for a value the row does
/// not know, for n outside min_n..2^40 and for a machine that cannot run it.
[[nodiscard]] RunConfig resolve(const Algorithm& algorithm, RunConfig config);

/// The run whose reference says what the result of `config` is: `config` itself or, of a library
/// program, the run of the row it is a peer of. Throws UsageError as Registry::find and resolve do.
[[nodiscard]] RunConfig reference_run(const Registry& registry, const RunConfig& config);

}  // namespace agpusim
