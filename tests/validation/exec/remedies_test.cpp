// Each pattern is recognised in the kernel that has it, and not in the mended one, whose predicted
// time is about what the remedy promised.
#include "agpusim/validation/exec/remedies.hpp"

#include <regex>
#include <set>
#include <sstream>

#include "agpusim/cli/sizes.hpp"
#include "agpusim/ptx/run/arguments.hpp"
#include "agpusim/ptx/run/device.hpp"
#include "agpusim/tests/support/catch.hpp"
#include "agpusim/tests/support/temp_folder.hpp"

using Catch::Approx;

namespace agpusim::exec {
namespace {

struct Case {
  std::string pattern;
  std::string kernel;  ///< in patterns.cu, without _defect
  ptx::Dim3 grid;
  ptx::Dim3 mended_grid;
  ptx::Dim3 block;
  std::vector<std::string> arguments;
};

/// What patterns.cu says above its kernels.
std::vector<Case> cases() {
  static const std::regex run(R"(// (.+): grid=(\d+)\|?(\d*) block=(\d+)x?(\d*) args=(\S+))");
  static const std::regex kernel(R"(^TWINS\((\w+),)");
  std::istringstream source(test::content(AGPUSIM_TEST_DIR "/ptx/fixtures/patterns.cu"));
  const auto number = [](const std::string& text, std::uint32_t none) {
    return text.empty() ? none : static_cast<std::uint32_t>(std::stoul(text));
  };
  std::vector<Case> result;
  for (std::string line; std::getline(source, line);) {
    std::smatch found;
    if (std::regex_search(line, found, run)) {
      const std::uint32_t grid = number(found[2], 1);
      result.push_back({found[1],
                        "",
                        {grid},
                        {number(found[3], grid)},
                        {number(found[4], 1), number(found[5], 1)},
                        list_items(found[6])});
    } else if (std::regex_search(line, found, kernel)) {
      for (Case& one : result) {
        if (one.kernel.empty()) one.kernel = found[1];
      }
    }
  }
  return result;
}

const DeviceFile& h200() {
  static const DeviceFile device = load_device(AGPUSIM_TEST_DIR "/../validation/devices/h200.json");
  return device;
}

/// A launch with its predicted time.
LaunchRecord launched(const Case& row, bool mended) {
  static const auto module = std::make_shared<const ptx::Module>(ptx::Module::parse(
      test::content(AGPUSIM_TEST_DIR "/ptx/fixtures/patterns.ptx"), "patterns.ptx"));
  const AgpuSpec& spec = h200().machines.front().spec;
  ptx::Options options{.threads = 1, .races = false, .unwritten = false, .execution = true};
  options.caches = caches_of(h200());
  ptx::Device device(spec, options);
  const auto program = ptx::Program::compile(module, row.kernel + (mended ? "_mended" : "_defect"));
  const ptx::Arguments arguments(*program, row.arguments, device.memory(), 1);
  LaunchRecord launch;
  static_cast<ptx::LaunchReport&>(launch) = device.launch(
      {program, mended ? row.mended_grid : row.grid, row.block, 0, arguments.parameters()});
  REQUIRE(launch.findings.empty());
  RunConfig config;
  config.spec = spec;
  launch.predicted = predict_run(config, {launch.phase}, h200(), PredictedFrom::programs);
  return launch;
}

const Remedy* found(const std::vector<Remedy>& remedies, const std::string& pattern) {
  for (const Remedy& remedy : remedies) {
    if (remedy.pattern == pattern) return &remedy;
  }
  return nullptr;
}

}  // namespace

TEST_CASE("each pattern is seen where it is, and promises what its mended kernel gains", "[exec]") {
  std::set<std::string> tested;
  for (const Case& row : cases()) {
    INFO(row.pattern << " in " << row.kernel);
    tested.insert(row.pattern);
    const AgpuSpec& spec = h200().machines.front().spec;
    const LaunchRecord defect = launched(row, false);
    const LaunchRecord mended = launched(row, true);
    const std::vector<Remedy> remedies = remedies_of(defect, spec, h200());
    const Remedy* const remedy = found(remedies, row.pattern);
    REQUIRE(remedy != nullptr);
    const double before = defect.predicted.prediction->milliseconds;
    const double after = mended.predicted.prediction->milliseconds;
    CHECK(after < before);
    CHECK(remedy->without_ms == Approx(after).epsilon(0.2));
    CHECK(found(remedies_of(mended, spec, h200()), row.pattern) == nullptr);
  }
  const std::vector<std::string> all = pattern_names();
  CHECK(tested == std::set<std::string>(all.begin(), all.end()));
}

}  // namespace agpusim::exec
