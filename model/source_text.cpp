#include "agpusim/model/source_text.hpp"

#include <filesystem>
#include <fstream>

namespace agpusim {

const std::vector<std::string>& SourceText::lines(const std::string& file) {
  const auto [entry, is_new] = files_.try_emplace(file);
  if (!is_new) return entry->second;
  const std::filesystem::path path(file);
  for (const char* const folder : {"", AGPUSIM_SOURCE_DIR, AGPUSIM_INSTALLED_HEADERS}) {
    std::ifstream in(folder / path);  // an absolute path stays as it is
    for (std::string line; std::getline(in, line);) entry->second.push_back(line);
    if (!entry->second.empty()) break;
  }
  return entry->second;
}

std::string SourceText::line(const std::string& file, std::uint32_t line) {
  const std::vector<std::string>& all = lines(file);
  if (line == 0 || line > all.size()) return "";
  const std::string& text = all[line - 1];
  const std::size_t begin = text.find_first_not_of(" \t");
  return begin == std::string::npos ? "" : text.substr(begin);
}

std::string place_text(const std::string& file, std::uint32_t line) {
  const std::filesystem::path path(file);
  const std::string name = path.is_absolute() ? path.filename().string() : path.string();
  return name + ':' + std::to_string(line);
}

}  // namespace agpusim
