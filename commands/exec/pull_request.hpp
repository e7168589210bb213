#pragma once

#include <string>

#include "agpusim/commands/exec/sheet.hpp"

/// What a gate says at a pull request.
namespace agpusim::exec {

/// A comment: the verdict, what changed by kernel and line in ten rows, findings and conditions.
[[nodiscard]] std::string to_markdown(const Sheet& sheet);

/// Findings, broken conditions and costs that rose, each at its line: SARIF 2.1.0. Paths are
/// relative to `folder`, the root of the repository, where they are below it.
[[nodiscard]] std::string to_sarif(const Sheet& sheet, const std::string& folder);

}  // namespace agpusim::exec
