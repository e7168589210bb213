#include "agpusim/cli/new_folder.hpp"

#include <system_error>

#include <fmt/format.h>

#include "agpusim/model/error.hpp"
#include "agpusim/validation/io/atomic_file.hpp"

namespace agpusim {
namespace {

std::string filled_in(std::string_view text, const std::string& name) {
  constexpr std::string_view mark = "@name@";
  std::string result;
  for (std::size_t at = text.find(mark); at != std::string_view::npos; at = text.find(mark)) {
    result.append(text.substr(0, at)).append(name);
    text.remove_prefix(at + mark.size());
  }
  return result.append(text);
}

}  // namespace

void make_folder(const std::filesystem::path& folder, const std::string& name,
                 const FilesToFill& files, const std::string& remedy) {
  namespace fs = std::filesystem;
  std::error_code error;
  if (fs::exists(fs::symlink_status(folder, error))) {
    throw UsageError(
        fmt::format("{} exists already: {}, nothing is overwritten", folder.string(), remedy));
  }
  fs::create_directories(folder, error);
  if (error) {
    throw IoError(
        fmt::format("cannot make the folder {}: {}; {}", folder.string(), error.message(), remedy));
  }
  for (const auto& [file, text] : files) {
    write_file(folder / filled_in(file, name), filled_in(text, name));
  }
}

void require_simple_name(const std::string& name, const std::string& what) {
  const bool word =
      !name.empty() && name.front() >= 'a' && name.front() <= 'z' &&
      name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_") == std::string::npos;
  if (word) return;
  throw UsageError(fmt::format(
      "'{}' is no name of {}: use lower-case letters, digits and '_', a letter first, for example "
      "my_sort",
      name, what));
}

}  // namespace agpusim
