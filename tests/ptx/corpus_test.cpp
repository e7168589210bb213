#include "agpusim/tests/ptx/corpus.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <regex>
#include <set>
#include <sstream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "agpusim/ptx/run/arguments.hpp"
#include "agpusim/ptx/run/device.hpp"
#include "agpusim/tests/support/catch.hpp"
#include "agpusim/tests/support/temp_folder.hpp"

namespace agpusim::ptx {
namespace {

/// The kernels of a corpus, each parsed file once.
class Corpus {
 public:
  std::shared_ptr<const Module> module(const std::string& file) {
    auto& known = modules_[file];
    if (known == nullptr) {
      known = std::make_shared<const Module>(Module::parse(corpus_text(file), file + ".ptx"));
    }
    return known;
  }

 private:
  std::map<std::string, std::shared_ptr<const Module>> modules_;
};

struct Ran {
  LaunchReport report;
  std::vector<std::vector<std::byte>> before;
  std::vector<std::vector<std::byte>> after;
  std::vector<Buffer> buffers;
};

std::vector<std::vector<std::byte>> contents(const std::vector<Buffer>& buffers) {
  std::vector<std::vector<std::byte>> result;
  for (const Buffer& buffer : buffers) {
    const auto* const at = reinterpret_cast<const std::byte*>(buffer.address);
    result.emplace_back(at, at + buffer.bytes());
  }
  return result;
}

Ran run(const CorpusKernel& kernel, const std::shared_ptr<const Module>& module, int threads,
        bool one_lane_at_a_time = false) {
  AgpuSpec spec;
  Options options;
  options.threads = threads;
  options.one_lane_at_a_time = one_lane_at_a_time;
  options.most_turns = 1 << 22;
  Device device(spec, options);
  const auto program = Program::compile(module, kernel.name);
  const Arguments arguments(*program, kernel.arguments, device.memory(), 17);
  Ran ran;
  ran.buffers = arguments.buffers();
  ran.before = contents(arguments.buffers());
  Launch launch{program, dim3_of(kernel.grid), dim3_of(kernel.block), kernel.shared,
                arguments.parameters()};
  ran.report = device.launch(launch);
  ran.after = contents(arguments.buffers());
  return ran;
}

std::string messages(const LaunchReport& report) {
  std::string result;
  for (const Finding& finding : report.findings) result += finding.message() + "\n";
  return result;
}

template <class T>
bool within(const std::vector<std::byte>& a, const std::vector<std::byte>& b, double tolerance) {
  for (std::size_t i = 0; i + sizeof(T) <= a.size(); i += sizeof(T)) {
    T x;
    T y;
    std::memcpy(&x, a.data() + i, sizeof(T));
    std::memcpy(&y, b.data() + i, sizeof(T));
    if (std::memcmp(&x, &y, sizeof(T)) == 0) continue;
    if (std::abs(x - y) > static_cast<T>(tolerance) * std::abs(y)) return false;
  }
  return true;
}

std::string h100(const std::string& name) {
  return test::content(std::string(AGPUSIM_TEST_DIR) + "/ptx/h100/" + name);
}

std::vector<std::vector<std::string>> cells_of(const std::string& csv) {
  std::vector<std::vector<std::string>> result;
  std::istringstream lines(csv);
  for (std::string line; std::getline(lines, line);) {
    std::vector<std::string>& cells = result.emplace_back();
    std::istringstream row(line);
    for (std::string cell; std::getline(row, cell, ',');) cells.push_back(cell);
  }
  return result;
}

/// One kind of access, by what the profiler and the engine call it.
struct Counter {
  std::string name;
  std::vector<std::string> metrics;  ///< requests, blocks, sectors; or wavefronts
  std::vector<std::int64_t> counted;
};
std::vector<Counter> counters_of(const Counts& counts) {
  const auto global = [](const std::string& op) {
    std::vector<std::string> names;
    for (const char* const what : {"requests", "set_accesses", "sectors"}) {
      names.push_back(fmt::format("l1tex__t_{}_pipe_lsu_mem_global_op_{}.sum", what, op));
    }
    return names;
  };
  const auto shared = [](const std::string& op) {
    return std::vector<std::string>{
        fmt::format("l1tex__data_pipe_lsu_wavefronts_mem_shared_op_{}.sum", op)};
  };
  const auto three = [](const GlobalCounts& c) {
    return std::vector<std::int64_t>{c.requests, c.blocks, c.sectors};
  };
  return {{"global_read", global("ld"), three(counts.global_read)},
          {"global_write", global("st"), three(counts.global_write)},
          {"shared_read", shared("ld"), {counts.shared_read.wavefronts}},
          {"shared_write", shared("st"), {counts.shared_write.wavefronts}}};
}

std::uint32_t crc32(const std::vector<std::byte>& bytes) {
  std::uint32_t crc = ~0U;
  for (const std::byte byte : bytes) {
    crc ^= static_cast<std::uint32_t>(byte);
    for (int bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ ((crc & 1) != 0 ? 0xEDB88320U : 0);
  }
  return ~crc;
}

/// What these leave depends on the order of CTAs, or of lanes that ask for memory.
bool may_leave_anything(const CorpusKernel& kernel) {
  return kernel.name == "plain_read_of_atomic_mended" || kernel.name == "heap_too_small_mended";
}

}  // namespace

TEST_CASE("kernels cost and leave what they do on an H100", "[ptx]") {
  const auto rows = cells_of(h100("counters.csv"));
  const nlohmann::json results = nlohmann::json::parse(h100("results.json"));
  std::set<std::pair<std::string, std::string>> differ;  // kernels and counters
  for (const auto& cells : cells_of(h100("differences.csv"))) differ.emplace(cells[0], cells[1]);
  std::map<std::string, CorpusKernel> kernels;
  for (const char* const folder : {"programs", "defects"}) {
    for (const CorpusKernel& kernel : corpus(folder)) kernels.emplace(kernel.name, kernel);
  }
  Corpus modules;
  for (std::size_t r = 1; r < rows.size(); ++r) {
    INFO(rows[r][0]);
    const CorpusKernel& kernel = kernels.at(rows[r][0]);
    const Ran ran = run(kernel, modules.module(kernel.file), 1);
    for (const Counter& counter : counters_of(ran.report.phase.counts)) {
      std::vector<std::int64_t> measured;
      for (const std::string& metric : counter.metrics) {
        const auto column = std::find(rows[0].begin(), rows[0].end(), metric) - rows[0].begin();
        measured.push_back(std::stoll(rows[r].at(static_cast<std::size_t>(column))));
      }
      INFO(counter.name);
      if (differ.contains({kernel.name, counter.name})) {
        CHECK(counter.counted != measured);
      } else {
        CHECK(counter.counted == measured);
      }
    }
    if (kernel.tolerance > 0 || may_leave_anything(kernel)) continue;
    for (std::size_t i = 0; i < ran.after.size(); ++i) {
      INFO("buffer " << ran.buffers[i].name);
      CHECK(crc32(ran.after[i]) == results.at(kernel.name).at(i).get<std::uint32_t>());
    }
  }
}

TEST_CASE("kernels leave what they do on an H200", "[ptx]") {
  const nlohmann::json results = nlohmann::json::parse(
      test::content(std::string(AGPUSIM_TEST_DIR) + "/ptx/h200/results.json"));
  Corpus modules;
  std::size_t compared = 0;
  for (const CorpusKernel& kernel : corpus("programs")) {
    if (!results.contains(kernel.name)) continue;
    INFO(kernel.name);
    ++compared;
    const Ran ran = run(kernel, modules.module(kernel.file), 1);
    for (std::size_t i = 0; i < ran.after.size(); ++i) {
      INFO("buffer " << ran.buffers[i].name);
      CHECK(crc32(ran.after[i]) == results.at(kernel.name).at(i).get<std::uint32_t>());
    }
  }
  CHECK(compared == results.size());
}

TEST_CASE("programs leave what their host references leave", "[ptx]") {
  Corpus modules;
  std::size_t compared = 0;
  for (const CorpusKernel& kernel : corpus("programs")) {
    INFO(kernel.file << ' ' << kernel.name);
    try {
      const Ran ran = run(kernel, modules.module(kernel.file), 2);
      CHECK(messages(ran.report) == "");
      CHECK(ran.report.complete);
      auto expected = ran.before;
      for (const NamedReference& named : references()) {
        if (named.name != kernel.name) continue;
        named.reference(expected);
        ++compared;
      }
      for (std::size_t i = 0; i < expected.size(); ++i) {
        INFO("buffer " << ran.buffers[i].name);
        if (kernel.tolerance == 0 || ran.buffers[i].type == Type::u32) {
          CHECK(ran.after[i] == expected[i]);
        } else if (ran.buffers[i].type == Type::f64) {
          CHECK(within<double>(ran.after[i], expected[i], kernel.tolerance));
        } else {
          CHECK(within<float>(ran.after[i], expected[i], kernel.tolerance));
        }
      }
    } catch (const Error& error) {
      FAIL_CHECK(error.what());
    }
  }
  CHECK(compared == references().size());
  CHECK(compared >= 40);
}

TEST_CASE("groups of lanes leave what lanes one at a time leave", "[ptx]") {
  // Lanes of a collective need each other at one instruction.
  const auto has_collective = [](const Program& program) {
    return std::any_of(program.sources.begin(), program.sources.end(), [](const Source& source) {
      return std::regex_search(std::string(source.opcode),
                               std::regex("^(shfl|vote|match|redux|activemask|elect|bar.warp)"));
    });
  };
  Corpus modules;
  std::size_t compared = 0;
  std::int64_t instructions_of_groups = 0;
  std::int64_t instructions_of_lanes = 0;
  for (const char* const folder : {"programs", "defects"}) {
    for (const CorpusKernel& kernel : corpus(folder)) {
      const auto module = modules.module(kernel.file);
      if (kernel.is_defect() || has_collective(*Program::compile(module, kernel.name))) continue;
      if (may_leave_anything(kernel)) continue;
      INFO(kernel.file << ' ' << kernel.name);
      const Ran groups = run(kernel, module, 1);
      const Ran lanes = run(kernel, module, 1, true);
      INFO(messages(lanes.report));
      CHECK(lanes.report.complete);
      CHECK(lanes.report.findings.empty());
      CHECK(lanes.after == groups.after);
      instructions_of_groups += groups.report.instructions;
      instructions_of_lanes += lanes.report.instructions;
      ++compared;
    }
  }
  CHECK(compared >= 101);
  CHECK(instructions_of_lanes > 10 * instructions_of_groups);
}

TEST_CASE("each defect is found at its line, and nothing in its mended twin", "[ptx]") {
  Corpus modules;
  std::size_t defects = 0;
  for (const CorpusKernel& kernel : corpus("defects")) {
    INFO(kernel.file << ' ' << kernel.name);
    try {
      const Ran ran = run(kernel, modules.module(kernel.file), 1);
      INFO(messages(ran.report));
      if (!kernel.is_defect()) {
        CHECK(ran.report.findings.empty());
        CHECK(ran.report.complete);
        continue;
      }
      ++defects;
      CHECK_FALSE(ran.report.findings.empty());
      for (const Finding& finding : ran.report.findings) {
        CHECK(to_string(finding.rule) == to_string(kernel.rule));
        bool at_line = false;
        for (const std::uint32_t line : kernel.lines) {
          at_line = at_line || (finding.where.at.line == line &&
                                finding.where.at.file.ends_with(kernel.file + ".cu"));
        }
        CHECK(at_line);
      }
    } catch (const Error& error) {
      FAIL_CHECK(error.what());
    }
  }
  CHECK(defects >= 40);
}

}  // namespace agpusim::ptx
