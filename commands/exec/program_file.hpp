#pragma once

#include <array>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace agpusim::exec {

/// What the file of a program says before it is started.
struct ProgramFile {
  bool is_script = false;           ///< begins with #!
  std::vector<std::string> needed;  ///< shared libraries, as the program names them
  bool has_kernels = false;         ///< it holds CUDA kernels itself
};

/// Reads the file. Throws UsageError that names it where there is none, or none that this machine
/// can execute.
[[nodiscard]] ProgramFile read_program(const std::filesystem::path& path);

/// The functions that a shared library has for programs, and in which section of its file each is.
[[nodiscard]] std::map<std::string, std::string> functions_of(const std::filesystem::path& library);

/// Versions of CUDA whose runtime library agpusim has its own of, by the end of that one's name.
inline constexpr auto runtime_versions = std::to_array<std::string_view>({"13", "12", "11.0"});

/// Throws Unavailable where a program cannot run on one of those: it has a static one, that of
/// another CUDA, or needs other libraries of NVIDIA's.
void require_runtime(const ProgramFile& program, const std::string& name);

/// The variable with which nvcc builds a program for `agpusim exec`, and its value.
inline constexpr const char* build_variable = "NVCC_APPEND_FLAGS";
inline constexpr const char* build_flags =
    "-cudart shared -lineinfo -gencode arch=compute_90,code=[compute_90,sm_90]";

}  // namespace agpusim::exec
