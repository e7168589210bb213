#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "agpusim/model/pram/machine.hpp"
#include "agpusim/model/pram/report.hpp"
#include "agpusim/model/pram/trace.hpp"

namespace agpusim {

/// One run of one PRAM algorithm: everything that determines its result and its counts.
struct PramRunConfig {
  std::string algorithm;
  std::string variant;  ///< empty where the algorithm has one form only
  std::int64_t n = 0;   ///< size of the problem; 1 is allowed everywhere, 0 where it has a result
  std::string input;
  std::uint64_t seed = 1;
  PramSpec machine;
  std::map<std::string, std::int64_t> parameters;

  friend bool operator==(const PramRunConfig&, const PramRunConfig&) = default;
};

/// What a run produced.
struct PramRunResult {
  PramReport report;
  std::vector<std::int64_t> output;
  bool correct = false;  ///< the output equals that of the sequential reference
  PramTrace trace;       ///< empty unless PramOptions::record_trace
};

/// The exact cost of a run (not a bound).
struct PramForm {
  std::int64_t steps = 0;
  std::int64_t processors = 0;  ///< of the widest step, idle ones included
  std::int64_t work = 0;        ///< active processors summed over the steps
};

/// What a run costs asymptotically: as text, and as expressions without constants.
struct PramBound {
  std::string text;  ///< for example "2 steps, m(floor(lg m)+1) processors"
  std::function<double(const PramRunConfig&)> steps = {};
  std::function<double(const PramRunConfig&)> processors = {};
  std::function<double(const PramRunConfig&)> work = {};
};

/// A form of an algorithm, for one kind of machine.
struct PramVariant {
  std::string name;
  std::string help;  ///< one line
  PramBound bound;
  std::string source;                ///< paper and theorem
  std::vector<PramAccess> machines;  ///< those it is correct on, its own first
};

/// An axis of an algorithm besides n, with its default as a function of the rest of the run.
struct PramParameter {
  std::string name;
  std::string help;
  std::int64_t least = 0;
  std::function<std::int64_t(const PramRunConfig&)> default_value;
};

/// One complete row of the table of PRAM algorithms. Command line, tests and documents loop over
/// these rows; nothing else may switch on an algorithm's name.
struct PramAlgorithm {
  std::string name;
  std::string summary;                ///< one line
  std::vector<PramVariant> variants;  ///< the default first
  std::vector<std::string> inputs;    ///< the default first
  std::vector<PramParameter> parameters;
  /// Throws UsageError when the input cannot be sorted, counted, ... (the reason in the message).
  std::function<void(const PramRunConfig&)> check;
  std::function<PramRunResult(const PramRunConfig&, const PramOptions&)> run;
  std::function<PramForm(const PramRunConfig&)> closed_form;
};

/// The table, in registration order.
class PramRegistry {
 public:
  /// Throws std::logic_error on a duplicate or incomplete row.
  void add(PramAlgorithm algorithm);
  /// Throws UsageError with the known names when there is none of this name.
  [[nodiscard]] const PramAlgorithm& find(const std::string& name) const;
  [[nodiscard]] const PramAlgorithm* find_or_null(const std::string& name) const;
  [[nodiscard]] const std::vector<PramAlgorithm>& all() const { return algorithms_; }

 private:
  std::vector<PramAlgorithm> algorithms_;
};

/// Adds every PRAM algorithm of the build (generated from algorithms/CMakeLists.txt).
void register_all_pram(PramRegistry& registry);

/// The variant of a run. Throws UsageError with the known names.
[[nodiscard]] const PramVariant& find_variant(const PramAlgorithm& algorithm,
                                              const std::string& name);

/// Fills in variant, input, parameters and, with `own_machine`, the access rule of the variant's
/// own machine. Throws UsageError for a value the row does not know, for n outside 0..2^40 and for
/// a machine on which the variant is not correct.
[[nodiscard]] PramRunConfig resolve(const PramAlgorithm& algorithm, PramRunConfig config,
                                    bool own_machine);

}  // namespace agpusim
