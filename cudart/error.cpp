#include <algorithm>
#include <array>

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

const StatusRow* row_of(Status status) {
  const auto* const row = std::find_if(
      rows.begin(), rows.end(), [&](const StatusRow& each) { return each.status == status; });
  return row == rows.end() ? nullptr : row;
}

}  // namespace

AGPUSIM_CUDART const char* cudaGetErrorName(Status status) {
  const StatusRow* const row = row_of(status);
  return row == nullptr ? "unrecognized error code" : row->name;
}

AGPUSIM_CUDART const char* cudaGetErrorString(Status status) {
  const StatusRow* const row = row_of(status);
  return row == nullptr ? "unrecognized error code" : row->text;
}

}  // namespace agpusim::cudart
