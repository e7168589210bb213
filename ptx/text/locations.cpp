#include "agpusim/ptx/text/locations.hpp"

#include <algorithm>
#include <array>

#include "agpusim/model/source_text.hpp"

namespace agpusim::ptx {
namespace {

constexpr std::size_t most_callers = 100;

constexpr std::array<std::string_view, 16> foreign_folders = {
    "/opt/cuda/",    "/opt/cuda-",      "/opt/nvidia/",       "/nix/store/",
    "/include/c++/", "/include/cccl/",  "/include/cub/",      "/include/thrust/",
    "/cub/cub/",     "/thrust/thrust/", "/include/cuda/std/", "/include/cooperative_groups",
    "/libcudacxx/",  "/targets/sbsa-",  "/targets/x86_64-",   "/site-packages/nvidia/"};

}  // namespace

bool is_foreign(std::string_view path) {
  const auto has = [&](std::string_view part) { return path.find(part) != std::string_view::npos; };
  if (path.starts_with("/usr/")) return !has("/src/") && !has("/samples/");
  return std::any_of(foreign_folders.begin(), foreign_folders.end(), has);
}

std::string called_text(const CalledLine& line, bool all) {
  std::string lines;
  for (const FileLine& by : line.called_at) {
    if (!all && (by == line.at || is_foreign(by.file))) continue;
    lines += (lines.empty() ? "" : ", ") + place_text(by.file, by.line);
    if (!all) break;
  }
  return lines.empty() ? "" : " (called at " + lines + ")";
}

std::string to_string(const CalledLine& line) {
  return place_text(line.at.file, line.at.line) + called_text(line);
}

std::uint32_t Locations::add(const Location& position, std::uint32_t caller) {
  sites_.push_back({position, caller});
  return latest_[position] = static_cast<std::uint32_t>(sites_.size());
}

/// The latest site there.
std::uint32_t Locations::known(const Location& position) {
  const auto latest = latest_.find(position);
  return latest != latest_.end() ? latest->second : add(position, 0);
}

void Locations::set(const Location& position, const std::optional<Location>& caller) {
  if (position.line == 0) return;  // code that belongs to no line
  // Compilers leave out inlined_at where they return to a position.
  current_ = known(caller.value_or(position));
  if (!caller) return;
  // Among its own callers it is no recursion: they return from what was inlined deeper.
  const std::uint32_t outer = current_;
  for (std::size_t i = 0; i < most_callers && sites_[current_ - 1].caller != 0; ++i) {
    const Site& site = sites_[current_ - 1];
    if (site.at == position && sites_[site.caller - 1].at == *caller) {
      latest_[position] = current_;
      return;
    }
    current_ = site.caller;
  }
  current_ = add(position, outer);
}

std::vector<std::uint32_t> CallSites::add(const Module& module, const Function& function,
                                          std::uint32_t call) {
  const auto is_in_foreign_file = [&](const Row& row) {
    const auto [known, is_new] = foreign_.try_emplace(row.file, false);
    if (is_new) known->second = is_foreign(module.file(row.file));
    return known->second;
  };
  std::vector<std::uint32_t> numbers;
  numbers.reserve(function.sites.size());
  for (const Site& site : function.sites) {
    Row row{site.at.file, site.at.line, site.caller == 0 ? call : numbers[site.caller - 1]};
    if (module.file(row.file).empty()) {
      numbers.push_back(row.caller);
      continue;
    }
    row.shown = static_cast<std::uint32_t>(rows_.size());
    const auto [known, is_new] = numbers_.try_emplace({row.file, row.line, row.caller}, row.shown);
    numbers.push_back(known->second);
    if (!is_new) continue;
    const std::uint32_t outer = rows_[row.caller].shown;
    const Row& by = rows_[outer];
    const bool is_hidden =
        is_in_foreign_file(row) && (row.file != by.file || !is_in_foreign_file(by));
    if (outer != 0 && is_hidden) row.shown = outer;
    rows_.push_back(row);
  }
  return numbers;
}

CalledLine CallSites::line(const Module& module, std::uint32_t site) const {
  const auto at = [&](const Row& row) -> FileLine {
    return {std::string(module.file(row.file)), row.line};
  };
  CalledLine result{at(rows_[site])};
  for (site = rows_[site].caller; site != 0 && result.called_at.size() < most_callers;
       site = rows_[site].caller) {
    result.called_at.push_back(at(rows_[site]));
  }
  return result;
}

}  // namespace agpusim::ptx
