#pragma once

#include <filesystem>

namespace agpusim::exec {

/// A folder that looks like a CUDA toolkit and builds for `agpusim exec`: its nvcc calls `agpusim
/// build --nvcc`, its static runtime is the shared one, all else is the toolkit's own.
struct ToolkitView {
  std::filesystem::path root;
  std::filesystem::path toolkit;  ///< the real one
  std::filesystem::path runtime;  ///< its libcudart.so
};

/// The header, in the root of such a view, for names that CUDA has removed. Nothing else has it.
[[nodiscard]] std::filesystem::path names_header(const std::filesystem::path& root);
/// The view of a toolkit, in the user's cache, made where it is not there. `agpusim`: the program
/// that its nvcc calls. Throws IoError where nothing can be written.
[[nodiscard]] ToolkitView toolkit_view(const std::filesystem::path& nvcc,
                                       const std::filesystem::path& agpusim);

}  // namespace agpusim::exec
