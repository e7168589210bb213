#include "agpusim/cudart/launch.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "agpusim/cudart/driver.hpp"
#include "agpusim/validation/io/text_table.hpp"

namespace agpusim::cudart {
namespace {

// What stands between <<<...>>> and the function of the host that launches the kernel. It has no
// destructor: thread_local objects of the program may launch when they are destroyed.
constexpr std::size_t most_configurations = 32;  // arguments of a launch may launch
thread_local std::array<LaunchConfig, most_configurations> configurations;
thread_local std::size_t configured = 0;

template <class T>
std::string integer_text(T value) {
  return detail::integer_text(static_cast<std::int64_t>(value));
}

/// Throws where no GPU takes a launch of this kernel.
void require_possible(const ptx::Dim3& grid, const ptx::Dim3& block, std::uint64_t most_threads) {
  constexpr std::uint32_t most_deep = 64;
  constexpr std::uint64_t of_gpu = 1024;
  if (block.count() > most_threads) {
    throw Failure{Status::invalid_configuration,
                  fmt::format("{} threads; a CTA has at most {}{}", integer_text(block.count()),
                              integer_text(most_threads),
                              most_threads < of_gpu ? ", by __launch_bounds__" : "")};
  }
  if (grid.count() > 0 && block.count() > 0 && block.x <= most_threads && block.y <= most_threads &&
      block.z <= most_deep && grid.x <= INT32_MAX && grid.y <= UINT16_MAX && grid.z <= UINT16_MAX) {
    return;
  }
  throw Failure{
      Status::invalid_configuration,
      fmt::format("{} x {} x {} CTAs of {} x {} x {} threads; none may be 0, nor more than {} x {} "
                  "x {} CTAs of {} threads in z",
                  grid.x, grid.y, grid.z, block.x, block.y, block.z, INT32_MAX, UINT16_MAX,
                  UINT16_MAX, most_deep)};
}

std::vector<std::byte> parameters_of(const ptx::Program& program, const Arguments& arguments) {
  std::vector<std::byte> bytes(program.parameter_bytes);
  for (std::size_t i = 0; i < program.parameters.size(); ++i) {
    const ptx::Parameter& parameter = program.parameters[i];
    const void* value = nullptr;
    if (arguments.buffer == nullptr) {
      value = required(arguments.each + i);
    } else if (parameter.offset + parameter.bytes <= arguments.buffer_bytes) {
      value = static_cast<const std::byte*>(arguments.buffer) + parameter.offset;
    }
    if (value == nullptr) throw Status::invalid_value;
    std::memcpy(bytes.data() + parameter.offset, value, parameter.bytes);
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

void require_shared(const Runtime& runtime, const Kernel& kernel, const ptx::Program& program,
                    std::size_t dynamic_shared) {
  const std::size_t most = most_dynamic_shared(runtime, kernel, program);
  if (dynamic_shared <= most) return;
  throw Failure{
      Status::invalid_value,
      fmt::format("{} bytes of dynamic shared memory; {}{} {} {}", integer_text(dynamic_shared),
                  integer_text(most),
                  program.shared_bytes == 0
                      ? ""
                      : fmt::format(" beside {} static ones", integer_text(program.shared_bytes)),
                  kernel.max_dynamic_shared ? "by" : "without",
                  driver_needs ? "cuFuncSetAttribute(MAX_DYNAMIC_SHARED_SIZE_BYTES)"
                               : "cudaFuncSetAttribute(MaxDynamicSharedMemorySize)")};
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
    } catch (const std::exception& exception) {
      const Failure failure = failure_of(exception);
      const bool is_line = dynamic_cast<const ptx::PtxError*>(&exception) != nullptr;
      runtime.reporter.refused(kernel->name, (is_line ? "PTX, " : "") + failure.reason);
      return failure.of_simulator ? failure.status : Status::invalid_ptx;
    }
    Failure failure;
    try {
      failure.status = status_of(body, runtime, *kernel, *program);
    } catch (const Status status) {
      failure.status = status;
    } catch (const Failure& thrown) {
      failure = thrown;
    }
    if (failure.status == Status::success) return failure.status;
    failure.kernel = kernel->name;
    throw failure;
  });
}

/// Whether an attribute of the configuration asks for that.
template <class Asks>
bool has_attribute(const LaunchConfig& how, const Asks& asks) {
  return std::any_of(how.attributes, how.attributes + how.attribute_count, asks);
}

}  // namespace

Status launch_as(const void* function, const LaunchConfig& how, const Arguments& arguments,
                 bool cooperative) {
  if (how.attributes == nullptr && how.attribute_count > 0) return remember(Status::invalid_value);
  cooperative = cooperative || has_attribute(how, [](const LaunchAttribute& each) {
                  return each.id == LaunchAttributeId::cooperative && each.value.number != 0;
                });
  if (has_attribute(how, [](const LaunchAttribute& each) {
        const auto& [x, y, z] = each.value.dimensions;
        return each.id == LaunchAttributeId::cluster && std::max({x, y, z}) > 1;
      })) {
    return call_of_kernel(function, [](Runtime& runtime, Kernel& kernel, const ptx::Program&) {
      runtime.reporter.refused(kernel.name, "it is launched with clusters of CTAs");
      return Status::not_supported;
    });
  }
  return call_of_kernel(
      function, [&](Runtime& runtime, Kernel& kernel, const ptx::Program& program) {
        require_possible(how.grid, how.block, program.max_threads);
        require_shared(runtime, kernel, program, how.dynamic_shared);
        const auto threads = static_cast<std::int64_t>(how.block.count());
        const double most = runtime.resident(kernel, threads, how.dynamic_shared) *
                            runtime.card.value("multiprocessors");
        const std::uint64_t ctas = how.grid.count();
        if (cooperative && static_cast<double>(ctas) > most) {
          throw Failure{Status::cooperative_launch_too_large,
                        fmt::format("{} CTAs; {} are resident at once", integer_text(ctas),
                                    integer_text(most))};
        }
        const PreparedLaunch launch{&kernel,     how.grid,
                                    how.block,   how.dynamic_shared,
                                    cooperative, parameters_of(program, arguments)};
        return submit(how.stream, [&runtime, launch] { return runtime.launch(launch); });
      });
}

