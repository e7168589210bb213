// Damaged kernels are refused, or run to an end with or without findings, and nothing else happens.
#include <algorithm>
#include <cctype>
#include <sstream>

#include <fmt/format.h>

#include "agpusim/model/error.hpp"
#include "agpusim/ptx/run/arguments.hpp"
#include "agpusim/ptx/run/device.hpp"
#include "agpusim/tests/ptx/corpus.hpp"
#include "agpusim/tests/support/catch.hpp"
#include "agpusim/tests/support/seed.hpp"

namespace agpusim::ptx {
namespace {

using Lines = std::vector<std::string>;

std::size_t pick(std::size_t count, Random& random) { return random() % count; }
template <class T>
const T& one_of(const std::vector<T>& all, Random& random) {
  return all[pick(all.size(), random)];
}

Lines lines_of(const std::string& text) {
  Lines result;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) {
    if (line.find(".loc") == std::string::npos) result.push_back(line);
  }
  return result;
}

bool is_part_of_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '%' || c == '_' || c == '$';
}
/// The words of a line: where they begin, and how long they are.
std::vector<std::pair<std::size_t, std::size_t>> words_of(const std::string& line) {
  std::vector<std::pair<std::size_t, std::size_t>> result;
  for (std::size_t i = 0; i < line.size();) {
    std::size_t end = i;
    while (end < line.size() && is_part_of_word(line[end])) ++end;
    if (end > i) result.emplace_back(i, end - i);
    i = end + 1;
  }
  return result;
}
/// "add.s32" of "\tadd.s32 %r1, ...": where it begins and ends; nothing where the line has none.
std::pair<std::size_t, std::size_t> opcode_of(const std::string& line) {
  const std::size_t begin = line.find_first_not_of(" \t");
  if (begin == std::string::npos || std::islower(static_cast<unsigned char>(line[begin])) == 0) {
    return {0, 0};
  }
  return {begin, std::min(line.find_first_of(" ;\t", begin), line.size())};
}

/// Changes the lines of one text with the help of those of all.
class Damage {
 public:
  explicit Damage(const std::map<std::string, Lines>& texts) {
    for (const auto& [file, lines] : texts) {
      for (const std::string& line : lines) {
        const auto [begin, end] = opcode_of(line);
        if (end > begin) opcodes_.push_back(line.substr(begin, end - begin));
      }
    }
  }
  void apply(Lines& lines, Random& random) const {
    std::string& line = lines[pick(lines.size(), random)];
    const auto words = words_of(line);
    if (words.empty()) return;
    const auto [at, size] = one_of(words, random);
    const std::size_t kind = pick(7, random);
    if (kind == 0) line.clear();
    if (kind == 1) line += '\n' + line;
    if (kind == 2) std::swap(line, lines[pick(lines.size(), random)]);
    if (kind == 3) {
      const auto [begin, end] = opcode_of(line);
      if (end > begin) line.replace(begin, end - begin, one_of(opcodes_, random));
    }
    if (kind > 3) line.replace(at, size, other(line.substr(at, size), lines, random));
  }

 private:
  /// A word of the same sort.
  std::string other(const std::string& word, const Lines& lines, Random& random) const {
    static const std::vector<std::string> types = {
        "b8",  "b16", "b32", "b64",  "u8",  "u16",   "u32",    "u64",    "s8",
        "s16", "s32", "s64", "pred", "f16", "f16x2", "bf16x2", "f32",    "f64",
        "v2",  "v4",  "lo",  "hi",   "rn",  "sat",   "shared", "global", "local"};
    static const std::vector<std::string> numbers = {
        "0",          "1",          "2",          "31",         "32",
        "33",         "63",         "64",         "255",        "65535",
        "65536",      "-1",         "2147483647", "2147483648", "4294967295",
        "4294967296", "0f7FC00000", "0fFF800000", "0f5F000000", "9223372036854775807",
        "1048576",    "3",          "-8",         "-2147483648"};
    if (std::isdigit(static_cast<unsigned char>(word[0])) != 0) return one_of(numbers, random);
    if (std::find(types.begin(), types.end(), word) != types.end()) return one_of(types, random);
    for (int tries = 0; tries < 20; ++tries) {
      const std::string& line = one_of(lines, random);
      const auto words = words_of(line);
      if (words.empty()) continue;
      const auto [at, size] = one_of(words, random);
      if ((line[at] == '%') == (word[0] == '%')) return line.substr(at, size);
    }
    return word;
  }

