#include "agpusim/model/error.hpp"

#include <algorithm>
#include <array>
#include <dlfcn.h>
#include <execinfo.h>
#include <new>
#include <string_view>
#include <utility>

#include "agpusim/cudart/api.hpp"

namespace agpusim::cudart {
namespace {

struct StatusRow {
  Status status;
  const char* name;
  const char* driver_name;  ///< name of CUresult; the first row with it has its number
  const char* text;
};

constexpr auto rows = std::to_array<StatusRow>({
    {Status::success, "cudaSuccess", "CUDA_SUCCESS", "no error"},
    {Status::invalid_value, "cudaErrorInvalidValue", "CUDA_ERROR_INVALID_VALUE",
     "invalid argument"},
    {Status::memory_allocation, "cudaErrorMemoryAllocation", "CUDA_ERROR_OUT_OF_MEMORY",
     "out of memory"},
    {Status::initialization, "cudaErrorInitializationError", "CUDA_ERROR_NOT_INITIALIZED",
     "initialization error"},
    {Status::invalid_device, "cudaErrorInvalidDevice", "CUDA_ERROR_INVALID_DEVICE",
     "invalid device ordinal"},
    {Status::invalid_image, "cudaErrorInvalidKernelImage", "CUDA_ERROR_INVALID_IMAGE",
     "device kernel image is invalid"},
    {Status::invalid_context, "cudaErrorDeviceUninitialized", "CUDA_ERROR_INVALID_CONTEXT",
     "invalid device context"},
    {Status::no_binary, "cudaErrorNoKernelImageForDevice", "CUDA_ERROR_NO_BINARY_FOR_GPU",
     "no kernel image is available for execution on the device"},
    {Status::invalid_ptx, "cudaErrorInvalidPtx", "CUDA_ERROR_INVALID_PTX",
     "a PTX JIT compilation failed"},
    {Status::file_not_found, "cudaErrorFileNotFound", "CUDA_ERROR_FILE_NOT_FOUND",
     "file not found"},
    {Status::invalid_resource_handle, "cudaErrorInvalidResourceHandle", "CUDA_ERROR_INVALID_HANDLE",
     "invalid resource handle"},
    {Status::not_found, "cudaErrorSymbolNotFound", "CUDA_ERROR_NOT_FOUND",
     "named symbol not found"},
    {Status::not_ready, "cudaErrorNotReady", "CUDA_ERROR_NOT_READY", "device not ready"},
    {Status::illegal_address, "cudaErrorIllegalAddress", "CUDA_ERROR_ILLEGAL_ADDRESS",
     "an illegal memory access was encountered"},
    {Status::launch_out_of_resources, "cudaErrorLaunchOutOfResources",
     "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES", "too many resources requested for launch"},
    {Status::launch_timeout, "cudaErrorLaunchTimeout", "CUDA_ERROR_LAUNCH_TIMEOUT",
     "the launch timed out and was terminated"},
    {Status::peer_access_not_enabled, "cudaErrorPeerAccessNotEnabled",
     "CUDA_ERROR_PEER_ACCESS_NOT_ENABLED", "peer access has not been enabled"},
    {Status::context_is_destroyed, "cudaErrorContextIsDestroyed", "CUDA_ERROR_CONTEXT_IS_DESTROYED",
     "context is destroyed"},
    {Status::assert_failed, "cudaErrorAssert", "CUDA_ERROR_ASSERT", "device-side assert triggered"},
    {Status::host_memory_already_registered, "cudaErrorHostMemoryAlreadyRegistered",
     "CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED",
     "part or all of the requested memory range is already mapped"},
    {Status::host_memory_not_registered, "cudaErrorHostMemoryNotRegistered",
     "CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED",
     "pointer does not correspond to a registered memory region"},
    {Status::misaligned_address, "cudaErrorMisalignedAddress", "CUDA_ERROR_MISALIGNED_ADDRESS",
     "misaligned address"},
    {Status::launch_failure, "cudaErrorLaunchFailure", "CUDA_ERROR_LAUNCH_FAILED",
     "unspecified launch failure"},
    {Status::cooperative_launch_too_large, "cudaErrorCooperativeLaunchTooLarge",
     "CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE", "too many blocks in cooperative launch"},
    {Status::not_permitted, "cudaErrorNotPermitted", "CUDA_ERROR_NOT_PERMITTED",
     "operation not permitted"},
    {Status::not_supported, "cudaErrorNotSupported", "CUDA_ERROR_NOT_SUPPORTED",
     "operation not supported"},
    {Status::stream_capture_unsupported, "cudaErrorStreamCaptureUnsupported",
     "CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED", "operation not permitted when stream is capturing"},
    {Status::stream_capture_unmatched, "cudaErrorStreamCaptureUnmatched",
     "CUDA_ERROR_STREAM_CAPTURE_UNMATCHED", "the capture was not initiated in this stream"},
    {Status::stream_capture_implicit, "cudaErrorStreamCaptureImplicit",
     "CUDA_ERROR_STREAM_CAPTURE_IMPLICIT",
     "operation would make the legacy stream depend on a capturing blocking stream"},
    {Status::unknown, "cudaErrorUnknown", "CUDA_ERROR_UNKNOWN", "unknown error"},
    // CUresult has none of these.
    {Status::invalid_configuration, "cudaErrorInvalidConfiguration", "CUDA_ERROR_INVALID_VALUE",
     "invalid configuration argument"},
    {Status::invalid_pitch, "cudaErrorInvalidPitchValue", "CUDA_ERROR_INVALID_VALUE",
     "invalid pitch argument"},
    {Status::invalid_symbol, "cudaErrorInvalidSymbol", "CUDA_ERROR_NOT_FOUND",
     "invalid device symbol"},
    {Status::invalid_memcpy_direction, "cudaErrorInvalidMemcpyDirection",
     "CUDA_ERROR_INVALID_VALUE", "invalid copy direction for memcpy"},
    {Status::missing_configuration, "cudaErrorMissingConfiguration", "CUDA_ERROR_INVALID_VALUE",
     "__global__ function call is not configured"},
    {Status::invalid_device_function, "cudaErrorInvalidDeviceFunction", "CUDA_ERROR_INVALID_HANDLE",
     "invalid device function"},
});

const StatusRow& row_of(Status status) {
  static constexpr StatusRow none = {Status::unknown, "unrecognized error code", "",
                                     "unrecognized error code"};
  const auto* const row = std::find_if(
      rows.begin(), rows.end(), [&](const StatusRow& each) { return each.status == status; });
  return row == rows.end() ? none : *row;
}

thread_local Status last_error = Status::success;

/// Functions with which programs ask: that they fail is an answer.
constexpr auto questions = std::to_array<std::string_view>(
    {"cudaPointerGetAttributes", "cudaHostGetFlags", "cuPointerGetAttribute", "cuMemHostGetFlags",
     "cuMemGetAddressRange", "cuCtxGetDevice", "cuModuleGetGlobal", "cuLibraryGetGlobal",
     "cuGetProcAddress"});

const char* StatusRow::*name_of_interface() {
  return driver_needs ? &StatusRow::driver_name : &StatusRow::name;
}

/// What the driver returns where the runtime returns this.
Status driver_status(Status status) {
  const std::string_view name = row_of(status).driver_name;
  const auto* const row = std::find_if(
      rows.begin(), rows.end(), [&](const StatusRow& each) { return each.driver_name == name; });
  return row == rows.end() ? status : row->status;
}

/// The program has read an error, or asks for its text.
const StatusRow& looked_at(Status error) {
  Runtime* const runtime = error == Status::success ? nullptr : Runtime::get();
  if (runtime != nullptr) runtime->reporter.looked_at(row_of(error).*name_of_interface());
  return row_of(error);
}

Status give_text(Status error, const char** text, const char* StatusRow::*member) {
  const DriverScope scope(Needs::nothing);
  if (text == nullptr) return remember(Status::invalid_value);
  const bool is_known = row_of(error).status == error && driver_status(error) == error;
  *text = is_known ? looked_at(error).*member : nullptr;
  return is_known ? Status::success : remember(Status::invalid_value);
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
  // The names that nvcc gives a launch, versions, and the functions for streams of threads.
  name.erase(0, name.find_first_not_of('_'));
  return name.substr(0, std::min(name.find("_v"), name.find("_pt")));
}

}  // namespace

Status remember(Status status, Failure failure) {
  if (status == Status::success || status == Status::not_ready) return status;
  if (driver_needs) {
    status = driver_status(status);
  } else {
    last_error = status;
  }
  Runtime* const runtime = Runtime::get();
  // What fails since a kernel has failed is told with that kernel.
  if (runtime == nullptr || status == runtime->fault) return status;
  const std::string function = library_function == nullptr ? called_function() : library_function;
  if (std::find(questions.begin(), questions.end(), function) != questions.end()) return status;
  if (failure.reason.empty()) failure.reason = row_of(status).text;
  runtime->reporter.failed({.function = function,
                            .kernel = failure.kernel,
                            .error = row_of(status).*name_of_interface(),
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

AGPUSIM_CUDART Status cuGetErrorName(Status error, const char** name) {
  return give_text(error, name, &StatusRow::driver_name);
}

AGPUSIM_CUDART Status cuGetErrorString(Status error, const char** text) {
  return give_text(error, text, &StatusRow::text);
}

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
