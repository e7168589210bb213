#include "agpusim/cli/compiler_errors.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <regex>
#include <set>
#include <sstream>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "agpusim/model/source_text.hpp"

namespace agpusim {
namespace {

/// A newcomer's mistake: what the compiler says, what the line holds, and what to write instead.
/// Host lines are known by the types that they assign to. The model says the rest of kernels itself
/// (model/agpu/operands.hpp).
struct Remedy {
  const char* said;
  const char* line;  ///< empty: anything
  const char* write;
};
constexpr const char* truth = "agpusim::Varying<bool>' to 'bool'";
constexpr const char* varying = "agpusim::Varying<";
constexpr const char* of_operator = "no match for 'operator";
constexpr const char* texts = "std::vector<std::__cxx11::basic_string<char> >'";
constexpr const char* variants =
    "variants is a list: {{.name = \"plain\", .help = \"what it is\"}, {.name = \"blocked\"}}";
constexpr const char* look =
    "the host cannot look into an array: kernels read and write it, after "
    "run.launch(tasks, kernel, arrays...)";
constexpr Remedy remedies[] = {
    {"agpusim::LowerBound", "",
     "lower_bound is a function: [](const agpusim::RunConfig& run) { return "
     "agpusim::LowerBound{io, time, source}; }"},
    {"agpusim::Formula", "",
     "formulas is a list: {agpusim::formula_of_io(\"2n/b\", [](const agpusim::RunConfig& run) -> "
     "std::optional<std::int64_t> { return 2 * run.n / run.spec.block_words; })}"},
    {"std::nullopt_t'", "",
     "two kinds of result: write [](const agpusim::RunConfig& run) -> std::optional<std::int64_t>"},
    {"agpusim::Variant>", "", variants},
    {"must be constructible from input type", "variants", variants},
    {"agpusim::Parameter>", "",
     "parameters is a list: {{\"tile\", \"edge of a tile\", [](const agpusim::RunConfig&) { return "
     "std::int64_t{32}; }}}"},
    {"'agpusim::Bound'", "",
     "time and io are a text and a function: {\"2n/b\", [](const agpusim::RunConfig& run) { return "
     "2.0 * double(run.n) / run.spec.block_words; }}"},
    {"std::function<void(const agpusim::RunConfig&)>", "",
     "check is a function that throws: [](const agpusim::RunConfig& run) { if (run.n % 32 != 0) "
     "throw agpusim::UsageError(\"n is no multiple of 32\"); }"},
    {"std::function<long unsigned int(const agpusim::RunConfig&)>", "",
     "the reference is an argument of agpusim::algorithm(name, program, reference)"},
    {texts, "inputs", "inputs is a list: {\"uniform\"}"},
    {texts, "types",
     "types are those of agpusim::algorithm<std::uint32_t, float>(name, program, reference)"},
    {"no match for call to '(const ", "launch(",
     "run.launch(tasks, kernel, arrays...) takes an array for each view of the kernel's "
     "operator()"},
    {"::array(const char", "", "run.array(size, name): the size comes first"},
    {"invoke_result<std::vector", "upload(",
     "run.upload(size, name, make): make returns the vector, [=] { return values; }"},
    {"agpusim::ptx::KernelArray<", "", look},
    {"agpusim::GlobalArray<", "", look},
    {truth, "min(", "std::min takes one pair of numbers: write agpusim::min(a, b) of lanes"},
    {truth, "max(", "std::max takes one pair of numbers: write agpusim::max(a, b) of lanes"},
    {truth, "while",
     "lanes leave a loop at different times: write mp.while_any([&] { return condition; }, "
     "[&] { ... })"},
    {truth, "for",
     "lanes leave a loop at different times: count with a plain number, or write mp.while_any([&] "
     "{ return condition; }, [&] { ... })"},
    {truth, "?", "each lane chooses for itself: write agpusim::select(condition, a, b) for ?:"},
    {truth, "",
     "each lane has a value of its own: write mp.when(condition, [&] { ... }) for `if`, "
     "mp.while_any for a loop, select for ?:"},
    {"switch quantity", "", "each lane has a value of its own: write mp.when for each case"},
    {"no match for 'operator!'", "", "lanes that are numbers have no !: write x == 0"},
    {"no match for 'operator-' (operand type is", "", "lanes have no unary minus: write 0 - x"},
    {"'operator++", "", "lanes have no ++: write x = x + 1"},
    {"'operator--", "", "lanes have no --: write x = x - 1"},
    {"no match for 'operator[]' (operand types are 'agpusim::", "",
     "a view has no []: write in.read(index) and out.write(index, value)"},
    {"no match for 'operator[]'", "",
     "a C++ array has one index for all lanes: keep values in mp.template shared<T>(size)"},
    {"no match for 'operator<<' (operand types are 'std::ostream'", "",
     "a lane value is many values, and a kernel prints nothing: write it to out"},
    {varying, "abs(", "write agpusim::abs(x)"},
    {varying, "sqrt(", "write agpusim::sqrt(x)"},
    {varying, "exp(", "write agpusim::exp(x)"},
    {"to 'int' in init", "",
     "a lane value is a number in each lane: keep it in auto; mp.uniform(x) is what all agree on"},
    {"to 'double' in init", "",
     "a lane value is a number in each lane: keep it in auto; mp.uniform(x) is what all agree on"},
    {"'threadIdx' was not", "", "threadIdx is CUDA's own: write mp.lane()"},
    {"'blockIdx' was not", "", "blockIdx is CUDA's own: write mp.task()"},
    {"'blockDim' was not", "", "blockDim is CUDA's own: write mp.width()"},
    {"'__syncthreads'", "", "__syncthreads is CUDA's own: write mp.sync()"},
    {"'__shared__'", "", "__shared__ is CUDA's own: write mp.template shared<T>(size, \"name\")"},
    {"'atomicAdd'", "", "atomicAdd is CUDA's own: write out.atomic_add(index, value)"},
    {"'class agpusim::Pram' has no member named", "",
     "no step pays for this: processors read cells in a step, p.read(array, index)"},
    {"'when' was not", "", "write mp.when(condition, [&] { ... })"},
    {"'sync' was not", "", "write mp.sync()"},
    {"expected primary-expression before", "shared<",
     "C++ wants a word more here: write mp.template shared<T>(size, \"name\")"}};

/// Remedy for an assignment with an operator, "x += y".
std::string compound_remedy(const std::string& error) {
  const std::string_view begin = "no match for 'operator";
  const std::size_t at = error.find(begin);
  const std::size_t end = error.find("='", at == std::string::npos ? at : at + begin.size());
  if (at == std::string::npos || end == std::string::npos) return "";
  const std::string sign = error.substr(at + begin.size(), end - at - begin.size());
  if (sign.empty() || sign.size() > 2 || sign == "<" || sign == ">" ||
      sign.find_first_not_of("+-*/%&|^<>") != std::string::npos) {
    return "";
  }
  return fmt::format("lanes have no {0}=: write x = x {0} y", sign);
}

/// The remedy of an error in this line; else the error itself. What is said of lanes is not said of
/// operators on what the host has.
std::string explained(const std::string& error, const std::string& line) {
  const auto said = [&](const char* words) { return error.find(words) != std::string::npos; };
  const bool of_host = said(of_operator) && !said(varying) && !said("View<");
  if (const std::string remedy = compound_remedy(error); !of_host && !remedy.empty()) return remedy;
  for (const Remedy& remedy : remedies) {
    if (of_host && std::string_view(remedy.said).find("'operator") != std::string_view::npos) {
      continue;
    }
    if (said(remedy.said) && line.find(remedy.line) != std::string::npos) {
      return remedy.write;
    }
  }
  return error;
}

/// A word that an answer may not have, and why.
struct Forbidden {
  const char* word;
  const char* why;
  bool is_member = false;  ///< a variable may have this name
};
constexpr Forbidden forbidden[] = {
    {"data", "lanes and arrays have no data(): no lane of a GPU sees the registers of others",
     true},
    {"context", "context() is the simulator's: a kernel on a GPU has none", true},
    {"arrives", "arrives() is the simulator's: a kernel on a GPU has none", true},
    {"LaneContext", "LaneContext is the simulator's: a kernel on a GPU has none"},
    {"asm", "an answer is C++ that the machine can follow: write it without asm"},
    {"__asm__", "an answer is C++ that the machine can follow: write it without asm"},
    {"__asm", "an answer is C++ that the machine can follow: write it without asm"},
    {"reinterpret_cast", "memory is read and written through views only"},
    {"const_cast", "memory is read and written through views only"},
    {"thread_local", "variables of all tasks are no memory of the machine"},
    {"__thread", "variables of all tasks are no memory of the machine"},
    {"namespace agpusim {", "what is agpusim's own is not an answer's: name yours otherwise"},
    {"namespace agpusim::exercise",
     "what is agpusim's own is not an answer's: name yours otherwise"},
    {"##", "an answer is C++ that the machine can follow: write it without ##"}};

bool in_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

/// The text without comments and with texts and characters empty; lines stay where they are. A raw
/// text is a directive that no answer may have: where it ends is not followed.
std::string code_of(const std::string& text) {
  std::string code;
  char inside = 0;         // '/' a line comment, '*' another one, or the quote
  bool is_number = false;  // in a word that begins with a digit, which quotes may part
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char next = i + 1 < text.size() ? text[i + 1] : '\0';
    const char c = text[i] == '\r' ? (next == '\n' ? ' ' : '\n') : text[i];
    const bool continues = i > 0 && (in_word(text[i - 1]) || (text[i - 1] == '\'' && is_number));
    if (!continues) is_number = std::isdigit(static_cast<unsigned char>(c)) != 0;
    if (c == '\n') {
      if (inside != '*') inside = 0;
      code += c;
    } else if (inside == '*') {
      if (c == '*' && next == '/') {
        inside = 0;
        ++i;
      }
    } else if (inside == '"' || inside == '\'') {
      if (c == '\\') ++i;
      if (c == inside) inside = 0;
    } else if (inside == 0 && c == '/' && (next == '/' || next == '*')) {
      inside = next;
      ++i;
      code += ' ';
    } else if (inside == 0) {
      if (c == '"' || (c == '\'' && !(is_number && continues))) inside = c;
      if (c == '"' && i > 0 && text[i - 1] == 'R') code += "\n#raw ## ";
      code += c;
    }
  }
  return code;
}

constexpr const char* blanks = " \t\v\f\r";

/// A line that a backslash continues, with blanks behind it or not, is one line.
std::string joined(const std::string& text) {
  std::string lines;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::size_t end = text[i] == '\\' ? text.find_first_not_of(blanks, i + 1) : text.size();
    if (end < text.size() && text[end] == '\n') {
      i = end;
    } else {
      lines += text[i];
    }
  }
  return lines;
}

}  // namespace

