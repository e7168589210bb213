#include "agpusim/cudart/stream.hpp"

#include <utility>

namespace agpusim::cudart {
namespace {

Stream special_stream;

Status create(Stream** stream, std::uint32_t flags, int priority) {
  return call([&](Runtime&) {
    *stream = new Stream{flags, priority, nullptr, false};
    return Status::success;
  });
}

using HostFunction = void (*)(void*);
using Callback = void (*)(Stream*, Status, void*);

}  // namespace

Stream& stream_of(Stream* handle) {
  return reinterpret_cast<std::uintptr_t>(handle) <= last_special_stream ? special_stream : *handle;
}

Status submit(Stream* handle, Work work) {
  const Stream& stream = stream_of(handle);
  if (!stream.is_captured()) return work();
  stream.capture->works.push_back(std::move(work));
  return Status::success;
}

AGPUSIM_CUDART Status cudaStreamCreate(Stream** stream) { return create(stream, 0, 0); }

AGPUSIM_CUDART Status cudaStreamCreateWithFlags(Stream** stream, std::uint32_t flags) {
  return create(stream, flags, 0);
}

AGPUSIM_CUDART Status cudaStreamCreateWithPriority(Stream** stream, std::uint32_t flags,
                                                   int priority) {
  return create(stream, flags, priority);
}

AGPUSIM_CUDART Status cudaStreamDestroy(Stream* stream) {
  return call([&](Runtime&) {
    if (&stream_of(stream) == &special_stream) return Status::invalid_resource_handle;
    delete stream;
    return Status::success;
  });
}

AGPUSIM_CUDART Status cudaStreamSynchronize(Stream* stream) {
  return call([&](Runtime& runtime) {
    if (stream_of(stream).is_captured()) return Status::stream_capture_unsupported;
    runtime.wait();
    return Status::success;
  });
}

AGPUSIM_CUDART Status cudaStreamQuery(Stream* stream) { return cudaStreamSynchronize(stream); }

AGPUSIM_CUDART Status cudaStreamWaitEvent(Stream* handle, Event* event, std::uint32_t /*flags*/) {
  return call([&](Runtime&) {
    if (event == nullptr) return Status::invalid_resource_handle;
    Stream& stream = stream_of(handle);
    // Else the event has happened: streams do at once what they are asked to.
    if (event->capture != nullptr && event->capture->is_captured && !stream.is_captured()) {
      if (&stream == &special_stream) return Status::stream_capture_implicit;
      stream.capture = event->capture;
    }
    return Status::success;
  });
}

AGPUSIM_CUDART Status cudaLaunchHostFunc(Stream* stream, HostFunction function, void* data) {
  return call([&](Runtime&) {
    return submit(stream, [=] {
      function(data);
      return Status::success;
    });
  });
}

AGPUSIM_CUDART Status cudaStreamAddCallback(Stream* stream, Callback callback, void* data,
                                            std::uint32_t /*flags*/) {
  return call([&](Runtime&) {
    callback(stream, Status::success, data);
    return Status::success;
  });
}

AGPUSIM_CUDART Status cudaStreamGetFlags(Stream* stream, std::uint32_t* flags) {
  *flags = stream_of(stream).flags;
  return Status::success;
}

AGPUSIM_CUDART Status cudaStreamGetPriority(Stream* stream, int* priority) {
  *priority = stream_of(stream).priority;
  return Status::success;
}

AGPUSIM_CUDART Status cudaStreamGetId(Stream* stream, unsigned long long* number) {
  *number = reinterpret_cast<std::uintptr_t>(stream);
  return Status::success;
}

AGPUSIM_CUDART Status cudaStreamGetDevice(Stream* /*stream*/, int* device) {
  *device = 0;
  return Status::success;
}

AGPUSIM_CUDART Status cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
  if (least != nullptr) *least = 0;
  if (greatest != nullptr) *greatest = -5;
  return Status::success;
}

// Capture: what a stream is asked to do is kept in a graph, and done when the graph is launched.

AGPUSIM_CUDART Status cudaStreamBeginCapture(Stream* handle, int /*mode*/) {
  return call([&](Runtime&) {
    Stream& stream = stream_of(handle);
    if (&stream == &special_stream || stream.is_captured()) {
      return Status::stream_capture_unsupported;
    }
    stream.capture = std::make_shared<Graph>();
    stream.capture->is_captured = true;
    stream.began_capture = true;
    return Status::success;
  });
}

AGPUSIM_CUDART Status cudaStreamIsCapturing(Stream* stream, CaptureStatus* status) {
  *status = stream_of(stream).is_captured() ? CaptureStatus::active : CaptureStatus::none;
  return Status::success;
}

}  // namespace agpusim::cudart
