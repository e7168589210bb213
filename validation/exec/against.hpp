#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace agpusim::exec {

/// A cost of a kernel, or of a line of one, that is another than in the base.
struct Change {
  std::string kernel;  ///< readable
  std::string place;   ///< "reduce.cu:23", or in the base where it is there only; empty: the kernel
  std::string text;    ///< of the line
  std::string cost;    ///< "T", "Q", "sectors", "wavefronts" or "conflicts"
  std::int64_t base = 0;
  std::int64_t now = 0;
};

/// Two sheets of a program compared.
struct Comparison {
  std::vector<Change> kernels;  ///< the dearer ones first
  std::vector<Change> lines;    ///< of these kernels, the dearer ones first
  std::vector<std::string> added;
  std::vector<std::string> gone;

  /// Whether a cost of a kernel has grown, or a kernel has come.
  [[nodiscard]] bool is_dearer() const;
};

/// Compares two texts that --json of exec has written. Lines are the same where file and text are,
/// whatever their number. Throws FileError for a base that is no such text or of another machine;
/// `name`: of the base's file, for messages.
[[nodiscard]] Comparison compare_sheets(std::string_view base, std::string_view now,
                                        const std::string& name);

}  // namespace agpusim::exec
