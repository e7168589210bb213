#include <memory>

#include <fmt/format.h>

#include "agpusim/cuda/registry.hpp"
#include "agpusim/model/error.hpp"
#include "agpusim/validation/calibrate/calibrate.cuh"
#include "agpusim/validation/experiments/out_of_core/cuda_runs.cuh"
#include "agpusim/validation/measure/cuda_support.hpp"
#include "agpusim/validation/measure/environment.cuh"
#include "agpusim/validation/measure/time_program.cuh"

namespace agpusim {
namespace {

const CudaRegistry& cuda_registry() {
  static const CudaRegistry registry = [] {
    CudaRegistry all;
    register_all_cuda(all);
    return all;
  }();
  return registry;
}

std::unique_ptr<CudaProgram> prepare(const RunConfig& config) {
  const CudaRegistry::Factory* const factory = cuda_registry().find(config.algorithm);
  if (factory == nullptr) {
    throw Unavailable(fmt::format("{} has no CUDA half: algorithms/{}/cuda.cu is missing",
                                  config.algorithm, config.algorithm));
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

Samples time_config(const RunConfig& config, std::uint64_t expected, const SamplingRule& rule) {
  const auto program = prepare(config);
  program->run();
  verify(*program, config, expected, "first");
  Samples samples = time_program(*program, rule);
  verify(*program, config, expected, "last");
  return samples;
}

void run_config_once(const RunConfig& config, std::uint64_t expected) {
  const auto program = prepare(config);
  program->run();
  verify(*program, config, expected, "only");
}

}  // namespace

std::optional<CudaSupport> cuda_support() {
  CudaSupport support;
  support.environment = cuda_environment;
  support.time = time_config;
  support.run_once = run_config_once;
  support.calibrate = calibrate_cuda;
  support.out_of_core = out_of_core::cuda_runs;
  support.calibrate_link = calibrate_link_cuda;
  return support;
}

}  // namespace agpusim
