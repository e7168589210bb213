// The driver's interface: kernels, what is known of them, and launches.
#include <algorithm>
#include <array>

#include "agpusim/cudart/driver.hpp"
#include "agpusim/cudart/launch.hpp"

namespace agpusim::cudart {

AGPUSIM_CUDART Status cudaFuncGetAttributes(FunctionAttributes* attributes, const void* function);
AGPUSIM_CUDART Status cudaFuncSetAttribute(const void* function, FunctionAttribute attribute,
                                           int value);
AGPUSIM_CUDART Status cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int* blocks, const void* kernel, int threads, std::size_t shared, std::uint32_t flags);

namespace {

/// Tells what is known of a kernel.
template <class Use>
Status of_kernel(const void* handle, const Use& use) {
  return driver_call(Needs::initialized, [&](Runtime&) {
    Kernel* const kernel = Registry::get().kernel(handle);
    if (kernel == nullptr) throw Status::invalid_resource_handle;
    use(*kernel);
  });
}

}  // namespace

// A CUfunction is the CUkernel.

AGPUSIM_CUDART Status cuKernelGetFunction(Kernel** function, Kernel* kernel) {
  return of_kernel(kernel, [&](Kernel& known) { required(function) = &known; });
}

AGPUSIM_CUDART Status cuFuncIsLoaded(std::int32_t* state, const void* function) {
  return of_kernel(function, [&](Kernel&) { required(state) = 1; });
}

AGPUSIM_CUDART Status cuFuncGetParamInfo(const void* function, std::size_t index,
                                         std::size_t* offset, std::size_t* bytes) {
  return of_kernel(function, [&](Kernel& kernel) {
    const auto& parameters = kernel.program()->parameters;
    if (index >= parameters.size()) throw Status::invalid_value;
    required(offset) = parameters[index].offset;
    if (bytes != nullptr) *bytes = parameters[index].bytes;
  });
}

AGPUSIM_CUDART Status cuFuncGetAttribute(int* value, std::uint32_t attribute,
                                         const void* function) {
  FunctionAttributes known;
  const Status status = as_driver(Needs::context, cudaFuncGetAttributes, &known, function);
  if (status != Status::success) return status;
  return driver_call(Needs::context, [&](Runtime&) {
    const auto& cluster = known.cluster;
    // The order is that of CUfunction_attribute.
    // clang-format off
    const std::array values = {
        known.max_threads, static_cast<int>(known.shared_bytes), static_cast<int>(known.constant_bytes),
        static_cast<int>(known.local_bytes), known.registers, known.ptx_version, known.binary_version,
        known.cache_mode_ca, known.max_dynamic_shared, known.carveout, cluster[0], cluster[1], cluster[2],
        cluster[3], cluster[5], cluster[4]};
    // clang-format on
    if (attribute >= values.size()) throw Status::invalid_value;
    required(value) = values.at(attribute);
  });
}

AGPUSIM_CUDART Status cuKernelGetAttribute(int* value, std::uint32_t attribute, Kernel* kernel,
                                           int /*device*/) {
  return cuFuncGetAttribute(value, attribute, kernel);
}

AGPUSIM_CUDART Status cuKernelSetAttribute(FunctionAttribute attribute, int value, Kernel* kernel,
                                           int /*device*/) {
  return as_driver(Needs::initialized, cudaFuncSetAttribute, kernel, attribute, value);
}

// clang-format off
AGPUSIM_SAME_4(initialized, cuKernelGetParamInfo, cuFuncGetParamInfo, const void*, std::size_t, std::size_t*, std::size_t*)
// clang-format on

AGPUSIM_CUDART Status cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int* blocks, const void* kernel, int threads, std::size_t shared, std::uint32_t flags) {
  return as_driver(Needs::context, cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags, blocks,
                   kernel, threads, shared, flags);
}

