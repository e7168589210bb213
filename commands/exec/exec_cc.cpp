#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "agpusim/cli/commands.hpp"
#include "agpusim/commands/exec/cc_options.hpp"
#include "agpusim/commands/exec/exec_program.hpp"
#include "agpusim/commands/exec/fat_binary_writer.hpp"
#include "agpusim/model/error.hpp"
#include "agpusim/model/program_folders.hpp"
#include "agpusim/validation/io/atomic_file.hpp"

namespace agpusim {
namespace {

namespace fs = std::filesystem;
using exec::CcOptions;
using Words = std::vector<std::string>;

struct Clang {
  std::string name;
  int version = 0;  ///< the number before the first point
};
constexpr int oldest_clang = 14;
constexpr int newest_clang = 19;  // the last one whose name with a number is tried
constexpr int first_with_sm_90 = 16;

/// `name --version` says which clang it is; nothing where it is none.
std::optional<Clang> clang_of(const std::string& name) {
  constexpr std::string_view before = "clang version ";
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(
      popen(fmt::format("{} --version 2> /dev/null", name).c_str(), "r"), pclose);
  std::string said(200, '\0');
  if (pipe == nullptr ||
      std::fgets(said.data(), static_cast<int>(said.size()), pipe.get()) == nullptr)
    return {};
  const std::size_t at = said.find(before);
  if (at == std::string::npos) return {};
  return Clang{name, std::atoi(said.c_str() + at + before.size())};
}

/// It is $CXX where that is clang, else the newest. Throws Unavailable.
Clang find_clang() {
  Words names;
  if (const char* const own = std::getenv("CXX"); own != nullptr) names.emplace_back(own);
  names.emplace_back("clang++");
  for (int i = newest_clang; i >= oldest_clang; --i) names.push_back(fmt::format("clang++-{}", i));
  std::optional<Clang> best;
  for (const std::string& name : names) {
    const auto one = clang_of(name);
    if (!one || one->version < oldest_clang) continue;
    if (std::getenv("CXX") != nullptr && name == names.front()) return *one;
    if (!best || one->version > best->version) best = one;
  }
  if (best) return *best;
  throw Unavailable(fmt::format(
      "no clang++ of version {} or newer is on PATH: apt-get install clang", oldest_clang));
}

/// The folder of cuda_runtime.h, in the sources or installed.
fs::path header_folder() {
  for (const fs::path& folder : folders_above_program()) {
    for (const char* const place : {"cudacc/include", "share/agpusim/cudacc/include"}) {
      if (fs::exists(folder / place / "cuda_runtime.h")) return folder / place;
    }
  }
  throw Unavailable(
      "cudacc/include/cuda_runtime.h is in no folder above this program: install agpusim");
}

/// Thrown where the compiler has said what is wrong.
struct CompilerFailed {};

void execute(const Words& command) {
  if (wait_for_end(start_command(command.front(), command)) != 0) throw CompilerFailed{};
}

Words operator+(Words words, const Words& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}
bool any_begins_with(const Words& words, std::string_view begin) {
  return std::any_of(words.begin(), words.end(),
                     [&](const std::string& word) { return word.starts_with(begin); });
}

class ClangBuild {
 public:
  explicit ClangBuild(const CcOptions& options) : options_(options), compiler_(find_clang()) {
    common_ = {compiler_.name, "-isystem", header_folder().string()};
    if (!any_begins_with(options.compile, "-std=")) common_.emplace_back("-std=c++17");
    if (!any_begins_with(options.compile, "-O")) common_.emplace_back("-O2");
    common_ = common_ + options.compile;
    if (any_begins_with(options.link, "-shared")) common_.emplace_back("-fPIC");
  }

