#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "agpusim/papers/common/contest.hpp"

namespace agpusim {

/// Whether a finding is true of one set of times.
enum class Verdict {
  holds,   ///< everywhere it was checked
  partly,  ///< in half of the places or more
  fails,   ///< in fewer than half of them
  unknown  ///< nowhere to check: times are missing, or the border lies outside the sizes
};

[[nodiscard]] std::string to_string(Verdict verdict);

/// A finding against one set of times.
struct Judgement {
  std::string times;  ///< whose times, e.g. "counts predict"
  Verdict verdict = Verdict::unknown;
  std::int64_t checked = 0;  ///< places where the finding says something and times are known
  std::int64_t held = 0;     ///< checked places where it is true
  std::string numbers;       ///< what was found instead, in one line
};

/// One statement of the paper, as something that times can confirm or refute.
struct Finding {
  std::string section;  ///< section of the paper
  std::string statement;
  std::vector<Judgement> judgements;
};

/// The findings of a file, each judged by the paper's programs on the measured device, by the times
/// that the counts predict for our rows, and by our rows as measured, against CUB by all bits and
/// by the bits of the range. Throws IoError and FileError.
///
/// A finding takes `about`, a list of conditions of which one must be true of an input: a family,
/// and numbers of delta, sigma, n, range or len, or [smallest, largest], null where there is none.
[[nodiscard]] std::vector<Finding> integer_sorts_findings(const std::vector<contest::Event>& inputs,
                                                          const std::filesystem::path& path);

}  // namespace agpusim
