#include "agpusim/cudart/stream.hpp"

#include <algorithm>
#include <utility>

namespace agpusim::cudart {
namespace {

Stream legacy_stream;
thread_local Stream thread_stream;
constexpr int greatest_priority = -5;  // and 0 is the least

Status create(Stream** stream, std::uint32_t flags, int priority) {
  return call([&](Runtime&) {
    const std::int32_t clamped = std::clamp(priority, greatest_priority, 0);
    *stream = handle_of(Stream{flags, clamped, nullptr, false});
    return Status::success;
  });
}

template <class T>
Status tell(T* where, Stream* handle, T (*of)(Stream&)) {
  return call([&](Runtime&) {
    *where = of(stream_of(handle));
    return Status::success;
  });
}

/// Calls a function of the host. It may wait for a thread that calls CUDA.
template <class F>
Status call_host(Runtime& runtime, const F& function) {
  runtime.mutex.unlock();
  function();
  runtime.mutex.lock();
  return Status::success;
}

using HostFunction = void (*)(void*);
using Callback = void (*)(Stream*, Status, void*);

}  // namespace

Stream& stream_of(Stream* handle) {
  const auto number = reinterpret_cast<std::uintptr_t>(handle);
  if (number < per_thread_stream) return legacy_stream;
  return number == per_thread_stream ? thread_stream : *object_of(handle);
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

AGPUSIM_CUDART Status cudaStreamDestroy(Stream* stream) { return destroy(stream); }

AGPUSIM_CUDART Status cudaStreamSynchronize(Stream* stream) {
  return call([&](Runtime& runtime) {
    if (stream_of(stream).is_captured()) return Status::stream_capture_unsupported;
    runtime.wait();
    return Status::success;
  });
}

AGPUSIM_CUDART Status cudaStreamQuery(Stream* stream) { return cudaStreamSynchronize(stream); }

AGPUSIM_CUDART Status cudaStreamWaitEvent(Stream* handle, Event* event_handle,
                                          std::uint32_t /*flags*/) {
  return call([&](Runtime&) {
    const auto event = object_of(event_handle);
    Stream& stream = stream_of(handle);
    // Else the event has happened: streams do at once what they are asked to.
    if (event->capture != nullptr && event->capture->is_captured && !stream.is_captured()) {
      if (&stream == &legacy_stream) return Status::stream_capture_implicit;
      stream.capture = event->capture;
    }
    return Status::success;
  });
}

AGPUSIM_CUDART Status cudaLaunchHostFunc(Stream* stream, HostFunction function, void* data) {
  return call([&](Runtime& runtime) {
    return submit(stream, [=, &runtime] { return call_host(runtime, [=] { function(data); }); });
  });
}

AGPUSIM_CUDART Status cudaStreamAddCallback(Stream* stream, Callback callback, void* data,
                                            std::uint32_t /*flags*/) {
  return call([&](Runtime& runtime) {
    if (stream_of(stream).is_captured()) return Status::stream_capture_unsupported;
    return call_host(runtime, [=] { callback(stream, Status::success, data); });
  });
}

AGPUSIM_CUDART Status cudaStreamGetFlags(Stream* stream, std::uint32_t* flags) {
  return tell<std::uint32_t>(flags, stream, [](Stream& of) { return of.flags; });
}

AGPUSIM_CUDART Status cudaStreamGetPriority(Stream* stream, int* priority) {
  return tell<int>(priority, stream, [](Stream& of) { return of.priority; });
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
  if (greatest != nullptr) *greatest = greatest_priority;
  return Status::success;
}

// Capture: what a stream is asked to do is kept in a graph, and done when the graph is launched.

AGPUSIM_CUDART Status cudaStreamBeginCapture(Stream* handle, int /*mode*/) {
  return call([&](Runtime&) {
    Stream& stream = stream_of(handle);
    if (&stream == &legacy_stream || stream.is_captured()) {
      return Status::stream_capture_unsupported;
    }
    stream.capture = std::make_shared<Graph>();
    stream.capture->is_captured = true;
    stream.began_capture = true;
    return Status::success;
  });
}

AGPUSIM_CUDART Status cudaStreamIsCapturing(Stream* stream, CaptureStatus* status) {
  return tell<CaptureStatus>(status, stream, [](Stream& of) {
    return of.is_captured() ? CaptureStatus::active : CaptureStatus::none;
  });
}

}  // namespace agpusim::cudart