std::string forbidden_word(const std::string& text, const std::string& file) {
  const std::string code = code_of(joined(text));
  const bool has_macros = code.find("define") != std::string::npos;  // they take names of members
  for (const auto& [word, why, is_member] : forbidden) {
    const std::string_view wanted = word;
    for (std::size_t at = 0; (at = code.find(wanted, at)) != std::string::npos; ++at) {
      const bool begins = at == 0 || !in_word(code[at - 1]) || !in_word(wanted.front());
      const std::size_t after = at + wanted.size();
      const bool ends = after == code.size() || !in_word(code[after]) || !in_word(wanted.back());
      if (!begins || !ends) continue;
      const std::size_t before = at == 0 ? code.npos : code.find_last_not_of(" \n\t\v\f", at - 1);
      const std::size_t behind = code.find_first_not_of(" \n\t\v\f", after);
      const bool names_member = before != code.npos && std::strchr(".>:", code[before]) != nullptr;
      const bool is_called = behind != code.npos && code[behind] == '(';
      if (is_member && !has_macros && !names_member && !is_called) continue;
      const auto line =
          1 + std::count(code.begin(), code.begin() + static_cast<std::ptrdiff_t>(at), '\n');
      const std::size_t line_begin = code.rfind('\n', at) + 1;
      return fmt::format("{}:{}:{}: error: {}\n", file, line, at - line_begin + 1, why);
    }
  }
  return "";
}

