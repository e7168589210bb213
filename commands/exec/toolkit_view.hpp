#pragma once

#include <filesystem>
#include <optional>

namespace agpusim::exec {

/// A folder that looks like a CUDA toolkit and builds for `agpusim exec`: its nvcc calls `agpusim
/// build --nvcc`, its static runtime is the shared one, all else is the toolkit's own.
struct ToolkitView {
  std::filesystem::path root;
  std::filesystem::path toolkit;  ///< the real one
};

/// The first nvcc on PATH that is of no such view, or that of /usr/local/cuda.
[[nodiscard]] std::optional<std::filesystem::path> find_nvcc();
/// The header of such a view for names that CUDA has removed.
[[nodiscard]] std::filesystem::path names_header(const ToolkitView& view);
/// The view of a toolkit, in the user's cache, made where it is not there. `agpusim`: the program
/// that its nvcc calls. Throws IoError where nothing can be written.
[[nodiscard]] ToolkitView toolkit_view(const std::filesystem::path& nvcc,
                                       const std::filesystem::path& agpusim);

}  // namespace agpusim::exec
