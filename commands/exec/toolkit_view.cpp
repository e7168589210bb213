#include "agpusim/commands/exec/toolkit_view.hpp"

#include <cstdlib>
#include <functional>
#include <string>
#include <unistd.h>

#include <fmt/format.h>

#include "agpusim/model/error.hpp"
#include "agpusim/validation/io/atomic_file.hpp"

#include "embed/removed_names.hpp"

namespace agpusim::exec {
namespace {

namespace fs = std::filesystem;

/// Where a user's own files go that can be made again.
fs::path cache_folder() {
  const auto folder = [](const char* variable, const char* below) -> fs::path {
    const char* const value = std::getenv(variable);
    return value == nullptr || *value != '/' ? fs::path() : fs::path(value) / below;
  };
  for (const fs::path& place :
       {folder("XDG_CACHE_HOME", "agpusim"), folder("HOME", ".cache/agpusim")}) {
    std::error_code none;
    if (place.empty() || place.string().find(' ') != std::string::npos) continue;  // makefiles
    fs::create_directories(place, none);
    if (access(place.c_str(), W_OK) == 0) return place;
  }
  return fs::temp_directory_path() / fmt::format("agpusim-{}", getuid());
}

/// Links to all that a folder has, but to what is there already.
void link_all(const fs::path& from, const fs::path& to) {
  std::error_code none;
  fs::create_directories(to, none);
  for (const fs::directory_entry& entry : fs::directory_iterator(from, none)) {
    fs::create_symlink(entry.path(), to / entry.path().filename(), none);
  }
}

void write(const fs::path& path, const std::string& text) {
  std::error_code none;
  if (fs::exists(path, none) && read_file(path.string()) == text) return;
  write_file(path.string(), text);
}

}  // namespace

fs::path names_header(const fs::path& root) { return root / "agpusim-names.cuh"; }

ToolkitView toolkit_view(const fs::path& nvcc, const fs::path& agpusim) {
  std::error_code none;
  const fs::path real = fs::weakly_canonical(nvcc, none);
  ToolkitView view;
  view.toolkit = real.parent_path().parent_path();
  // A package of Debian's has the toolkit among the files of the system.
  const fs::path of_debian = view.toolkit / "lib/x86_64-linux-gnu/libcudart.so";
  const bool is_of_debian = fs::exists(of_debian, none);
  view.runtime = is_of_debian ? of_debian : view.toolkit / "lib64/libcudart.so";
  const std::string key = agpusim.string() + '\n' + real.string();
  view.root =
      cache_folder() / fmt::format("toolkit-{:08x}", std::hash<std::string>{}(key)&UINT32_MAX);
  const fs::path bin = view.root / "bin";
  const fs::path libraries = view.root / "lib64";
  fs::create_directories(bin, none);
  fs::create_directories(libraries, none);
  write(names_header(view.root), std::string(embed::removed_names()));
  write(libraries / "libcudart_static.a", fmt::format("INPUT({})\n", view.runtime.string()));
  write(bin / "nvcc",
        fmt::format(
            "#!/bin/sh\n# The nvcc of `agpusim build`.\nexec '{}' build --nvcc '{}' -- \"$@\"\n",
            agpusim.string(), real.string()));
  fs::permissions(bin / "nvcc",
                  fs::perms::owner_all | fs::perms::group_exec | fs::perms::others_exec |
                      fs::perms::group_read | fs::perms::others_read,
                  none);
  const fs::path target = view.root / "targets/x86_64-linux";  // where CMake looks
  fs::create_directories(target, none);
  fs::create_symlink(libraries, target / "lib", none);
  link_all(view.toolkit / "targets/x86_64-linux", target);
  if (!is_of_debian) link_all(view.toolkit / "bin", bin);
  link_all(view.toolkit / "lib64", libraries);
  link_all(view.toolkit, view.root);
  if (access((bin / "nvcc").c_str(), X_OK) != 0) {
    throw IoError(
        fmt::format("cannot write {}: choose a folder with XDG_CACHE_HOME", bin.string()));
  }
  return view;
}

}  // namespace agpusim::exec
