#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "agpusim/ptx/text/locations.hpp"

namespace agpusim::exec {

/// A cost of a kernel, or of a line of one, that is another than in the base.
struct Change {
  std::string kernel;  ///< readable
  std::string place;   ///< "reduce.cu:23", or in the base where it is there only; empty: the kernel
  std::string text;    ///< source text of the line; empty: the kernel
  std::string cost;    ///< one of comparable_costs()
  double base = 0;
  double now = 0;
  ptx::FileLine at = {};  ///< `place` with its whole path

  /// (now - base) / base; nothing where the base is 0.
  [[nodiscard]] std::optional<double> growth() const {
    return base == 0 ? std::nullopt : std::optional(now / base - 1);
  }
};

/// "wavefronts of gram (+2.9 %)"
[[nodiscard]] std::string to_text(const Change& change);

/// Which costs of a kernel may not rise, and by how much they may.
struct Dearness {
  std::vector<std::string> costs = {};   ///< none: default_costs()
  std::optional<double> tolerance = {};  ///< percent of the base; none: each cost has its own
};
[[nodiscard]] std::vector<std::string> comparable_costs();
/// Costs that may not rise where nothing else is said: accesses not at all; the predicted time
/// "ms", T and registers by a tenth.
[[nodiscard]] std::vector<std::string> default_costs();

/// Two sheets of a program compared.
struct Comparison {
  std::optional<Change> time;   ///< time of the program; none where one is not predicted
  std::vector<Change> kernels;  ///< times first, then the largest changes
  std::vector<Change> lines;    ///< changes of lines of these kernels, the largest first
  std::vector<std::string> added;
  std::vector<std::string> gone;
  std::vector<std::string> renamed = {};  ///< "old -> new", of the same costs
  std::vector<Change> dearer = {};        ///< `kernels` that may not be so, largest growth first

  /// Whether a cost of a kernel has risen, or a kernel has come.
  [[nodiscard]] bool is_dearer() const { return !added.empty() || !dearer.empty(); }
};

/// A cost of a kernel, as ptx::is_called takes it (empty: of all), in a text that --json of exec
/// has written. Throws FileError for what is none, or has no such kernel or cost.
[[nodiscard]] double cost_in_sheet(const std::string& sheet, const std::string& kernel,
                                   const std::string& cost);

/// Compares two texts that --json of exec has written. Lines are the same where file and text are,
/// whatever their number. Throws FileError for a base that is no such text or of another machine;
/// `name`: of the base's file, for messages.
[[nodiscard]] Comparison compare_sheets(std::string_view base, std::string_view now,
                                        const std::string& name, const Dearness& dearness = {});

}  // namespace agpusim::exec
