#include "agpusim/tests/ptx/corpus.hpp"

#include <cmath>
#include <cstring>
#include <map>
#include <memory>

#include <fmt/format.h>

#include "agpusim/ptx/arguments.hpp"
#include "agpusim/ptx/device.hpp"
#include "agpusim/tests/support/catch.hpp"

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

}  // namespace

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
