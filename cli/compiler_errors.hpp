#pragma once

#include <string>
#include <vector>

namespace agpusim {

/// The first error of the answer in `file`, with its remedy, in at most five lines.
[[nodiscard]] std::vector<std::string> first_error(const std::string& said,
                                                   const std::string& file);

/// The file in `folder` that the first error lies in, or is reached from; empty: none.
[[nodiscard]] std::string file_of_error(const std::string& said, const std::string& folder);

/// A word of an answer that only the simulator has, or that no rule can follow, as the compiler
/// would say it ("file:line:column: error: ..."); empty: none.
[[nodiscard]] std::string forbidden_word(const std::string& text, const std::string& file);

/// As forbidden_word(), of an answer in CUDA: a directive that reads files other than headers of
/// CUDA and of numbers, or says where a line is.
[[nodiscard]] std::string forbidden_directive(const std::string& text, const std::string& file);

}  // namespace agpusim
