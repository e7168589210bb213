// Each pattern is recognised in the kernel that has it, and not in the mended one, whose predicted
// time is about what the remedy promised.
#include "agpusim/validation/exec/remedies.hpp"

#include <set>

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
  std::vector<std::string> arguments;
  ptx::Dim3 mended_grid = {0};  ///< where it is another
  ptx::Dim3 block = {256};
};

const std::vector<Case> cases = {
    {"column of an array", "column", {128}, {"in:f32:2^20", "out:f32:2^20", "1024"}, {0}, {32, 8}},
    {"array of structures", "structures", {1024}, {"in:f32:2^22", "out:f32:2^18"}},
    {"scattered lanes", "scattered", {4096}, {"in:f32:2^22", "out:f32:2^20", "4194304"}},
    {"unaligned start", "unaligned", {16384}, {"in:f32:2^25", "out:f32:2^22"}},
    {"stride in shared memory", "stride", {264}, {"in:f32:2000", "out:f32:70000"}},
    {"bank conflicts", "banks", {528}, {"in:f32:1024", "out:f32:140000"}},
    {"atomics on few words", "atomics", {1024}, {"in:u32:2^18", "out:u32:4:zeros"}},
    {"constant memory by lanes", "constants", {264}, {"in:u32:70000", "out:f32:70000"}},
    {"local array", "array", {264}, {"in:u32:70000", "out:f32:70000"}},
    {"divergent lanes", "divergent", {264}, {"in:f32:70000", "out:f32:70000"}},
    {"uniform load", "uniform", {528}, {"in:f32:256", "out:f32:140000"}},
    {"narrow accesses", "narrow", {264}, {"in:f32:2^20", "out:f32:2^20", "1048576"}},
    {"few CTAs", "work", {16}, {"in:f32:2^15", "out:f32:2^15", "32768"}, {128}},
    {"tail of CTAs", "work", {140}, {"in:f32:67584", "out:f32:67584", "67584"}, {264}},
    {"many small CTAs", "small", {32768}, {"in:f32:2^20", "out:f32:2^20", "1048576"}, {4096}, {32}},
    {"low occupancy", "occupancy", {1320}, {"in:f32:2^20", "out:f32:2^18", "1048576"}, {0}, {128}},
    {"barrier after each small step", "barriers", {264}, {"in:f32:70000", "out:f32:70000"}},
};

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
  const bool other_grid = mended && row.mended_grid.x > 0;
  LaunchRecord launch;
  static_cast<ptx::LaunchReport&>(launch) = device.launch(
      {program, other_grid ? row.mended_grid : row.grid, row.block, 0, arguments.parameters()});
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
  for (const Case& row : cases) {
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
