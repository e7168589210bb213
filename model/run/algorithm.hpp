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
struct PramForm;
struct PramOptions;
struct PramRunResult;

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

/// What a run on a PRAM costs asymptotically: as text, and as expressions without constants.
struct PramBound {
  std::string text;  ///< for example "2 steps, m(floor(lg m)+1) processors"
  std::function<double(const RunConfig&)> steps = {};
  std::function<double(const RunConfig&)> processors = {};
  std::function<double(const RunConfig&)> work = {};
};

/// A form of an algorithm, with what is its own.
struct Variant {
  std::string name;
  // On AGPU.
  Bound time = {};
  Bound io = {};
  std::vector<std::string> types = {};  ///< types it can run; empty: all of the row's
  // On both.
  std::string help = {};  ///< what it is, in one line
  // On a PRAM.
  PramBound on_pram = {};
  std::string source = {};                ///< paper and theorem
  std::vector<PramAccess> machines = {};  ///< machines it is correct on, its own first
};

/// A form on a PRAM.
[[nodiscard]] inline Variant pram_variant(std::string name, std::string help, PramBound bound,
                                          std::string source, std::vector<PramAccess> machines) {
  return {std::move(name),    {}, {}, {}, std::move(help), std::move(bound), std::move(source),
          std::move(machines)};
}

/// An exact expression from a paper or from theory for a count, where it holds.
struct Formula {
  std::string name;  ///< name of the count: T, Q, ...
  std::string text;  ///< for example "Q = 2n/b"
  std::function<std::optional<std::int64_t>(const RunConfig&)> value;
  std::function<std::int64_t(const RunReport&)> count;
};

/// A formula of Q.
[[nodiscard]] inline Formula formula_of_io(
    std::string text, std::function<std::optional<std::int64_t>(const RunConfig&)> value) {
  return {"Q", "Q = " + std::move(text), std::move(value),
          [](const RunReport& report) { return report.total().io(); }};
}

/// What a row says of the runs on one kind of machine.
struct Side {
  std::string summary;              ///< one line
  std::vector<Variant> variants;    ///< empty where there is one form only; the default first
  std::vector<std::string> inputs;  ///< the default first
  std::vector<Parameter> parameters;
  std::int64_t min_n = 1;     ///< smallest n; 0 where an empty input has a result
  bool given_values = false;  ///< also inputs "values:3,1,7" and "file:NAME"
  /// Throws UsageError when the machine or the parameters cannot run it (the reason in the
  /// message).
  std::function<void(const RunConfig&)> check;
};

/// The side on a PRAM; every member is needed, but for the closed form.
struct PramSide : Side {
  PramSide() : Side{{}, {}, {}, {}, 0, true, {}} {}

  std::function<PramRunResult(const RunConfig&, const PramOptions&)> run;
  std::function<PramForm(const RunConfig&)> closed_form;
};

/// One row of the algorithm table. Command line, tests, measurement plans and documents loop over
/// these rows; nothing else may switch on an algorithm's name. A row needs a name, and on AGPU a
/// program; Registry::add fills in what else it leaves out there: one type (u32), the common kinds
/// of input, a check that accepts everything, bounds "none known", for a reference the abstract
/// machine, whose own result is then not checked.
struct Algorithm : Side {
  std::string name;
  std::string family;              ///< rows of one are reported and left out of a fit together
  std::string source;              ///< paper and theorem
  Bound time;                      ///< bound of T; of variants that have none of their own
  Bound io;                        ///< bound of Q; of variants that have none of their own
  std::vector<std::string> types;  ///< the default first
  /// Library programs of the same problem, on all types and inputs of the row, which says what is
  /// right. They have no counts, only a CUDA half (cub.cu), and depend on no machine.
  std::vector<std::string> peers;
  /// The host program on the abstract machine.
  std::function<std::unique_ptr<HostProgram>(SimulatedDevice&, const RunConfig&)> program;
  /// Runs on the abstract machine; made from `program` and `reference` where it is absent.
  std::function<RunResult(const RunConfig&, const SimulationOptions&)> simulate;
  /// The counts from one task of each class of tasks (model/agpu/task_runs.hpp), exact for every n
  /// but for the host words; nothing where they depend on data. Made from `program` where it is
  /// absent.
  std::function<std::optional<RunReport>(const RunConfig&)> derive;
  /// The phases of a run of its kernels as a compiler made them, with what a prediction needs
  /// (validation/compiled); empty where they are not at hand.
  std::function<std::vector<PhaseReport>(const RunConfig&)> compiled;
  /// Checksum of the result of the sequential reference.
  std::function<std::uint64_t(const RunConfig&)> reference;
  /// The result of the reference, for rows that can give it, to say where another differs.
  std::function<Output(const RunConfig&)> expected;
  std::vector<Formula> formulas;  ///< what papers say of its counts
  /// Costs inside of phases, for a reader; empty: it says none.
  std::function<std::vector<NamedValue>(const RunConfig&, const RunReport&)> account = {};
  std::function<LowerBound(const RunConfig&)> lower_bound;
  std::optional<PramSide> pram;  ///< absent: it runs on AGPU only

  /// Whether it runs on AGPU, of a row in a table.
  [[nodiscard]] bool on_agpu() const { return static_cast<bool>(simulate); }
  /// The side that runs `config`.
  [[nodiscard]] const Side& side_of(const RunConfig& config) const {
    return config.pram ? static_cast<const Side&>(pram.value()) : *this;
  }
};

}  // namespace agpusim
