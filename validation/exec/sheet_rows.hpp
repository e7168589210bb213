#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "agpusim/validation/exec/fold.hpp"

/// What the tables of a sheet have rows of.
namespace agpusim::exec {

/// Launches of a kernel, summed.
struct KernelRow {
  std::string kernel;  ///< mangled
  std::string name;
  std::optional<std::array<std::uint32_t, 3>> grid;   ///< none: several
  std::optional<std::array<std::uint32_t, 3>> block;  ///< none: several
  std::int64_t launches = 0;
  std::int64_t skipped = 0;  ///< launches that were not run
  std::int64_t stopped = 0;  ///< launches that were stopped before their end
  std::int64_t time = 0;     ///< T
  Counts counts;
  std::int64_t useful_bytes = 0;       ///< bytes of global memory that lanes asked for
  std::optional<double> milliseconds;  ///< predicted; none where one of them has none
  double low = 0;
  double high = 0;
  std::string limit;  ///< limit of the longest launch; or why there is no time, or what stopped it
};

/// A row for each kernel or, with `by_launch`, for each of its grids, blocks and counts; by
/// descending T.
[[nodiscard]] std::vector<KernelRow> kernel_rows(const ProgramReport& program, bool by_launch);

/// "4,096", "16x16".
[[nodiscard]] std::string dim_text(const std::array<std::uint32_t, 3>& dim);

/// "reduce.cu", or as many folders before it as tell it from the other files.
[[nodiscard]] std::string shortest_path(const std::string& file,
                                        const std::vector<std::string>& all);

}  // namespace agpusim::exec
