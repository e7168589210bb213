#include "agpusim/validation/compiled/compiled.hpp"

#include <fstream>
#include <iterator>
#include <mutex>
#include <utility>

#include <fmt/format.h>

#include "agpusim/model/error.hpp"
#include "agpusim/validation/io/read_xz.hpp"
#include "agpusim/validation/records/data_folder.hpp"

namespace agpusim {
namespace {

const CompiledPrograms& compiled_programs() {
  static const CompiledPrograms all = [] {
    CompiledPrograms programs;
    register_all_compiled(programs);
    return programs;
  }();
  return all;
}

/// Each is read once.
std::shared_ptr<const ptx::Module> kernels_of(const std::string& algorithm) {
  static std::mutex mutex;
  static std::map<std::string, std::shared_ptr<const ptx::Module>> known;
  const std::lock_guard guard(mutex);
  std::shared_ptr<const ptx::Module>& kernels = known[algorithm];
  if (!kernels) {
    const std::string file = algorithm + ".ptx.xz";
    kernels = std::make_shared<const ptx::Module>(
        ptx::Module::parse(read_xz(data_folder() / "ptx" / file), file));
  }
  return kernels;
}

}  // namespace

RunResult simulate_compiled(const Algorithm& algorithm, const RunConfig& config,
                            const ptx::Options& options) {
  const auto program = compiled_programs().find(algorithm.name);
  if (program == compiled_programs().end()) {
    throw Unavailable(fmt::format("{} has no compiled kernels", algorithm.name));
  }
  ptx::KernelDevice device(config.spec, kernels_of(algorithm.name), options);
  const std::unique_ptr<HostProgram> prepared = program->second(device, config);
  prepared->run();
  RunResult result;
  result.checksum = prepared->checksum();
  result.checked = true;
  result.correct = result.checksum == algorithm.reference(config);
  result.report = device.report();
  result.values = prepared->values();
  return result;
}

std::shared_ptr<const ptx::Module> own_kernels() {
  static const std::shared_ptr<const ptx::Module> kernels = [] {
    std::error_code none;
    std::filesystem::path path = std::filesystem::read_symlink("/proc/self/exe", none);
    path += ".ptx";
    std::ifstream file(path);
    const std::string text((std::istreambuf_iterator<char>(file)), {});
    return text.empty() ? nullptr
                        : std::make_shared<const ptx::Module>(
                              ptx::Module::parse(text, path.filename().string()));
  }();
  return kernels;
}

std::vector<PhaseReport> compiled_phases(const CompiledProgram& program,
                                         const std::shared_ptr<const ptx::Module>& kernels,
                                         const RunConfig& config) {
  ptx::Options options;
  options.checks = false;
  options.execution = true;
  ptx::KernelDevice device(config.spec, kernels, options);
  program(device, config)->run();
  return device.report().phases;
}

}  // namespace agpusim
