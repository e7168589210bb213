#pragma once

#include <functional>
#include <string>
#include <vector>

#include "agpusim/model/run/algorithm.hpp"

namespace agpusim {

/// The names of the variants, the default first.
[[nodiscard]] std::vector<std::string> variant_names(const Side& side);

/// The variant of this name, the default for none; null where there is one form only. Throws
/// UsageError with the known names; `algorithm` names the row.
[[nodiscard]] const Variant* find_variant(const std::string& algorithm, const Side& side,
                                          const std::string& name);

/// The variant of a run on a PRAM.
[[nodiscard]] const Variant& pram_variant_of(const Algorithm& algorithm, const RunConfig& config);

/// A configuration to fill in for each variant and each type that it can run, of the first input.
[[nodiscard]] std::vector<RunConfig> forms_of(const Algorithm& algorithm);

/// What a run on a PRAM takes: by the closed form, else counted in that run.
[[nodiscard]] PramForm pram_form(const Algorithm& algorithm, const RunConfig& config);

/// The bound of T and of Q of a run's variant. Throws UsageError with the known names.
[[nodiscard]] const Bound& time_bound(const Algorithm& algorithm, const RunConfig& config);
[[nodiscard]] const Bound& io_bound(const Algorithm& algorithm, const RunConfig& config);

/// The algorithm table, in registration order.
class Registry {
 public:
  using Rows = std::vector<std::reference_wrapper<const Algorithm>>;

  /// Adds a row that runs on AGPU. Throws std::logic_error for a name that another one has and for
  /// a row without name, program or reference.
  void add(Algorithm algorithm);
  /// Adds the side on a PRAM to the row of this name, or a row of it alone. Throws std::logic_error
  /// for a side that is there or not complete.
  void add(const std::string& name, PramSide side);

  /// The row of this name on AGPU. Throws UsageError with the known names when there is none.
  [[nodiscard]] const Algorithm& find(const std::string& name) const;
  [[nodiscard]] const Algorithm* find_or_null(const std::string& name) const;
  /// The row of this name on a PRAM. Throws as find() does.
  [[nodiscard]] const Algorithm& find_on_pram(const std::string& name) const;
  [[nodiscard]] const Algorithm* find_on_pram_or_null(const std::string& name) const;
  /// The row that the library program of this name is a peer of, or null.
  [[nodiscard]] const Algorithm* row_of_peer(const std::string& name) const;

  [[nodiscard]] Rows on_agpu() const;
  [[nodiscard]] Rows on_pram() const;

 private:
  std::vector<Algorithm> algorithms_;
};

/// Adds every algorithm of the build (generated from algorithms/CMakeLists.txt).
void register_all(Registry& registry);

/// These and no others.
[[nodiscard]] const Registry& bundled_algorithms();

/// Fills in default variant, input and parameters, and on AGPU the type; with `own_machine` also
/// the access rule of a PRAM, that of the variant's own machine. Throws UsageError for a value the
/// row does not know, for n outside min_n..2^40 and for a machine that cannot run it.
[[nodiscard]] RunConfig resolve(const Algorithm& algorithm, RunConfig config,
                                bool own_machine = false);

/// The run whose reference says what the result of `config` is: `config` itself or, of a library
/// program, the run of the row it is a peer of. Throws UsageError as Registry::find and resolve do.
[[nodiscard]] RunConfig reference_run(const Registry& registry, const RunConfig& config);

}  // namespace agpusim
