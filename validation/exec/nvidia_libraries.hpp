#pragma once

#include <algorithm>
#include <array>
#include <string_view>

/// Libraries of NVIDIA's that programs link, beside the runtime and the driver.
namespace agpusim::exec {

/// Begins of the names of those that ask for a GPU.
inline constexpr std::array<std::string_view, 12> foreign_libraries = {
    "libcublas",   "libcufft", "libcurand", "libcusparse", "libcusolver", "libcudnn",
    "libcutensor", "libnccl",  "libnvrtc",  "libnpp",      "libnvjpeg",   "libcufile"};

/// Names of libraries that agpusim has its own of.
inline constexpr std::array<std::string_view, 6> own_libraries = {
    "libcublas.so.13", "libcublasLt.so.13", "libcufft.so.12",
    "libcurand.so.10", "libcusparse.so.12", "libcusolver.so.12"};

[[nodiscard]] inline bool is_foreign_library(std::string_view name) {
  return std::any_of(foreign_libraries.begin(), foreign_libraries.end(),
                     [&](std::string_view begin) { return name.starts_with(begin); });
}
/// `name` has the version behind ".so".
[[nodiscard]] inline bool is_own_library(std::string_view name) {
  return std::find(own_libraries.begin(), own_libraries.end(), name) != own_libraries.end();
}

}  // namespace agpusim::exec
