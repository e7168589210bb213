#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace agpusim {

/// The source files that costs and errors name, for messages that show their lines.
class SourceText {
 public:
  /// A file that is in one of `folders`, by its whole path or by its name alone, is read there.
  explicit SourceText(std::vector<std::string> folders = {}) : folders_(std::move(folders)) {}

  /// The text of a line without indentation; empty where the file is not readable. `file` is a path
  /// as the compiler names it, of agpusim's own files relative to the repository.
  [[nodiscard]] std::string line(const std::string& file, std::uint32_t line);
  /// All lines, none where the file is not readable.
  [[nodiscard]] const std::vector<std::string>& lines(const std::string& file);

 private:
  std::vector<std::string> folders_;
  std::map<std::string, std::vector<std::string>> files_;
};

/// The name of a file for a reader: without its folder, or, of agpusim's own files, as in the
/// repository.
[[nodiscard]] std::string file_text(const std::string& file);
/// "kernel.hpp:17".
[[nodiscard]] std::string place_text(const std::string& file, std::uint32_t line);

}  // namespace agpusim
