#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace agpusim::exec {

/// What `agpusim cc` was asked to do, in the words of clang.
struct CcOptions {
  enum class Until { program, object, ptx };

  Until until = Until::program;
  std::filesystem::path output;      ///< empty: as compilers name it
  std::vector<std::string> compile;  ///< options for both halves
  std::vector<std::string> host;     ///< options for the host's half, and for C++
  std::vector<std::string> device;   ///< options for kernels
  std::vector<std::string> link;     ///< inputs and options in their order
};

/// Whether a word of the command line is the source of kernels, or of C++.
[[nodiscard]] bool is_cuda(const std::string& word);
[[nodiscard]] bool is_cpp(const std::string& word);

/// Reads words as nvcc and clang take them: what only nvcc has is translated or dropped. Throws
/// UsageError, and Unavailable for what cannot be done.
[[nodiscard]] CcOptions cc_options_of(const std::vector<std::string>& words);

}  // namespace agpusim::exec
