#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "agpusim/validation/exec/fold.hpp"

/// What the tables of a sheet have rows of.
namespace agpusim::exec {

/// Launches of a kernel, summed.
struct KernelRow {
  const LaunchRecord* first = nullptr;  ///< in the report, which has to live as long
  std::optional<ptx::Dim3> grid;        ///< none: several
  std::optional<ptx::Dim3> block;       ///< none: several
  std::int64_t launches = 0;
  std::int64_t skipped = 0;  ///< launches that were not run
  std::int64_t stopped = 0;  ///< launches that were stopped before their end
  std::int64_t time = 0;     ///< T
  std::int64_t barriers = 0;
  Counts counts = {};
  std::int64_t useful_bytes = 0;  ///< bytes of global memory that lanes asked for
  /// Sums of milliseconds; none where one of them has none.
  std::optional<Prediction> predicted = Prediction{};
  std::string limit =
      {};  ///< limit of the longest launch; or why there is no time, or what stopped it
};

/// A row for each kernel or, with `by_launch`, for each of its grids, blocks and counts; by
/// descending T.
[[nodiscard]] std::vector<KernelRow> kernel_rows(const ProgramReport& program, bool by_launch);

/// "4,096", "16x16".
[[nodiscard]] std::string dim_text(const ptx::Dim3& dim);

/// Words as bash reads them: "./prog 7 'a b' $'\x1b'".
[[nodiscard]] std::string command_text(const std::vector<std::string>& words);

/// The signal that an exit code of a shell is about, "Killed"; empty: the program ended by itself.
[[nodiscard]] std::string signal_of(std::int64_t exit_code);

/// "reduce.cu", or as many folders before it as tell it from the other files.
[[nodiscard]] std::string shortest_path(const std::string& file,
                                        const std::vector<std::string>& all);

}  // namespace agpusim::exec
