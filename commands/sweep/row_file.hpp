#pragma once

#include <compare>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "agpusim/validation/rows/evaluate.hpp"

// Files of rows: a sealed JSON line for each, kept by `agpusim sweep --out`.
namespace agpusim::sweep {

/// What the rows of a file are a part of.
struct Whole {
  std::string sweep;        ///< a digest of all runs of the sweep: equal for all of its parts
  std::int64_t points = 0;  ///< points of all parts

  friend auto operator<=>(const Whole&, const Whole&) = default;
};

/// The whole sweep that these runs are.
[[nodiscard]] Whole whole_of(const std::vector<Run>& runs);

/// A row as a sealed JSON line without the newline.
[[nodiscard]] std::string to_line(const Row& row, const Whole& whole);

/// A row of a file.
struct KeptRow {
  Row row;
  Whole whole;
};

/// The inverse of to_line. Throws JsonError.
[[nodiscard]] KeptRow from_line(const std::string& line);

/// Calls `use` for the rows of a file, in its order, and `cut` with the place of a last line that a
/// killed process left half. Throws IoError, and FileError that names file and line.
void for_each_row(const std::filesystem::path& path, const std::function<void(KeptRow)>& use,
                  const std::function<void(const std::string& origin)>& cut = {});

/// Rows of several parts, each run once (the last one counts), sorted, and a sentence for each
/// sweep that is not complete.
struct Merged {
  std::vector<KeptRow> kept;
  std::vector<std::string> missing;
  std::int64_t replaced = 0;  ///< rows whose run a later one has with other numbers
};

[[nodiscard]] Merged merge(std::vector<KeptRow> rows);

}  // namespace agpusim::sweep
