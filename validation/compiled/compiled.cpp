#include "agpusim/validation/compiled/compiled.hpp"

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

}  // namespace agpusim