/// `shared_of`: bytes for so many threads; null: `shared` for any number.
AGPUSIM_CUDART Status cuOccupancyMaxPotentialBlockSizeWithFlags(int* grid, int* block,
                                                                const void* kernel,
                                                                std::size_t (*shared_of)(int),
                                                                std::size_t shared, int limit,
                                                                std::uint32_t flags) {
  constexpr std::uint32_t max_threads = 0;  // CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK
  constexpr int warp = 32;
  int most = 0;
  Status status = cuFuncGetAttribute(&most, max_threads, kernel);
  if (status == Status::success && (grid == nullptr || block == nullptr)) {
    status = driver_call(Needs::context, [](Runtime&) { throw Status::invalid_value; });
  }
  if (limit > 0) most = std::min(most, limit);
  int best = 0;  // threads of a multiprocessor
  for (int threads = most; status == Status::success && threads > 0;
       threads = (threads - 1) / warp * warp) {
    int ctas = 0;
    status = cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
        &ctas, kernel, threads, shared_of != nullptr ? shared_of(threads) : shared, flags);
    if (ctas * threads <= best) continue;
    best = ctas * threads;
    *block = threads;
    *grid = ctas * static_cast<int>(Runtime::get()->card.value("multiprocessors"));
  }
  return status;
}

AGPUSIM_CUDART Status cuOccupancyMaxPotentialBlockSize(int* grid, int* block, const void* kernel,
                                                       std::size_t (*shared_of)(int),
                                                       std::size_t shared, int limit) {
  return cuOccupancyMaxPotentialBlockSizeWithFlags(grid, block, kernel, shared_of, shared, limit,
                                                   0);
}

namespace {

/// `extra`: pairs of a name and a value that tell a buffer. Throws Status.
Arguments arguments_of(void** each, void** extra) {
  Arguments arguments{each};
  if (extra == nullptr) return arguments;
  if (each != nullptr) throw Status::invalid_value;
  constexpr std::uintptr_t end = 0;  // CU_LAUNCH_PARAM_...
  constexpr std::uintptr_t buffer = 1;
  constexpr std::uintptr_t size = 2;
  for (; reinterpret_cast<std::uintptr_t>(extra[0]) != end; extra += 2) {
    const auto name = reinterpret_cast<std::uintptr_t>(extra[0]);
    if (name != buffer && name != size) throw Status::invalid_value;
    if (name == buffer) arguments.buffer = &required(static_cast<std::byte*>(extra[1]));
    if (name == size) arguments.buffer_bytes = required(static_cast<std::size_t*>(extra[1]));
  }
  return arguments;
}

Status launch_in_driver(const void* kernel, const LaunchConfig& how, void** each, void** extra,
                        bool cooperative = false) {
  const DriverScope scope(Needs::context);
  Arguments arguments;
  const Status status =
      driver_call(Needs::context, [&](Runtime&) { arguments = arguments_of(each, extra); });
  return status == Status::success ? launch_as(kernel, how, arguments, cooperative) : status;
}

}  // namespace

AGPUSIM_CUDART Status cuLaunchKernel(const void* kernel, std::uint32_t grid_x, std::uint32_t grid_y,
                                     std::uint32_t grid_z, std::uint32_t block_x,
                                     std::uint32_t block_y, std::uint32_t block_z,
                                     std::uint32_t dynamic_shared, Stream* stream,
                                     void** parameters, void** extra) {
  return launch_in_driver(
      kernel, {{grid_x, grid_y, grid_z}, {block_x, block_y, block_z}, dynamic_shared, stream},
      parameters, extra);
}

AGPUSIM_CUDART Status cuLaunchCooperativeKernel(const void* kernel, std::uint32_t grid_x,
                                                std::uint32_t grid_y, std::uint32_t grid_z,
                                                std::uint32_t block_x, std::uint32_t block_y,
                                                std::uint32_t block_z, std::uint32_t dynamic_shared,
                                                Stream* stream, void** parameters) {
  return launch_in_driver(
      kernel, {{grid_x, grid_y, grid_z}, {block_x, block_y, block_z}, dynamic_shared, stream},
      parameters, nullptr, true);
}

AGPUSIM_CUDART Status cuLaunchKernelEx(const LaunchConfig* config, const void* kernel,
                                       void** parameters, void** extra) {
  LaunchConfig how;
  const Status status = driver_call(Needs::context, [&](Runtime&) { how = required(config); });
  how.dynamic_shared = static_cast<std::uint32_t>(how.dynamic_shared);  // CUlaunchConfig pads it
  return status == Status::success ? launch_in_driver(kernel, how, parameters, extra) : status;
}

}  // namespace agpusim::cudart
