#pragma once

#include <cstdint>
#include <functional>
#include <memory>
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
};

/// One row of the algorithm table. Command line, tests, measurement plans and documents loop over
/// these rows; nothing else may switch on an algorithm's name. A row needs a name, a program and a
/// reference; Registry::add fills in what else it leaves out: one type (u32), the common kinds of
/// input, a check that accepts everything, bounds "none known".
struct Algorithm {
  std::string name;
  std::string summary;                ///< one line
  std::string source;                 ///< paper and theorem
  std::string bound_time;             ///< asymptotic T
  std::string bound_io;               ///< asymptotic Q
  std::vector<std::string> variants;  ///< empty or the names, the default first
  std::vector<std::string> types;     ///< the default first
  std::vector<std::string> inputs;    ///< the default first
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
  /// Checksum of the result of the sequential reference.
  std::function<std::uint64_t(const RunConfig&)> reference;
  std::function<std::vector<PhaseForm>(const RunConfig&)> closed_form;
  /// The closed form for evenly spread keys, which it does not look at. Absent where closed_form is
  /// affordable for every n.
  std::function<std::vector<PhaseForm>(const RunConfig&)> expected_form;
  std::function<LowerBound(const RunConfig&)> lower_bound;
};

/// Whether a prediction takes the keys as evenly spread instead of looking at them: where the row
/// has expected_form and the input more than 2^20 elements.
[[nodiscard]] bool takes_even_keys(const Algorithm& algorithm, const RunConfig& config);

/// The forms that a prediction needs: expected_form where takes_even_keys(), else closed_form.
[[nodiscard]] std::vector<PhaseForm> foretold_form(const Algorithm& algorithm,
                                                   const RunConfig& config);

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
