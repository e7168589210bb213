// The driver's interface: addresses that a program reserves, and memory that it maps there. Here
// memory comes with the addresses, so that it is mapped once and as a whole.
#include "agpusim/cudart/driver.hpp"

namespace agpusim::cudart {

AGPUSIM_CUDART Status cudaMalloc(void** pointer, std::size_t bytes);
AGPUSIM_CUDART Status cudaFree(void* pointer);

namespace {

constexpr std::size_t granularity = std::size_t{2} << 20;

/// CUmemGenericAllocationHandle
struct Physical {
  std::size_t bytes = 0;
  const void* mapped = nullptr;  ///< null: nowhere
};

/// CUmemAllocationProp: its begin.
struct MemoryKind {
  std::int32_t kind;
  std::int32_t shared_as;
  std::int32_t place;  ///< CUmemLocationType
  std::int32_t device;
};

/// Throws Status where these addresses were not reserved.
void require_reserved(Runtime& runtime, const void* begin, std::size_t bytes) {
  const ptx::Allocation* const held = runtime.allocation(begin);
  const std::size_t left =
      held == nullptr ? 0 : held->end() - reinterpret_cast<ptx::Address>(begin);
  if (bytes == 0 || bytes > left) throw Status::invalid_value;
}

}  // namespace

AGPUSIM_CUDART Status cuMemGetAllocationGranularity(std::size_t* bytes, const MemoryKind* /*kind*/,
                                                    std::int32_t /*option*/) {
  return driver_call(Needs::initialized, [&](Runtime&) { required(bytes) = granularity; });
}

AGPUSIM_CUDART Status cuMemCreate(Physical** handle, std::size_t bytes, const MemoryKind* kind,
                                  unsigned long long /*flags*/) {
  return driver_call(Needs::context, [&](Runtime&) {
    constexpr std::int32_t on_device = 1;  // CU_MEM_LOCATION_TYPE_DEVICE
    if (bytes == 0 || bytes % granularity != 0) throw Status::invalid_value;
    if (required(kind).place != on_device) {
      throw Failure{Status::not_supported, "memory of the host is not mapped", "", true};
    }
    give(handle, Physical{bytes});
  });
}

AGPUSIM_CUDART Status cuMemRelease(Physical* handle) {
  const DriverScope scope(Needs::context);
  return destroy(handle);
}

AGPUSIM_CUDART Status cuMemAddressReserve(void** begin, std::size_t bytes,
                                          std::size_t /*alignment*/, void* /*wanted*/,
                                          unsigned long long /*flags*/) {
  if (bytes == 0) return driver_call(Needs::context, [](Runtime&) { throw Status::invalid_value; });
  return as_driver(Needs::context, cudaMalloc, begin, bytes);
}

AGPUSIM_CUDART Status cuMemAddressFree(void* begin, std::size_t /*bytes*/) {
  return as_driver(Needs::context, cudaFree, begin);
}

AGPUSIM_CUDART Status cuMemMap(void* begin, std::size_t bytes, std::size_t offset, Physical* handle,
                               unsigned long long /*flags*/) {
  return driver_call(Needs::context, [&](Runtime& runtime) {
    const auto memory = object_of(handle);
    require_reserved(runtime, begin, bytes);
    if (offset != 0 || bytes != memory->bytes || memory->mapped != nullptr) {
      throw Failure{Status::not_supported, "memory is mapped once, and as a whole", "", true};
    }
    memory->mapped = begin;
  });
}

AGPUSIM_CUDART Status cuMemUnmap(void* begin, std::size_t bytes) {
  return driver_call(Needs::context,
                     [&](Runtime& runtime) { require_reserved(runtime, begin, bytes); });
}

AGPUSIM_CUDART Status cuMemSetAccess(void* begin, std::size_t bytes, const void* /*rights*/,
                                     std::size_t /*count*/) {
  return driver_call(Needs::context,
                     [&](Runtime& runtime) { require_reserved(runtime, begin, bytes); });
}

}  // namespace agpusim::cudart
