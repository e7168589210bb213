// The driver's interface: the device, and contexts, which programs make and make current.
#include <array>
#include <string_view>

#include "agpusim/cudart/driver.hpp"

namespace agpusim::cudart {

AGPUSIM_CUDART Status cudaGetDeviceProperties(DeviceProperties* properties, int device);
AGPUSIM_CUDART Status cudaDeviceReset();

namespace {

// No destructor: thread_local objects of the program may call when they are destroyed.
constexpr std::size_t most_contexts = 64;
thread_local std::array<Context*, most_contexts> contexts;
thread_local std::size_t depth = 0;

int retained = 0;  // how often the primary context is

/// The context that the runtime uses.
Context* primary_context() {
  static Context* const primary = handle_of(Context{});
  return primary;
}

void push(Context* context) {
  if (depth == most_contexts) throw Status::invalid_context;
  contexts.at(depth++) = context;
}

/// The context of a handle; the current one for null. Throws Status.
Context* context_of(Context* handle) {
  if (handle == nullptr) handle = current_context();
  return object_of(handle, Status::invalid_context).get();
}

/// driver_call() for a function of the device.
template <class Body>
Status call_of_device(int device, const Body& body) {
  return driver_call(Needs::initialized, [&](Runtime&) {
    if (device != 0) throw Status::invalid_device;
    body();
  });
}

/// Gives `use` what the runtime tells of the device.
template <class Use>
Status tell_of_device(int device, const Use& use) {
  const DriverScope scope(Needs::initialized);
  DeviceProperties properties;
  const Status status = cudaGetDeviceProperties(&properties, device);
  return status == Status::success ? call_of_device(device, [&] { use(properties); }) : status;
}

}  // namespace

Context* current_context() { return depth == 0 ? nullptr : contexts.at(depth - 1); }

Status admit(Runtime& runtime) {
  if (!driver_needs) {
    runtime.is_initialized = true;
    if (depth == 0) push(primary_context());
    return Status::success;
  }
  if (*driver_needs == Needs::nothing) return Status::success;
  if (!runtime.is_initialized) return Status::initialization;
  if (*driver_needs == Needs::initialized) return Status::success;
  if (depth == 0) return Status::invalid_context;
  const bool is_there = objects<Context>().contains(current_context());
  return is_there ? Status::success : Status::context_is_destroyed;
}

AGPUSIM_CUDART Status cuInit(std::uint32_t flags) {
  return driver_call(Needs::nothing, [&](Runtime& runtime) {
    if (flags != 0) throw Status::invalid_value;
    runtime.is_initialized = true;
  });
}

AGPUSIM_CUDART Status cuDeviceGet(int* device, int ordinal) {
  return call_of_device(ordinal, [&] { required(device) = 0; });
}

AGPUSIM_CUDART Status cuDeviceGetName(char* name, int length, int device) {
  return tell_of_device(device, [&](const DeviceProperties& p) {
    if (length < 1) throw Status::invalid_value;
    const std::string_view text = p.name;
    (&required(name))[text.copy(name, static_cast<std::size_t>(length) - 1)] = '\0';
  });
}

AGPUSIM_CUDART Status cuDeviceGetUuid(std::array<unsigned char, 16>* uuid, int device) {
  return tell_of_device(device, [&](const DeviceProperties& p) { required(uuid) = p.uuid; });
}

AGPUSIM_CUDART Status cuDeviceTotalMem_v2(std::size_t* bytes, int device) {
  return tell_of_device(device,
                        [&](const DeviceProperties& p) { required(bytes) = p.global_bytes; });
}

AGPUSIM_CUDART Status cuDeviceComputeCapability(int* major, int* minor, int device) {
  return tell_of_device(device, [&](const DeviceProperties& p) {
    required(major) = p.major;
    required(minor) = p.minor;
  });
}

AGPUSIM_CUDART Status cuDevicePrimaryCtxRetain(Context** context, int device) {
  return call_of_device(device, [&] {
    required(context) = primary_context();
    ++retained;
  });
}

AGPUSIM_CUDART Status cuDevicePrimaryCtxRelease_v2(int device) {
  return call_of_device(device, [&] {
    if (retained == 0) throw Status::invalid_context;
    --retained;
  });
}

AGPUSIM_CUDART Status cuDevicePrimaryCtxSetFlags_v2(int device, std::uint32_t flags) {
  return call_of_device(device, [&] { primary_context()->flags = flags; });
}

AGPUSIM_CUDART Status cuDevicePrimaryCtxGetState(int device, std::uint32_t* flags, int* active) {
  return call_of_device(device, [&] {
    required(flags) = primary_context()->flags;
    required(active) = retained > 0 || current_context() == primary_context() ? 1 : 0;
  });
}

AGPUSIM_CUDART Status cuDevicePrimaryCtxReset_v2(int device) {
  const Status status = call_of_device(device, [] {});
  return status == Status::success ? as_driver(Needs::initialized, cudaDeviceReset) : status;
}

AGPUSIM_CUDART Status cuCtxCreate_v2(Context** context, std::uint32_t flags, int device) {
  return call_of_device(device, [&] {
    give(context, Context{flags});
    push(*context);
  });
}

AGPUSIM_CUDART Status cuCtxCreate_v3(Context** context, const void* /*affinities*/, int /*count*/,
                                     std::uint32_t flags, int device) {
  return cuCtxCreate_v2(context, flags, device);
}

AGPUSIM_CUDART Status cuCtxCreate_v4(Context** context, const void* /*parameters*/,
                                     std::uint32_t flags, int device) {
  return cuCtxCreate_v2(context, flags, device);
}

AGPUSIM_CUDART Status cuCtxDestroy_v2(Context* context) {
  return driver_call(Needs::initialized, [&](Runtime&) {
    if (context_of(&required(context)) == primary_context()) throw Status::invalid_context;
    if (context == current_context()) --depth;
    objects<Context>().erase(context);
  });
}

AGPUSIM_CUDART Status cuCtxPushCurrent_v2(Context* context) {
  return driver_call(Needs::initialized, [&](Runtime&) {
    if (context == nullptr) throw Status::invalid_context;
    push(context_of(context));
  });
}

AGPUSIM_CUDART Status cuCtxPopCurrent_v2(Context** context) {
  return driver_call(Needs::context, [&](Runtime&) {
    if (context != nullptr) *context = current_context();
    --depth;
  });
}

AGPUSIM_CUDART Status cuCtxSetCurrent(Context* context) {
  return driver_call(Needs::initialized, [&](Runtime&) {
    if (context != nullptr) static_cast<void>(context_of(context));
    if (depth > 0) --depth;
    if (context != nullptr) push(context);
  });
}

AGPUSIM_CUDART Status cuCtxGetCurrent(Context** context) {
  return driver_call(Needs::initialized, [&](Runtime&) { required(context) = current_context(); });
}

AGPUSIM_CUDART Status cuCtxGetDevice_v2(int* device, Context* context) {
  return driver_call(Needs::initialized, [&](Runtime&) {
    static_cast<void>(context_of(context));
    required(device) = 0;
  });
}

AGPUSIM_CUDART Status cuCtxGetDevice(int* device) { return cuCtxGetDevice_v2(device, nullptr); }

AGPUSIM_CUDART Status cuCtxGetFlags(std::uint32_t* flags) {
  return driver_call(Needs::context, [&](Runtime&) { required(flags) = current_context()->flags; });
}

AGPUSIM_CUDART Status cuCtxGetId(Context* context, unsigned long long* number) {
  return driver_call(Needs::initialized, [&](Runtime&) {
    required(number) = reinterpret_cast<std::uintptr_t>(context_of(context));
  });
}

AGPUSIM_CUDART Status cuCtxGetApiVersion(Context* context, std::uint32_t* version) {
  constexpr std::uint32_t since = 3020;  // CUDA 3.2: contexts are as they were then
  return driver_call(Needs::initialized, [&](Runtime&) {
    static_cast<void>(context_of(context));
    required(version) = since;
  });
}

AGPUSIM_CUDART Status cuCtxSynchronize_v2(Context* context) {
  return driver_call(Needs::initialized, [&](Runtime& runtime) {
    static_cast<void>(context_of(context));
    synchronize(runtime);
  });
}

AGPUSIM_CUDART Status cuStreamGetCtx(Stream* stream, Context** context) {
  return driver_call(Needs::context, [&](Runtime&) {
    static_cast<void>(stream_of(stream));
    required(context) = current_context();
  });
}

AGPUSIM_ALSO(cuDeviceGetUuid_v2, cuDeviceGetUuid)
AGPUSIM_ALSO(cuDevicePrimaryCtxRelease, cuDevicePrimaryCtxRelease_v2)
AGPUSIM_ALSO(cuDevicePrimaryCtxReset, cuDevicePrimaryCtxReset_v2)
AGPUSIM_ALSO(cuDevicePrimaryCtxSetFlags, cuDevicePrimaryCtxSetFlags_v2)
AGPUSIM_ALSO(cuCtxDestroy, cuCtxDestroy_v2)
AGPUSIM_ALSO(cuCtxPushCurrent, cuCtxPushCurrent_v2)
AGPUSIM_ALSO(cuCtxPopCurrent, cuCtxPopCurrent_v2)

}  // namespace agpusim::cudart
