#include "agpusim/tests/ptx/corpus.hpp"

#include <cmath>
#include <cstring>
#include <map>
#include <memory>
#include <sstream>

#include <fmt/format.h>

#include "agpusim/ptx/arguments.hpp"
#include "agpusim/ptx/device.hpp"
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

Ran run(const CorpusKernel& kernel, const std::shared_ptr<const Module>& module, int threads) {
  AgpuSpec spec;
  Options options;
  options.threads = threads;
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

/// The rows of a CSV file, by the first cell.
std::map<std::string, std::map<std::string, std::int64_t>> counters_of(const std::string& text) {
  std::map<std::string, std::map<std::string, std::int64_t>> result;
  std::istringstream lines(text);
  std::vector<std::string> names;
  for (std::string line; std::getline(lines, line);) {
    std::vector<std::string> cells;
    std::istringstream row(line);
    for (std::string cell; std::getline(row, cell, ',');) cells.push_back(cell);
    if (names.empty()) {
      names = cells;
      continue;
    }
    for (std::size_t i = 1; i < cells.size(); ++i) {
      result[cells[0]][names[i]] = std::stoll(cells[i]);
    }
  }
  return result;
}

}  // namespace

TEST_CASE("addresses cost what an H100 counts", "[ptx]") {
  const auto measured =
      counters_of(test::content(std::string(AGPUSIM_TEST_DIR) + "/ptx/h100/counters.csv"));
  Corpus modules;
  std::size_t launches = 0;
  for (const char* const folder : {"programs", "defects"}) {
    for (const CorpusKernel& kernel : corpus(folder)) {
      const auto row = measured.find(kernel.name);
      if (row == measured.end() || kernel.is_defect()) continue;
      ++launches;
      INFO(kernel.file << ' ' << kernel.name);
      const Counts counts = run(kernel, modules.module(kernel.file), 1).report.phase.counts;
      const auto metric = [&](const std::string& name) { return row->second.at(name + ".sum"); };
      const std::string global = "l1tex__t_";
      CHECK(counts.global_read.requests == metric(global + "requests_pipe_lsu_mem_global_op_ld"));
      CHECK(counts.global_write.requests == metric(global + "requests_pipe_lsu_mem_global_op_st"));
      CHECK(counts.global_read.blocks == metric(global + "set_accesses_pipe_lsu_mem_global_op_ld"));
      CHECK(counts.global_write.blocks ==
            metric(global + "set_accesses_pipe_lsu_mem_global_op_st"));
      CHECK(counts.global_read.sectors == metric(global + "sectors_pipe_lsu_mem_global_op_ld"));
      CHECK(counts.global_write.sectors == metric(global + "sectors_pipe_lsu_mem_global_op_st"));
      CHECK(counts.shared_read.wavefronts ==
            metric("l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld"));
      CHECK(counts.shared_write.wavefronts ==
            metric("l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st"));
    }
  }
  CHECK(launches == measured.size());
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
          at_line = at_line || finding.place.ends_with(fmt::format(".cu:{}", line));
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
