#include "agpusim/model/source_text.hpp"

#include <filesystem>
#include <fstream>
#include <system_error>

#include "agpusim/model/program_folders.hpp"

namespace agpusim {

const std::vector<std::string>& SourceText::lines(const std::string& file) {
  const auto [entry, is_new] = files_.try_emplace(file);
  if (!is_new) return entry->second;
  const std::string installed = file_text(file);
  std::vector<std::filesystem::path> places;
  for (const std::filesystem::path folder : folders_) {
    places.push_back(folder / file);
    places.push_back(folder / std::filesystem::path(file).filename());
  }
  places.emplace_back(file);
  places.push_back(std::filesystem::path(AGPUSIM_SOURCE_DIR) / file);
  for (const auto& folder : folders_above_program()) {
    places.push_back(folder / "include/agpusim" / installed);
  }
  places.push_back(std::filesystem::path(AGPUSIM_INSTALLED_HEADERS) / installed);
  for (const std::filesystem::path& place : places) {
    std::error_code none;
    if (!std::filesystem::is_regular_file(place, none)) continue;  // reading a pipe may never end
    std::ifstream in(place);
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

std::string file_text(const std::string& file) {
  const std::string headers = "include/agpusim/";  // path in the build, or where it is installed
  if (const std::size_t at = file.rfind(headers); at != std::string::npos) {
    return file.substr(at + headers.size());
  }
  const std::filesystem::path path(file);
  return path.is_absolute() ? path.filename().string() : file;
}

std::string place_text(const std::string& file, std::uint32_t line) {
  return file_text(file) + (line == 0 ? "" : ':' + std::to_string(line));
}

}  // namespace agpusim