  void compile(const std::string& source, const fs::path& object) {
    if (exec::is_cpp(source)) {
      return execute(common_ + options_.host + Words{"-c", source, "-o", object.string()});
    }
    const fs::path ptx = file(".ptx");
    compile_kernels(source, ptx);
    const fs::path fat_binary = file(".fatbin");
    write_file(fat_binary, exec::fat_binary_of(read_file(ptx), source, compute()));
    execute(common_ + cuda() + options_.host +
            Words{"--cuda-host-only", "-Xclang", "-fcuda-include-gpubinary", "-Xclang",
                  fat_binary.string(), "-c", source, "-o", object.string()});
  }
  /// Warnings of the host's half are enough. Recursion stays recursion, as nvcc leaves it.
  void compile_kernels(const std::string& source, const fs::path& ptx) {
    const char* const ptx_version = compute() == 90 ? "+ptx78" : "+ptx72";
    execute(common_ + cuda() +
            Words{"--cuda-device-only", "-S", "-w", "-O3", "-gline-tables-only",
                  "-ffp-contract=fast", "-fno-optimize-sibling-calls",
                  fmt::format("--cuda-gpu-arch=sm_{}", compute()), "-Xclang", "-target-feature",
                  "-Xclang", ptx_version} +
            options_.device + Words{source, "-o", ptx.string()});
  }
  void link(const fs::path& program) {
    Words words = {compiler_.name};
    for (const std::string& word : options_.link) {
      words.push_back(word);
      if (!exec::is_cuda(word) && !exec::is_cpp(word)) continue;
      words.back() = file(".o").string();
      compile(word, words.back());
    }
    const fs::path runtime = runtime_library();
    execute(words + options_.host +
            Words{"-o", program.string(), runtime.string(),
                  "-Wl,-rpath," + runtime.parent_path().string()});
  }

 private:
  [[nodiscard]] std::uint32_t compute() const {
    return compiler_.version >= first_with_sm_90 ? 90 : 80;
  }
  /// A version of the toolkit from which on clang launches by cudaLaunchKernel().
  [[nodiscard]] static Words cuda() {
    return {"-x",         "cuda",
            "-nocudainc", "-nocudalib",
            "-Xclang",    "-target-sdk-version=11.0",
            "-fdeclspec", "-Wno-unknown-cuda-version",
            "-include",   "cuda_runtime.h"};
  }

  /// A file that no other call has named.
  [[nodiscard]] fs::path file(const std::string& ending) {
    return folder_ / fmt::format("{}{}", ++files_, ending);
  }

  const CcOptions& options_;
  Clang compiler_;
  Words common_;
  TemporaryFolder folder_{"agpusim-cc"};
  int files_ = 0;
};

void run_cc(const Words& words) {
  const CcOptions options = exec::cc_options_of(words);
  Words sources;
  Words files;
  for (const std::string& word : options.link) {
    if (word.starts_with("-")) continue;
    if (!fs::exists(word)) throw UsageError(fmt::format("no file '{}'", word));
    files.push_back(word);
    if (exec::is_cuda(word) || exec::is_cpp(word)) sources.push_back(word);
  }
  if (files.empty()) {
    throw UsageError("no source is named, for example: agpusim cc prog.cu -o prog");
  }
  ClangBuild build(options);
  if (options.until == CcOptions::Until::program) {
    return build.link(options.output.empty() ? "a.out" : options.output);
  }
  if (!options.output.empty() && sources.size() > 1) {
    throw UsageError("-o names one file, and there are several sources");
  }
  const bool is_object = options.until == CcOptions::Until::object;
  for (const std::string& source : sources) {
    const fs::path usual = fs::path(source).filename().replace_extension(is_object ? ".o" : ".ptx");
    const fs::path output = options.output.empty() ? usual : options.output;
    if (is_object)
      build.compile(source, output);
    else
      build.compile_kernels(source, output);
  }
}

}  // namespace

void setup_cc(CLI::App& app) {
  CLI::App* const command =
      add_command(app, "cc", "Compile a CUDA program for `agpusim exec` with clang, without CUDA");
  command->prefix_command();
  command->footer(
      "It takes the options of clang, and those of nvcc that have a meaning here; -ptx stops at "
      "PTX.\n"
      "Examples:\n  agpusim cc prog.cu -o prog && agpusim exec -- ./prog\n"
      "  agpusim cc -O3 -std=c++20 -I include -c kernels.cu\n"
      "  agpusim cc main.cpp kernels.o -o prog");
  command->callback([command] {
    try {
      run_cc(command->remaining());
    } catch (const CompilerFailed&) {
      std::exit(1);
    }
  });
}

}  // namespace agpusim
