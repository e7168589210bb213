#include "agpusim/commands/exec/cc_options.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include <fmt/format.h>

#include "agpusim/model/error.hpp"

namespace agpusim::exec {
namespace {

enum class Meaning {
  drop,
  compile,
  host,
  host_list,  // its value is a list for the compiler of the host
  device,
  link,
  link_list,
  include,  // a folder for clang, unless it has the headers of another toolkit
  output,
  until_object,
  until_ptx,
  link_kernels,  // refused
};
struct OptionRow {
  Meaning meaning;
  bool has_value;
  std::string_view names;         // with one hyphen, between spaces
  std::string_view instead = "";  // replaces the name; a value follows "=" in the same word
};

/// A value stands behind the name, behind "=", or directly behind a name of one letter.
constexpr auto option_rows = std::to_array<OptionRow>({
    {Meaning::output, true, " -o -output-file "},
    {Meaning::until_object, false, " -c -compile "},
    {Meaning::until_ptx, false, " -ptx "},
    {Meaning::link_kernels, false,
     " -dc -dlink -device-c -rdc=true -relocatable-device-code=true "},
    {Meaning::include, true, " -I -include-path ", "-I"},
    {Meaning::include, true, " -isystem "},
    {Meaning::compile, true, " -D -U -iquote -include -Xclang "},
    {Meaning::compile, true, " -std ", "-std="},
    {Meaning::compile, false, " -use_fast_math ", "-D__USE_FAST_MATH__"},
    {Meaning::device, false, " -fmad=false ", "-ffp-contract=off"},
    {Meaning::host, true, " -MF -MT -MQ "},
    {Meaning::host_list, true, " -Xcompiler -compiler-options "},
    {Meaning::link, true, " -L -l "},
    {Meaning::link_list, true, " -Xlinker -linker-options "},
    {Meaning::drop, false, " -G -lineinfo -generate-line-info -fmad=true -restrict -m64 "},
    {Meaning::drop, false, " -expt-relaxed-constexpr -extended-lambda -expt-extended-lambda "},
    {Meaning::drop, false, " -rdc=false -relocatable-device-code=false "},
    {Meaning::drop, true, " -x -arch -gpu-architecture -code -gpu-code -gencode -generate-code "},
    {Meaning::drop, true, " -cudart -ccbin -compiler-bindir -maxrregcount -Xptxas -ptxas-options "},
    {Meaning::drop, true, " -diag-suppress -default-stream -t -threads "},
});

struct OptionMatch {
  const OptionRow* row = nullptr;
  std::string name;
  std::size_t bytes = 0;  // length of the name in the word
};

OptionMatch match_of(const std::string& word) {
  const std::size_t more = word.starts_with("--") ? 1 : 0;
  const std::string option = word.substr(more);
  const std::string name = option.substr(0, option.find('='));
  const std::string letter = option.substr(0, 2);
  for (const std::string& tried : {option, name, letter}) {
    for (const OptionRow& row : option_rows) {
      const bool whole = tried == option;
      if (!whole && (!row.has_value || (tried == letter && more > 0))) continue;
      if (tried.size() > 1 && row.names.find(fmt::format(" {} ", tried)) != std::string::npos) {
        return {&row, tried, tried.size() + more};
      }
    }
  }
  return {};
}

bool begins_with_one_of(const std::string& word, std::initializer_list<std::string_view> begins) {
  return std::any_of(begins.begin(), begins.end(),
                     [&](std::string_view begin) { return word.starts_with(begin); });
}

bool has_ending(const std::string& word, std::string_view endings) {
  const std::string ending = std::filesystem::path(word).extension().string();
  return !word.starts_with("-") && !ending.empty() &&
         endings.find(fmt::format(" {} ", ending)) != std::string::npos;
}

/// Adds each part of "a,b".
void add_list(std::vector<std::string>& words, const std::string& list) {
  for (std::size_t begin = 0; begin <= list.size();) {
    const std::size_t end = std::min(list.size(), list.find_first_of(", ", begin));
    if (end > begin) words.push_back(list.substr(begin, end - begin));
    begin = end + 1;
  }
}

void take(CcOptions& options, const OptionRow& row, const std::string& own_name,
          const std::string& value) {
  const std::string name(row.instead.empty() ? own_name : row.instead);
  const auto add_to = [&](std::vector<std::string>& words) {
    if (name.ends_with('=')) return words.push_back(name + value);
    words.push_back(name);
    if (row.has_value) words.push_back(value);
  };
  switch (row.meaning) {
    case Meaning::drop:
      return;
    case Meaning::compile:
      return add_to(options.compile);
    case Meaning::host:
      return add_to(options.host);
    case Meaning::host_list:
      return add_list(options.host, value);
    case Meaning::device:
      return add_to(options.device);
    case Meaning::link:
      if (value != "cudart" && value != "cudart_static" && value != "cudadevrt") {
        options.link.push_back(name + value);
      }
      return;
    case Meaning::link_list:
      options.link.push_back("-Wl," + value);
      return;
    case Meaning::include:
      if (!std::filesystem::exists(std::filesystem::path(value) / "cuda_runtime.h")) {
        add_to(options.compile);
      }
      return;
    case Meaning::output:
      options.output = value;
      return;
    case Meaning::until_object:
      options.until = CcOptions::Until::object;
      return;
    case Meaning::until_ptx:
      options.until = CcOptions::Until::ptx;
      return;
    case Meaning::link_kernels:
      throw Unavailable(
          fmt::format("'{}': `agpusim cc` does not link kernels of several sources with each "
                      "other: include one "
                      "in the other, or build with nvcc",
                      own_name));
  }
}

}  // namespace

bool is_cuda(const std::string& word) { return has_ending(word, " .cu "); }

bool is_cpp(const std::string& word) { return has_ending(word, " .cpp .cc .cxx .C .c "); }

CcOptions cc_options_of(const std::vector<std::string>& words) {
  CcOptions options;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    const OptionMatch match = match_of(word);
    if (match.row == nullptr) {
      const bool is_linked =
          !word.starts_with("-") || begins_with_one_of(word, {"-Wl,", "-shared", "-rdynamic"});
      // Compilers of GPU code do not know these.
      const bool is_of_host =
          begins_with_one_of(word, {"-m", "-M", "-fopenmp", "-fsanitize", "-fPI", "-pthread"});
      auto& list = is_linked ? options.link : is_of_host ? options.host : options.compile;
      list.push_back(word);
      continue;
    }
    std::string value = word.substr(match.bytes);
    if (match.row->has_value && !value.empty()) {
      value.erase(0, value.front() == '=' ? 1 : 0);
    } else if (match.row->has_value) {
      if (++i == words.size()) throw UsageError(fmt::format("'{}' has no value", word));
      value = words[i];
    }
    take(options, *match.row, match.name, value);
  }
  return options;
}

}  // namespace agpusim::exec
