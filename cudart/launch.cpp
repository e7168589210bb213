#include <algorithm>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "agpusim/cudart/stream.hpp"
#include "agpusim/model/error.hpp"
#include "agpusim/ptx/kernel_name.hpp"
#include "agpusim/validation/predict/residency.hpp"

namespace agpusim::cudart {
namespace {

/// Between <<<...>>> and the function of the host that launches the kernel.
struct CallConfiguration {
  Extent3 grid;
  Extent3 block;
  std::size_t dynamic_shared = 0;
  Stream* stream = nullptr;
};
thread_local std::vector<CallConfiguration> configurations;

/// The check to which the findings of a rule belong; bounds are always looked for.
const char* check_of(ptx::Rule rule) {
  switch (rule) {
    case ptx::Rule::shared_race:
    case ptx::Rule::global_race:
    case ptx::Rule::write_conflict:
      return "races";
    case ptx::Rule::unwritten_shared:
    case ptx::Rule::unwritten_global:
      return "init";
    case ptx::Rule::divergent_barrier:
    case ptx::Rule::wrong_mask:
    case ptx::Rule::missing_wait:
    case ptx::Rule::mbarrier:
    case ptx::Rule::deadlock:
      return "sync";
    default:
      return "bounds";
  }
}

/// What CUDA calls a defect that ends a kernel.
Status status_of(ptx::Rule rule) {
  switch (rule) {
    case ptx::Rule::misaligned:
      return Status::misaligned_address;
    case ptx::Rule::deadlock:
      return Status::launch_timeout;
    case ptx::Rule::assertion:
      return Status::assert_failed;
    case ptx::Rule::out_of_bounds:
    case ptx::Rule::freed:
    case ptx::Rule::read_only:
      return Status::illegal_address;
    default:
      return Status::launch_failure;
  }
}

ptx::Dim3 dim3_of(const Extent3& extent) { return {extent.x, extent.y, extent.z}; }

bool is_possible(const Extent3& grid, const Extent3& block, std::uint64_t most_threads) {
  constexpr std::uint32_t most_deep = 64;
  const std::uint64_t threads = dim3_of(block).count();
  return dim3_of(grid).count() > 0 && threads > 0 && threads <= most_threads &&
         block.z <= most_deep && grid.x <= INT32_MAX && grid.y <= UINT16_MAX &&
         grid.z <= UINT16_MAX;
}

std::vector<std::byte> parameters_of(const ptx::Program& program, void** arguments) {
  std::vector<std::byte> bytes(program.parameter_bytes);
  for (std::size_t i = 0; i < program.parameters.size(); ++i) {
    const ptx::Parameter& parameter = program.parameters[i];
    std::memcpy(bytes.data() + parameter.offset, arguments[i], parameter.bytes);
  }
  return bytes;
}

/// Bytes of a CTA.
std::size_t most_dynamic_shared(const Runtime& runtime, const Kernel& kernel,
                                const ptx::Program& program) {
  constexpr std::size_t without_asking = 48 * 1024;  // with the static ones
  const std::size_t most = kernel.max_dynamic_shared ? runtime.most_shared() : without_asking;
  const std::size_t left = most - std::min<std::size_t>(most, program.shared_bytes);
  return std::min(left, static_cast<std::size_t>(kernel.max_dynamic_shared.value_or(INT32_MAX)));
}

exec::LaunchRecord record_of(const PreparedLaunch& launch) {
  exec::LaunchRecord record;
  record.kernel = launch.kernel->name;
  record.grid = {launch.grid.x, launch.grid.y, launch.grid.z};
  record.block = {launch.block.x, launch.block.y, launch.block.z};
  record.dynamic_shared = static_cast<std::int64_t>(launch.dynamic_shared);
  return record;
}

/// call() for a function about a kernel, which is compiled. One that is not run is reported.
template <class Body>
Status call_of_kernel(const void* function, const Body& body) {
  return call([&](Runtime& runtime) {
    Kernel* const kernel = Registry::get().kernel(function);
    if (kernel == nullptr) return Status::invalid_device_function;
    std::shared_ptr<const ptx::Program> program;
    try {
      program = kernel->program();
    } catch (const Error& error) {
      const bool is_line = dynamic_cast<const ptx::PtxError*>(&error) != nullptr;
      runtime.reporter.refused(kernel->name, (is_line ? "PTX, " : "") + std::string(error.what()));
      return error.code() == ExitCode::unavailable ? Status::not_supported : Status::invalid_ptx;
    }
    return body(runtime, *kernel, *program);
  });
}

Status launch_as(const void* function, const CallConfiguration& how, void** arguments,
                 bool cooperative) {
  return call_of_kernel(
      function, [&](Runtime& runtime, Kernel& kernel, const ptx::Program& program) {
        if (!is_possible(how.grid, how.block, program.max_threads)) {
          return Status::invalid_configuration;
        }
        if (how.dynamic_shared > most_dynamic_shared(runtime, kernel, program)) {
          return Status::invalid_value;
        }
        const auto threads = static_cast<std::int64_t>(dim3_of(how.block).count());
        const double most = runtime.resident(program, threads, how.dynamic_shared) *
                            runtime.card.value("multiprocessors");
        if (cooperative && static_cast<double>(dim3_of(how.grid).count()) > most) {
          return Status::cooperative_launch_too_large;
        }
        const PreparedLaunch launch{&kernel,     how.grid,
                                    how.block,   how.dynamic_shared,
                                    cooperative, parameters_of(program, arguments)};
        return submit(how.stream, [&runtime, launch] { return runtime.launch(launch); });
      });
}

}  // namespace

bool Runtime::is_skipped(const Kernel& kernel) const {
  if (settings.first > 0 && kernel.launches > settings.first) return true;
  return !settings.only.empty() && !ptx::is_called(kernel.name, settings.only);
}

void Runtime::price(exec::LaunchRecord& record, Kernel& kernel) const {
  RunConfig config;
  config.spec = spec;
  const PredictedRun predicted = predict_run(config, {record.phase}, card, PredictedFrom::kernels);
  if (!predicted.prediction) {
    record.limit = predicted.why_not;
    return;
  }
  kernel.milliseconds = predicted.prediction->milliseconds;
  record.milliseconds = kernel.milliseconds;
  record.low = predicted.prediction->low;
  record.high = predicted.prediction->high;
  record.limit = predicted.prediction->limit;
}

Status Runtime::launch(const PreparedLaunch& launch) {
  Kernel& kernel = *launch.kernel;
  exec::LaunchRecord record = record_of(launch);
  ++kernel.launches;
  if (is_skipped(kernel)) {
    record.skipped = true;
    milliseconds += kernel.milliseconds;
    reporter.launch(std::move(record));
    return Status::success;
  }
  const std::shared_ptr<const ptx::Program>& program = kernel.program();
  ptx::LaunchReport report = device.launch({program, dim3_of(launch.grid), dim3_of(launch.block),
                                            static_cast<std::uint32_t>(launch.dynamic_shared),
                                            launch.parameters, launch.cooperative});
  printed_ += report.output;
  record.complete = report.complete;
  record.phase = std::move(report.phase);
  record.lines = std::move(report.lines);
  for (ptx::PricedLine& line : record.lines) {
    if (line.file == program->module->name()) line.file.clear();  // nobody sees the PTX
  }
  if (report.complete) price(record, kernel);
  milliseconds += record.milliseconds.value_or(0);
  for (ptx::Finding& finding : report.findings) {
    const bool ends = !ptx::goes_on(finding.rule);
    if (ends && !report.complete && fault == Status::success) fault = status_of(finding.rule);
    const char* const check = check_of(finding.rule);
    const bool is_wanted = ends || std::find(settings.checks.begin(), settings.checks.end(),
                                             check) != settings.checks.end();
    if (!is_wanted) continue;
    record.findings.push_back(std::move(finding));
  }
  if (!report.complete && fault == Status::success) fault = Status::launch_failure;
  reporter.launch(std::move(record));
  return Status::success;
}

AGPUSIM_CUDART std::uint32_t __cudaPushCallConfiguration(Extent3 grid, Extent3 block,
                                                         std::size_t dynamic_shared,
                                                         Stream* stream) {
  configurations.push_back({grid, block, dynamic_shared, stream});
  return 0;
}

AGPUSIM_CUDART Status __cudaPopCallConfiguration(Extent3* grid, Extent3* block,
                                                 std::size_t* dynamic_shared, void* stream) {
  if (configurations.empty()) return remember(Status::missing_configuration);
  const CallConfiguration how = configurations.back();
  configurations.pop_back();
  *grid = how.grid;
  *block = how.block;
  *dynamic_shared = how.dynamic_shared;
  *static_cast<Stream**>(stream) = how.stream;
  return Status::success;
}

AGPUSIM_CUDART Status cudaLaunchKernel(const void* function, Extent3 grid, Extent3 block,
                                       void** arguments, std::size_t dynamic_shared,
                                       Stream* stream) {
  return launch_as(function, {grid, block, dynamic_shared, stream}, arguments, false);
}

AGPUSIM_CUDART Status __cudaLaunchKernel(Kernel* kernel, Extent3 grid, Extent3 block,
                                         void** arguments, std::size_t dynamic_shared,
                                         Stream* stream) {
  return cudaLaunchKernel(kernel, grid, block, arguments, dynamic_shared, stream);
}

AGPUSIM_CUDART Status cudaLaunchCooperativeKernel(const void* function, Extent3 grid, Extent3 block,
                                                  void** arguments, std::size_t dynamic_shared,
                                                  Stream* stream) {
  return launch_as(function, {grid, block, dynamic_shared, stream}, arguments, true);
}

AGPUSIM_CUDART Status cudaLaunchKernelExC(const LaunchConfig* config, const void* function,
                                          void** arguments) {
  bool cooperative = false;
  bool clusters = false;
  for (std::uint32_t i = 0; i < config->attribute_count; ++i) {
    const auto& [id, pad, value] = config->attributes[i];
    cooperative = cooperative || (id == LaunchAttributeId::cooperative && value.number != 0);
    clusters = clusters || (id == LaunchAttributeId::cluster &&
                            value.dimensions.x * value.dimensions.y * value.dimensions.z > 1);
  }
  if (clusters) {
    return call_of_kernel(function, [](Runtime& runtime, Kernel& kernel, const ptx::Program&) {
      runtime.reporter.refused(kernel.name, "it is launched with clusters of CTAs");
      return Status::not_supported;
    });
  }
  return launch_as(function, {config->grid, config->block, config->dynamic_shared, config->stream},
                   arguments, cooperative);
}

AGPUSIM_CUDART Status cudaFuncGetAttributes(FunctionAttributes* attributes, const void* function) {
  return call_of_kernel(
      function, [&](Runtime& runtime, Kernel& kernel, const ptx::Program& program) {
        *attributes = {};
        attributes->shared_bytes = program.shared_bytes;
        attributes->local_bytes = program.local_bytes;
        attributes->max_threads = static_cast<std::int32_t>(program.max_threads);
        attributes->registers = static_cast<std::int32_t>(Runtime::registers_of(program));
        attributes->max_dynamic_shared =
            static_cast<std::int32_t>(most_dynamic_shared(runtime, kernel, program));
        return Status::success;
      });
}

AGPUSIM_CUDART Status cudaFuncSetAttribute(const void* function, FunctionAttribute attribute,
                                           int value) {
  return call_of_kernel(function, [&](Runtime& runtime, Kernel& kernel,
                                      const ptx::Program& program) {
    if (attribute < FunctionAttribute::max_dynamic_shared || attribute > FunctionAttribute::last) {
      return Status::invalid_value;
    }
    if (attribute != FunctionAttribute::max_dynamic_shared) return Status::success;
    if (value < 0 ||
        program.shared_bytes + static_cast<std::size_t>(value) > runtime.most_shared()) {
      return Status::invalid_value;
    }
    kernel.max_dynamic_shared = value;
    return Status::success;
  });
}

AGPUSIM_CUDART Status cudaFuncGetName(const char** name, const void* function) {
  const Kernel* const kernel = Registry::get().kernel(function);
  if (kernel == nullptr) return remember(Status::invalid_device_function);
  *name = kernel->name.c_str();
  return Status::success;
}

AGPUSIM_CUDART Status cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int* blocks, const void* function, int threads, std::size_t dynamic_shared,
    std::uint32_t /*flags*/) {
  return call_of_kernel(
      function, [&](Runtime& runtime, Kernel& kernel, const ptx::Program& program) {
        if (blocks == nullptr || threads < 1) return Status::invalid_value;
        const bool fits = dynamic_shared <= most_dynamic_shared(runtime, kernel, program);
        *blocks = fits ? runtime.resident(program, threads, dynamic_shared) : 0;
        return Status::success;
      });
}

AGPUSIM_CUDART Status cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks,
                                                                    const void* function,
                                                                    int threads,
                                                                    std::size_t dynamic_shared) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, function, threads,
                                                                dynamic_shared, 0);
}

}  // namespace agpusim::cudart
