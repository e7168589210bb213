#include "agpusim/cli/output_file.hpp"

#include <map>
#include <set>

#include <fmt/format.h>

#include "agpusim/cli/terminal.hpp"
#include "agpusim/model/error.hpp"
#include "agpusim/validation/io/atomic_file.hpp"
#include "agpusim/validation/records/record.hpp"

namespace agpusim {
namespace {

/// One name for all spellings of a path.
std::filesystem::path identity(const std::string& path) {
  return std::filesystem::weakly_canonical(std::filesystem::absolute(file_of(path)));
}

}  // namespace

void require_outputs(const std::vector<OutputFile>& outputs,
                     const std::vector<std::string>& inputs) {
  std::map<std::filesystem::path, std::string> taken;
  for (const std::string& input : inputs) taken.emplace(identity(input), "is read");
  for (const OutputFile& output : outputs) {
    if (output.path.empty()) continue;
    if (output.path == "-") throw UsageError(output.option + " -: name a file (./- for this one)");
    require_writable(output.path, output.remedy);
    if (is_written_in_place(output.path)) continue;
    const auto [other, added] =
        taken.emplace(identity(output.path), "is also written by " + output.option);
    if (!added) {
      throw UsageError(fmt::format("{} '{}': the same file {}; choose another one", output.option,
                                   output.path, other->second));
    }
  }
}

void add_records(const std::filesystem::path& path, const std::vector<std::string>& lines) {
  static std::set<std::filesystem::path> told;
  const std::string why = append_records(path, lines);
  if (why.empty() || !told.insert(path).second) return;
  message(fmt::format(
      "agpusim: {} is not locked ({}): let no other process write it, or give each its own",
      path.string(), why));
}

}  // namespace agpusim