std::string forbidden_directive(const std::string& text, const std::string& file) {
  static const std::regex directive(R"(\s*(#|%:|\?\?=)\s*(\w*).*)");
  static const std::regex header(
      R"(\s*#\s*include\s*<(cooperative_groups(/\w+)?\.h|cuda_(fp16|bf16|runtime)\.h|c?(math|stdint)(\.h)?)>\s*)");
  static const std::regex pragma(R"(\s*#\s*pragma\s+(unroll\b.*|once\s*))");
  static const std::set<std::string> harmless = {"",       "define", "undef", "if",    "ifdef",
                                                 "ifndef", "elif",   "else",  "endif", "error"};
  std::istringstream lines(code_of(joined(text)));
  const auto are_blanks = [](char a, char b) {
    const std::string_view all = blanks;
    return all.find(a) != all.npos && all.find(b) != all.npos;
  };
  std::string line;
  for (int number = 1; std::getline(lines, line); ++number) {
    line.erase(std::unique(line.begin(), line.end(), are_blanks), line.end());
    std::smatch found;
    // A regular expression takes stack for each character.
    const std::string begin = line.substr(0, 200);
    const bool is_directive = std::regex_match(begin, found, directive);
    const bool reads = line.find("__has_include") != std::string::npos;
    const bool plain = is_directive && found[1] == "#" &&
                       (harmless.contains(found[2]) || std::regex_match(begin, pragma) ||
                        std::regex_match(begin, header));
    if (!reads && (plain || !is_directive)) continue;
    return fmt::format(
        "{}:{}:1: error: an answer may include <cooperative_groups.h>, <cuda_fp16.h>, <math.h> and "
        "<stdint.h>, and no other file; of directives it has #define, #if and #pragma unroll\n",
        file, number);
  }
  return "";
}

