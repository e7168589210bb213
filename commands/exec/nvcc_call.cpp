#include "agpusim/commands/exec/nvcc_call.hpp"

#include <algorithm>
#include <array>
#include <regex>
#include <sstream>

#include "agpusim/commands/exec/program_file.hpp"

namespace agpusim::exec {
namespace {

/// An option that is left out, and whether its value may be the next word.
struct Dropped {
  std::string_view name;
  bool has_value = true;
};
constexpr std::array dropped = {Dropped{"-arch"},
                                Dropped{"--gpu-architecture"},
                                Dropped{"-code"},
                                Dropped{"--gpu-code"},
                                Dropped{"-gencode"},
                                Dropped{"--generate-code"},
                                Dropped{"-cudart"},
                                Dropped{"--cudart"},
                                Dropped{"-Werror"},
                                Dropped{"--Werror"},
                                Dropped{"-lineinfo", false},
                                Dropped{"--generate-line-info", false},
                                Dropped{"-dlto", false},
                                Dropped{"--dlink-time-opt", false}};

/// Options after which nvcc makes one text or image, for one architecture.
constexpr std::array<std::string_view, 6> single = {"-ptx",    "--ptx",   "-cubin",
                                                    "--cubin", "-fatbin", "--fatbin"};

bool is_source(const std::string& word) {
  return !word.starts_with("-") && (word.ends_with(".cu") || word.ends_with(".cuh"));
}

/// Another C++ where nvcc or the libraries of CUDA 13 do not take that which is asked for, and
/// warnings of the host's compiler that are no errors.
std::string accepted(const std::string& word) {
  static const std::regex old("(-std|--std)[= ](c|gnu)\\+\\+(98|03|0x|11|14)");
  static const std::regex later("(-std|--std)[= ](c|gnu)\\+\\+(2b|23|2c|26)");
  static const std::regex strict("-Werror(=[a-z-]+)?(?=,|$)");
  if (std::regex_match(word, old)) return "-std=c++17";
  if (std::regex_match(word, later)) return "-std=c++20";
  return std::regex_replace(word, strict, "-Wall");
}

struct Known {
  const char* error;  ///< a regular expression
  const char* advice;
};
constexpr std::array known = {
    Known{"texture ?<|texture reference|cudaBindTexture|tex1Dfetch\" is undefined",
          "texture references ended with CUDA 12: use texture objects (cudaCreateTextureObject) or "
          "plain loads"},
    Known{"helper_(cuda|timer|string|functions|math)\\.h",
          "the folder Common of cuda-samples is missing: clone NVIDIA/cuda-samples and add -I "
          "cuda-samples/Common"},
    Known{"unsupported GNU version",
          "nvcc does not know this g++: name an older one with -ccbin, or add "
          "-allow-unsupported-compiler"},
    Known{
        "(cublas|cufft|curand|cusparse|cusolver|nvml|cudnn|nccl)\\w*\\.h: No such file",
        "a header of another library of NVIDIA's is missing: install the package of that library"},
    Known{"cannot find -l(cublas|cufft|curand|cusparse|cusolver|cuda|nvidia-ml|cudnn|nccl)",
          "another library of NVIDIA's is missing: install its package, or link its stub (-L "
          "TOOLKIT/lib64/stubs)"},
    Known{"has no member \"\\w+\"[^]*cudaDeviceProp|cudaDeviceProp[^]*has no member",
          "a field of cudaDeviceProp ended with CUDA 13: ask cudaDeviceGetAttribute"},
    Known{"not supported in GPU architecture|requires? .*sm_1[0-9][0-9]|is not supported on target "
          "'sm_90'",
          "the source asks for instructions of another GPU than compute capability 9.0, which is "
          "what agpusim runs: guard them by __CUDA_ARCH__"},
    Known{"No rule to make target|No such file or directory",
          "a file is missing: submodules may not be cloned (git submodule update --init)"}};

}  // namespace

std::vector<std::string> nvcc_arguments(const std::vector<std::string>& given,
                                        const std::string& names) {
  std::vector<std::string> result;
  bool is_single = false;
  bool compiles = false;
  for (std::size_t i = 0; i < given.size(); ++i) {
    const std::string& word = given[i];
    // Words for another program: of those for the host's compiler, -Werror is none of nvcc's.
    static const std::regex others(
        "(-Xcompiler|--compiler-options)|(-Xptxas|--ptxas-options|-Xnvlink|--nvlink-options)(=.*)"
        "?");
    if (std::smatch parts; std::regex_match(word, parts, others)) {
      result.push_back(word);
      if (parts[3].matched || i + 1 == given.size()) continue;
      const std::string& next = given[++i];
      result.push_back(parts[1].matched ? accepted(next) : next);
      continue;
    }
    const auto option = std::find_if(dropped.begin(), dropped.end(), [&](const Dropped& one) {
      return word == one.name ||
             (one.has_value && word.starts_with(one.name) && word[one.name.size()] == '=');
    });
    if (option != dropped.end()) {
      if (option->has_value && word == option->name) ++i;
      continue;
    }
    is_single = is_single || std::find(single.begin(), single.end(), word) != single.end();
    compiles = compiles || is_source(word) || (word == "cu" && i > 0 && given[i - 1] == "-x");
    if ((word == "-std" || word == "--std") && i + 1 < given.size()) {
      result.push_back(accepted("-std=" + given[++i]));
    } else if (word == "-lcudart_static" || word.ends_with("/libcudart_static.a")) {
      result.emplace_back("-lcudart");
    } else {
      result.push_back(accepted(word));
    }
  }
  if (compiles && !names.empty()) result.insert(result.end(), {"-include", names});
  if (is_single) {
    result.insert(result.end(), {"-arch=sm_90", "-lineinfo"});
  } else {
    std::istringstream flags(build_flags);
    for (std::string flag; flags >> flag;) result.push_back(flag);
  }
  return result;
}

std::optional<std::string> advice_for(std::string_view errors) {
  for (const auto& [error, advice] : known) {
    if (std::regex_search(errors.begin(), errors.end(), std::regex(error))) return advice;
  }
  return std::nullopt;
}

}  // namespace agpusim::exec
