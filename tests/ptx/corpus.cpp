#include "agpusim/tests/ptx/corpus.hpp"

#include <algorithm>
#include <regex>
#include <sstream>
#include <stdexcept>

#include "agpusim/tests/support/temp_folder.hpp"

namespace agpusim::ptx {
namespace {

std::filesystem::path root() { return std::string(AGPUSIM_TEST_DIR) + "/ptx"; }

Rule rule_named(std::string name) {
  std::replace(name.begin(), name.end(), '_', ' ');
  const std::pair<std::string_view, std::string_view> names[] = {
      {"freed", "freed memory"},
      {"read only", "read-only memory"},
      {"unwritten shared", "unwritten shared memory"},
      {"unwritten global", "unwritten global memory"},
      {"shared race", "race in shared memory"},
      {"global race", "race in global memory"},
      {"wrong mask", "wrong member mask"},
      {"ended lanes", "lanes that have ended"},
      {"absent lane", "value of an absent lane"},
      {"parted barrier", "barrier at two places"},
      {"barrier count", "barrier of a part of a warp"},
      {"mbarrier", "misuse of an mbarrier"},
      {"missing wait", "missing wait for a copy"}};
  for (const auto& [shorter, name_of_rule] : names) {
    if (name == shorter) name = name_of_rule;
  }
  if (const std::optional<Rule> rule = rule_of(name)) return *rule;
  throw std::runtime_error("no rule " + name);
}

std::vector<std::string> split(const std::string& text, char at) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, at);) parts.push_back(part);
  return parts;
}

std::vector<CorpusKernel> kernels_of(const std::string& file) {
  static const std::regex run(
      "// (run|mended): grid=(\\S+) block=(\\S+) shared=(\\d+) args=(\\S*)");
  static const std::regex kernel("__global__ void (\\w+)\\(");
  static const std::regex twins("^TWINS\\((\\w+),");
  static const std::regex finding("// finding: (\\w+)");
  static const std::regex tolerance("// tolerance: (\\S+) relative");
  std::vector<CorpusKernel> result;
  CorpusKernel next;
  CorpusKernel mended;  // its twin, which may be launched in another way
  std::uint32_t line = 0;
  std::istringstream source(test::content((root() / (file + ".cu")).string()));
  for (std::string text; std::getline(source, text);) {
    ++line;
    std::smatch found;
    if (std::regex_search(text, found, run)) {
      mended = {};
      mended.file = file;
      mended.grid = found[2];
      mended.block = found[3];
      mended.shared = static_cast<std::uint32_t>(std::stoul(found[4]));
      mended.arguments = split(found[5], ',');
      if (found[1] == "run") next = mended;
    } else if (std::regex_search(text, found, tolerance)) {
      next.tolerance = std::stod(found[1]);
    } else if (const bool are_twins = std::regex_search(text, found, twins);
               !next.grid.empty() && (are_twins || std::regex_search(text, found, kernel))) {
      mended.name = found[1].str() + "_mended";
      if (are_twins) result.push_back(mended);
      next.name = found[1].str() + (are_twins ? "_defect" : "");
      result.push_back(next);
      next = {};
    }
    if (std::regex_search(text, found, finding) && !result.empty()) {
      result.back().lines.push_back(line);
      result.back().rule = rule_named(found[1]);
    }
  }
  return result;
}

}  // namespace

std::vector<CorpusKernel> corpus(std::string_view folder) {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(root() / folder)) {
    if (entry.path().extension() == ".cu") {
      files.push_back(std::string(folder) + "/" + entry.path().stem().string());
    }
  }
  std::sort(files.begin(), files.end());
  std::vector<CorpusKernel> result;
  for (const std::string& file : files) {
    for (CorpusKernel& kernel : kernels_of(file)) result.push_back(std::move(kernel));
  }
  return result;
}

std::string corpus_text(const std::string& file) {
  return test::content((root() / (file + ".ptx")).string());
}

}  // namespace agpusim::ptx