std::string file_of_error(const std::string& said, const std::string& folder) {
  const std::size_t error = said.find('\n', said.find("error: "));
  std::string file;
  for (std::size_t at = 0; (at = said.find("\n" + folder, at)) < error; ++at) {
    const std::size_t end = said.find(':', ++at);
    if (end < error && said[end + 1] >= '0' && said[end + 1] <= '9') {
      file = said.substr(at, end - at);
    }
  }
  return file;
}

std::vector<std::string> first_error(const std::string& said, const std::string& file) {
  const std::filesystem::path path(file);
  const std::string own = std::filesystem::absolute(path).string() + ':';
  std::string place;         // place in the answer that leads to an error in a header
  std::uint32_t number = 0;  // line of that place
  bool in_chain = false;     // whether in a chain of "required from" lines, the innermost first
  std::vector<std::string> shown;
  std::istringstream lines(said);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t named = line.find(own);
    const bool leads = named != std::string::npos &&
                       line.find_first_of("0123456789", named + own.size()) == named + own.size();
    const bool here = leads && named == 0;
    const bool chain = line.find(":   ") != std::string::npos;
    if (leads && !(chain && std::exchange(in_chain, true))) {
      const std::size_t begin = named + own.size();
      number = static_cast<std::uint32_t>(std::strtoul(line.c_str() + begin, nullptr, 10));
      place = fmt::format("{}:{}: ", path.filename().string(),
                          line.substr(begin, line.find_first_not_of("0123456789:", begin) - begin));
      while (place.size() > 3 && place[place.size() - 3] == ':') place.erase(place.size() - 2, 1);
    }
    const std::size_t at = line.find("error: ");
    if (at != std::string::npos || line.find("warning: ") != std::string::npos) in_chain = false;
    if (at == std::string::npos && line.find("/ld: ") == std::string::npos) continue;
    if (!shown.empty() && !here) continue;
    std::string error = line.substr(at == std::string::npos ? 0 : at);
    if (const std::size_t reason = error.find("Refused<"); reason != std::string::npos) {
      const std::size_t begin = error.find('"', reason) + 1;
      error = "error: " + error.substr(begin, error.rfind('"') - begin);
      std::erase(error, '\\');
    }
    constexpr std::size_t word = std::string_view("error: ").size();
    if (error.starts_with("error: ")) {
      error.replace(word, std::string::npos,
                    explained(error.substr(word), SourceText().line(file, number)));
    }
    shown = {place + error.substr(0, 400)};
    if (!here) continue;
    while (shown.size() < 3 && std::getline(lines, line)) shown.push_back(line.substr(0, 400));
    break;
  }
  if (shown.empty()) shown = {"error: the compiler names none"};
  return shown;
}

}  // namespace agpusim
