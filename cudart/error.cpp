#include "agpusim/model/error.hpp"

#include <algorithm>
#include <array>
#include <dlfcn.h>
#include <execinfo.h>
#include <new>
#include <utility>

#include "agpusim/cudart/api.hpp"

namespace agpusim::cudart {
namespace {

struct StatusRow {
  Status status;
  const char* name;
  const char* text;
};

constexpr auto rows = std::to_array<StatusRow>({
    {Status::success, "cudaSuccess", "no error"},
    {Status::invalid_value, "cudaErrorInvalidValue", "invalid argument"},
    {Status::memory_allocation, "cudaErrorMemoryAllocation", "out of memory"},
    {Status::initialization, "cudaErrorInitializationError", "initialization error"},
    {Status::invalid_configuration, "cudaErrorInvalidConfiguration",
     "invalid configuration argument"},
    {Status::invalid_pitch, "cudaErrorInvalidPitchValue", "invalid pitch argument"},
    {Status::invalid_symbol, "cudaErrorInvalidSymbol", "invalid device symbol"},
    {Status::invalid_memcpy_direction, "cudaErrorInvalidMemcpyDirection",
     "invalid copy direction for memcpy"},
    {Status::missing_configuration, "cudaErrorMissingConfiguration",
     "__global__ function call is not configured"},
    {Status::invalid_device_function, "cudaErrorInvalidDeviceFunction", "invalid device function"},
    {Status::invalid_device, "cudaErrorInvalidDevice", "invalid device ordinal"},
    {Status::invalid_ptx, "cudaErrorInvalidPtx", "a PTX JIT compilation failed"},
    {Status::invalid_resource_handle, "cudaErrorInvalidResourceHandle", "invalid resource handle"},
    {Status::not_ready, "cudaErrorNotReady", "device not ready"},
    {Status::illegal_address, "cudaErrorIllegalAddress",
     "an illegal memory access was encountered"},
    {Status::launch_out_of_resources, "cudaErrorLaunchOutOfResources",
     "too many resources requested for launch"},
    {Status::launch_timeout, "cudaErrorLaunchTimeout", "the launch timed out and was terminated"},
    {Status::peer_access_not_enabled, "cudaErrorPeerAccessNotEnabled",
     "peer access has not been enabled"},
    {Status::assert_failed, "cudaErrorAssert", "device-side assert triggered"},
    {Status::host_memory_already_registered, "cudaErrorHostMemoryAlreadyRegistered",
     "part or all of the requested memory range is already mapped"},
    {Status::host_memory_not_registered, "cudaErrorHostMemoryNotRegistered",
     "pointer does not correspond to a registered memory region"},
    {Status::misaligned_address, "cudaErrorMisalignedAddress", "misaligned address"},
    {Status::launch_failure, "cudaErrorLaunchFailure", "unspecified launch failure"},
    {Status::cooperative_launch_too_large, "cudaErrorCooperativeLaunchTooLarge",
     "too many blocks in cooperative launch"},
    {Status::not_permitted, "cudaErrorNotPermitted", "operation not permitted"},
    {Status::not_supported, "cudaErrorNotSupported", "operation not supported"},
    {Status::stream_capture_unsupported, "cudaErrorStreamCaptureUnsupported",
     "operation not permitted when stream is capturing"},
    {Status::stream_capture_unmatched, "cudaErrorStreamCaptureUnmatched",
     "the capture was not initiated in this stream"},
    {Status::stream_capture_implicit, "cudaErrorStreamCaptureImplicit",
     "operation would make the legacy stream depend on a capturing blocking stream"},
    {Status::unknown, "cudaErrorUnknown", "unknown error"},
});

const StatusRow& row_of(Status status) {
  static constexpr StatusRow none = {Status::unknown, "unrecognized error code",
                                     "unrecognized error code"};
  const auto* const row = std::find_if(
      rows.begin(), rows.end(), [&](const StatusRow& each) { return each.status == status; });
  return row == rows.end() ? none : *row;
}

thread_local Status last_error = Status::success;

/// The program has read an error, or asks for its text.
const StatusRow& looked_at(Status error) {
  Runtime* const runtime = error == Status::success ? nullptr : Runtime::get();
  if (runtime != nullptr) runtime->reporter.looked_at(row_of(error).name);
  return row_of(error);
}

/// The function of the interface in which this thread is: others of this library have no symbol.
std::string called_function() {
  std::array<void*, 64> frames{};
  const int count = backtrace(frames.data(), static_cast<int>(frames.size()));
  std::string name;
  const void* library = nullptr;
  for (int i = 0; i < count; ++i) {
    Dl_info at;
    // The address is that behind a call, where another function may begin.
    if (dladdr(static_cast<std::byte*>(frames.at(static_cast<std::size_t>(i))) - 1, &at) == 0)
      break;
    if (library == nullptr) library = at.dli_fbase;
    if (at.dli_fbase != library) break;
    if (at.dli_sname != nullptr) name = at.dli_sname;
  }
  // The names that nvcc gives a launch, and the functions for streams of threads.
  name.erase(0, name.find_first_not_of('_'));
  return name.substr(0, name.find("_pt"));
}

}  // namespace

Status remember(Status status, Failure failure) {
  if (status == Status::success || status == Status::not_ready) return status;
  last_error = status;
  Runtime* const runtime = Runtime::get();
  // What fails since a kernel has failed is told with that kernel.
  if (runtime == nullptr || status == runtime->fault) return status;
  const std::string function = called_function();
  if (function == "cudaPointerGetAttributes" || function == "cudaHostGetFlags") return status;
  if (failure.reason.empty()) failure.reason = row_of(status).text;
  runtime->reporter.failed({.function = function,
                            .kernel = failure.kernel,
                            .error = row_of(status).name,
                            .reason = failure.reason,
                            .of_simulator = failure.of_simulator});
  return status;
}

Failure failure_of(const std::exception& exception) {
  std::string reason = exception.what();
  if (dynamic_cast<const std::bad_alloc*>(&exception) != nullptr) {
    if (reason == std::bad_alloc().what()) reason = "the host has no memory for it";
    return {Status::memory_allocation, reason, "", true};
  }
  const auto* const error = dynamic_cast<const Error*>(&exception);
  if (error == nullptr) return {Status::unknown, reason, "", true};
  if (error->code() == ExitCode::unavailable) return {Status::not_supported, reason, "", true};
  return {error->code() == ExitCode::bad_file ? Status::invalid_ptx : Status::invalid_value,
          reason};
}

AGPUSIM_CUDART const char* cudaGetErrorName(Status status) { return looked_at(status).name; }

AGPUSIM_CUDART const char* cudaGetErrorString(Status status) { return looked_at(status).text; }

AGPUSIM_CUDART Status cudaPeekAtLastError() {
  looked_at(last_error);
  return last_error;
}

AGPUSIM_CUDART Status cudaGetLastError() {
  const Status error = cudaPeekAtLastError();
  const Runtime* const runtime = error == Status::success ? nullptr : Runtime::get();
  const bool stays = runtime != nullptr && error == runtime->fault;
  return stays ? error : std::exchange(last_error, Status::success);
}

}  // namespace agpusim::cudart