  std::vector<std::string> opcodes_;
};

enum class End { refused, stopped, found, clean };

/// Any exception but those of the engine passes.
End run(const std::string& text, const CorpusKernel& kernel) {
  try {
    AgpuSpec spec;
    Options options;
    options.threads = 1;
    options.most_turns = 1 << 13;
    Device device(spec, options);
    const auto program = Program::compile(
        std::make_shared<const Module>(Module::parse(text, "damaged.ptx")), kernel.name);
    const Arguments arguments(*program, kernel.arguments, device.memory(), 17);
    Dim3 grid = dim3_of(kernel.grid);
    grid.x = std::min(grid.x, 2U);
    const LaunchReport report = device.launch(
        {program, grid, dim3_of(kernel.block), kernel.shared, arguments.parameters()});
    for (const Finding& finding : report.findings) static_cast<void>(finding.message());
    return report.findings.empty() ? End::clean : End::found;
  } catch (const RuleViolation&) {
    return End::stopped;
  } catch (const UsageError&) {
  } catch (const PtxError&) {
  }
  return End::refused;
}

TEST_CASE("PTX: damaged kernels are refused or run", "[ptx]") {
  const int texts = fuzz_texts(2000);
  Random random(test_seed());
  INFO("seed " << test_seed());
  std::map<std::string, Lines> originals;
  std::vector<CorpusKernel> kernels;
  for (const char* const folder : {"programs", "defects"}) {
    for (const CorpusKernel& kernel : corpus(folder)) {
      const std::string text = corpus_text(kernel.file);
      if (text.size() > 40'000) continue;
      kernels.push_back(kernel);
      if (!originals.contains(kernel.file)) originals.emplace(kernel.file, lines_of(text));
    }
  }
  const Damage damage(originals);
  std::map<End, int> ends;
  for (int i = 0; i < texts; ++i) {
    const CorpusKernel& kernel = one_of(kernels, random);
    Lines lines = originals.at(kernel.file);
    // Lines behind the head of the kernel, and seldom others.
    const std::string head = ".entry " + kernel.name;
    const auto begin = std::find_if(lines.begin(), lines.end(), [&](const std::string& line) {
      return line.find(head) != std::string::npos;
    });
    const auto end = std::find(begin, lines.end(), "}");
    Lines body(pick(8, random) == 0 ? lines.begin() : begin, end);
    const Lines before(lines.begin(), lines.end() - (lines.end() - end) -
                                          static_cast<std::ptrdiff_t>(body.size()));
    const Lines behind(end, lines.end());
    for (std::size_t change = 0, changes = 1 + pick(4, random); change < changes; ++change) {
      damage.apply(body, random);
    }
    std::string text;
    for (const Lines* const part : {&before, &std::as_const(body), &behind}) {
      for (const std::string& line : *part) text += line + '\n';
    }
    INFO("text " << i << ", kernel " << kernel.name << ":\n" << text);
    if (std::getenv("AGPUSIM_FUZZ_TRACE") != nullptr) {
      fmt::print(stderr, "{} {} {}\n", i, kernel.file, kernel.name);
    }
    CHECK_NOTHROW(++ends[run(text, kernel)]);
  }
  CHECK(ends[End::refused] > texts / 10);
  CHECK(ends[End::found] > texts / 20);
  CHECK(ends[End::clean] > texts / 10);
}

}  // namespace
}  // namespace agpusim::ptx
