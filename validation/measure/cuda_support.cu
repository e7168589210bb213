
#include <fmt/format.h>

#include "agpusim/model/error.hpp"
#include "agpusim/validation/measure/calibrate.cuh"
#include "agpusim/validation/measure/cuda_support.hpp"
#include "agpusim/validation/measure/environment.cuh"
#include "agpusim/validation/measure/time_program.cuh"
#include "agpusim/validation/records/data_folder.hpp"

namespace agpusim {
namespace {

std::unique_ptr<CudaProgram> prepare(const CudaRegistry& registry, const RunConfig& config) {
  const CudaRegistry::Factory* const factory = registry.find(config.algorithm);
  if (factory == nullptr) {
    throw Unavailable(
        fmt::format("{} has no CUDA half: compile the source with its row as CUDA "
                    "(agpusim_add_program does so where nvcc is found)",
                    config.algorithm));
  }
  return (*factory)(config);
}

void verify(CudaProgram& program, const RunConfig& config, std::uint64_t expected,
            const char* when) {
  const std::uint64_t got = program.checksum();
  if (got == expected) return;
  throw Mismatch(
      fmt::format("{}{} ({}) with n = {} and {} input, V = {}: the CUDA result of the {} "
                  "run has checksum {:016x}, the reference {:016x}",
                  config.algorithm, config.variant.empty() ? "" : "/" + config.variant, config.type,
                  config.n, config.input, config.spec.width, when, got, expected));
}

Samples time_config(const CudaRegistry& registry, const RunConfig& config, std::uint64_t expected,
                    const SamplingRule& rule) {
  const auto program = prepare(registry, config);
  program->run();
  verify(*program, config, expected, "first");
  Samples samples = time_program(*program, rule);
  verify(*program, config, expected, "last");
  return samples;
}

void run_config_once(const CudaRegistry& registry, const RunConfig& config,
                     std::uint64_t expected) {
  const auto program = prepare(registry, config);
  program->run();
  verify(*program, config, expected, "only");
}

/// A constant of this device's bundled file, or of the H200's, by which programs then choose.
double constant_of_device(std::string_view name) {
  static const DeviceFile device = [] {
    const auto folder = data_folder() / "devices";
    try {
      return find_device(folder, cuda_environment().device);
    } catch (const FileError&) {
      return load_device(folder / "h200.json");
    }
  }();
  return device.value(name);
}

}  // namespace

std::optional<CudaSupport> cuda_support(CudaRegistry own) {
  own.set_constant(constant_of_device);
  register_all_cuda(own);
  const auto registry = std::make_shared<const CudaRegistry>(std::move(own));
  CudaSupport support;
  support.environment = cuda_environment;
  support.time = [registry](const RunConfig& config, std::uint64_t expected,
                            const SamplingRule& rule) {
    return time_config(*registry, config, expected, rule);
  };
  support.run_once = [registry](const RunConfig& config, std::uint64_t expected) {
    run_config_once(*registry, config, expected);
  };
  support.calibrate = calibrate_cuda;
  support.calibrate_link = calibrate_link_cuda;
  return support;
}

}  // namespace agpusim
