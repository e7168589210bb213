#include "agpusim/validation/compiled/compiled.hpp"

#include <filesystem>
#include <map>
#include <mutex>
#include <utility>

#include <fmt/format.h>

#include "agpusim/model/agpu/device.hpp"
#include "agpusim/model/error.hpp"
#include "agpusim/ptx/run/kernel_device.hpp"
#include "agpusim/validation/io/atomic_file.hpp"
#include "agpusim/validation/io/json_lines.hpp"
#include "agpusim/validation/io/xz.hpp"
#include "agpusim/validation/records/data_folder.hpp"

namespace agpusim {
namespace {

std::filesystem::path file_of_kernels(const std::string& algorithm) {
  return data_folder() / "ptx" / (algorithm + ".ptx.xz");
}

/// Each is read once.
std::shared_ptr<const ptx::Module> kernels_of(const std::string& algorithm) {
  static std::mutex mutex;
  static std::map<std::string, std::shared_ptr<const ptx::Module>> known;
  const std::lock_guard guard(mutex);
  std::shared_ptr<const ptx::Module>& kernels = known[algorithm];
  if (!kernels) {
    const std::filesystem::path file = file_of_kernels(algorithm);
    kernels = std::make_shared<const ptx::Module>(
        ptx::Module::parse(read_xz(file), file.filename().string()));
  }
  return kernels;
}

/// Throws Unavailable where none are bundled.
std::shared_ptr<const ptx::Module> require_kernels(const Algorithm& algorithm) {
  if (!algorithm.program || !std::filesystem::exists(file_of_kernels(algorithm.name))) {
    throw Unavailable(fmt::format("{} has no compiled kernels", algorithm.name));
  }
  return kernels_of(algorithm.name);
}

}  // namespace

RunResult simulate_compiled(const Algorithm& algorithm, const RunConfig& config,
                            const ptx::Options& options) {
  ptx::KernelDevice kernels(config.spec, require_kernels(algorithm), options);
  SimulatedDevice device(config.spec, kernels);
  const std::unique_ptr<HostProgram> prepared = algorithm.program(device, config);
  prepared->run();
  RunResult result;
  result.checksum = prepared->checksum();
  result.checked = true;
  result.correct = result.checksum == algorithm.reference(config);
  result.report = device.report();
  result.values = prepared->values();
  return result;
}

std::vector<PhaseReport> phases_of(const decltype(Algorithm::program)& program,
                                   const RunConfig& config,
                                   std::shared_ptr<const ptx::Module> kernels, bool derives,
                                   int threads) {
  ptx::Options options;
  options.races = options.unwritten = false;
  options.execution = true;
  options.keeps_phases = !derives;  // it has those of single tasks
  options.threads = threads;
  ptx::KernelDevice compiled(config.spec, std::move(kernels), options, derives);
  SimulatedDevice device(config.spec, compiled);
  program(device, config)->run();
  return device.report().phases;
}

std::vector<PhaseReport> derived_phases_of(const Algorithm& algorithm, const RunConfig& config,
                                           int threads) {
  const auto kernels = require_kernels(algorithm);
  try {
    return phases_of(algorithm.program, config, kernels, true, threads);
  } catch (const DependsOnData&) {
  } catch (const RuleViolation&) {  // addresses depend on what the arrays hold, costs do not
  }
  return {};
}

std::vector<PhaseReport> phases_of_bundled_kernels(const Algorithm& algorithm,
                                                   const RunConfig& config, int threads) {
  std::vector<PhaseReport> derived = derived_phases_of(algorithm, config, threads);
  if (!derived.empty()) return derived;
  return phases_of(algorithm.program, config, require_kernels(algorithm), false, threads);
}

const StoredCounts& bundled_compiled() {
  static const StoredCounts phases = StoredCounts::of_folder(data_folder() / "data" / "compiled");
  return phases;
}

std::uint64_t digest_of_kernels(const std::string& algorithm) {
  static std::mutex mutex;
  static std::map<std::string, std::uint64_t> known;
  const std::lock_guard guard(mutex);
  const auto [digest, is_new] = known.try_emplace(algorithm, 0);
  const std::filesystem::path file = file_of_kernels(algorithm);
  if (is_new && std::filesystem::exists(file)) digest->second = detail::fnv1a(read_file(file));
  return digest->second;
}

}  // namespace agpusim