AGPUSIM_CUDART std::uint32_t __cudaPushCallConfiguration(ptx::Dim3 grid, ptx::Dim3 block,
                                                         std::size_t dynamic_shared,
                                                         Stream* stream) {
  if (configured == most_configurations) return 1;
  configurations[configured++] = {grid, block, dynamic_shared, stream};
  return 0;
}

AGPUSIM_CUDART Status __cudaPopCallConfiguration(ptx::Dim3* grid, ptx::Dim3* block,
                                                 std::size_t* dynamic_shared, void* stream) {
  if (configured == 0) return remember(Status::missing_configuration);
  const LaunchConfig& how = configurations[--configured];
  *grid = how.grid;
  *block = how.block;
  *dynamic_shared = how.dynamic_shared;
  *static_cast<Stream**>(stream) = how.stream;
  return Status::success;
}

AGPUSIM_CUDART Status cudaLaunchKernel(const void* function, ptx::Dim3 grid, ptx::Dim3 block,
                                       void** arguments, std::size_t dynamic_shared,
                                       Stream* stream) {
  return launch_as(function, {grid, block, dynamic_shared, stream}, {arguments});
}

AGPUSIM_CUDART Status __cudaLaunchKernel(Kernel* kernel, ptx::Dim3 grid, ptx::Dim3 block,
                                         void** arguments, std::size_t dynamic_shared,
                                         Stream* stream) {
  return cudaLaunchKernel(kernel, grid, block, arguments, dynamic_shared, stream);
}

AGPUSIM_CUDART Status cudaLaunchCooperativeKernel(const void* function, ptx::Dim3 grid,
                                                  ptx::Dim3 block, void** arguments,
                                                  std::size_t dynamic_shared, Stream* stream) {
  return launch_as(function, {grid, block, dynamic_shared, stream}, {arguments}, true);
}

AGPUSIM_CUDART Status cudaLaunchKernelExC(const LaunchConfig* config, const void* function,
                                          void** arguments) {
  return config == nullptr ? remember(Status::invalid_value)
                           : launch_as(function, *config, {arguments});
}

AGPUSIM_CUDART Status cudaFuncGetAttributes(FunctionAttributes* attributes, const void* function) {
  return call_of_kernel(
      function, [&](Runtime& runtime, Kernel& kernel, const ptx::Program& program) {
        required(attributes) = {};
        attributes->shared_bytes = program.shared_bytes;
        attributes->local_bytes = program.local_bytes;
        attributes->max_threads = static_cast<std::int32_t>(program.max_threads);
        attributes->registers =
            static_cast<std::int32_t>(ptx::registers_of(program, kernel.machine_code(), 1));
        attributes->max_dynamic_shared =
            static_cast<std::int32_t>(most_dynamic_shared(runtime, kernel, program));
      });
}

AGPUSIM_ALSO(cudaFuncGetAttributes_v12, cudaFuncGetAttributes)

AGPUSIM_CUDART Status cudaFuncSetAttribute(const void* function, FunctionAttribute attribute,
                                           int value) {
  return call_of_kernel(function, [&](Runtime& runtime, Kernel& kernel,
                                      const ptx::Program& program) {
    if (attribute < FunctionAttribute::max_dynamic_shared || attribute > FunctionAttribute::last) {
      throw Status::invalid_value;
    }
    if (attribute != FunctionAttribute::max_dynamic_shared) return;
    if (value < 0 ||
        program.shared_bytes + static_cast<std::size_t>(value) > runtime.most_shared()) {
      throw Failure{Status::invalid_value,
                    fmt::format("{} bytes of dynamic shared memory beside {} static ones; a CTA "
                                "has at most {}",
                                integer_text(value), integer_text(program.shared_bytes),
                                integer_text(runtime.most_shared()))};
    }
    kernel.max_dynamic_shared = value;
  });
}

AGPUSIM_CUDART Status cudaFuncGetName(const char** name, const void* function) {
  return call([&](Runtime&) {
    const Kernel* const kernel = Registry::get().kernel(function);
    if (kernel == nullptr) throw Status::invalid_device_function;
    required(name) = kernel->name.c_str();
  });
}

AGPUSIM_CUDART Status cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int* blocks, const void* function, int threads, std::size_t dynamic_shared,
    std::uint32_t /*flags*/) {
  return call_of_kernel(
      function, [&](Runtime& runtime, Kernel& kernel, const ptx::Program& program) {
        if (blocks == nullptr || threads < 1) throw Status::invalid_value;
        const bool fits = dynamic_shared <= most_dynamic_shared(runtime, kernel, program);
        *blocks = fits ? runtime.resident(kernel, threads, dynamic_shared) : 0;
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
