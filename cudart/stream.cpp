#include "agpusim/cudart/stream.hpp"

#include <algorithm>
#include <utility>

namespace agpusim::cudart {
namespace {

Stream legacy_stream;
HostQueue::Ticket last_of_blocking = 0;        // streams
thread_local Stream* thread_stream = nullptr;  // outlives thread_local objects of the program
constexpr int greatest_priority = -5;          // and 0 is the least

bool is_blocking(const Stream& stream) {
  constexpr std::uint32_t non_blocking = 1;  // cudaStreamNonBlocking
  return (stream.flags & non_blocking) == 0;
}

StreamOrder::Kind kind_of(const Stream& stream) {
  if (&stream == &legacy_stream) return StreamOrder::Kind::legacy;
  return is_blocking(stream) ? StreamOrder::Kind::blocking : StreamOrder::Kind::free;
}

/// Works of several streams may be without an order from now on.
void expect_several(Runtime& runtime) {
  if (runtime.has_check("races")) runtime.device.memory().note_uses(ptx::Memory::Noted::all);
}

Status create(Stream** stream, std::uint32_t flags, int priority) {
  return call([&](Runtime& runtime) {
    const std::int32_t clamped = std::clamp(priority, greatest_priority, 0);
    Stream& made = give(stream, Stream{});
    made.flags = flags;
    made.priority = clamped;
    if (objects<Stream>().size() > 1 || !is_blocking(made)) expect_several(runtime);
  });
}

template <class T>
Status tell(T* where, Stream* handle, T (*of)(Stream&)) {
  return call([&](Runtime&) { required(where) = of(stream_of(handle)); });
}

/// Later work of the stream comes after that.
void put_after(Stream& stream, HostQueue::Ticket ticket) {
  stream.last = std::max(stream.last, ticket);
  if (is_blocking(stream)) last_of_blocking = std::max(last_of_blocking, ticket);
}

using HostFunction = void (*)(void*);
using Callback = void (*)(Stream*, Status, void*);

}  // namespace

Stream& stream_of(Stream* handle) {
  const auto number = reinterpret_cast<std::uintptr_t>(handle);
  if (number < per_thread_stream) return legacy_stream;
  if (number != per_thread_stream) return *object_of(handle);
  if (thread_stream == nullptr) {
    thread_stream = handle_of(Stream{});
    expect_several(*Runtime::get());
  }
  return *thread_stream;
}

HostQueue::Ticket last_of(const Stream& stream) {
  if (&stream == &legacy_stream) return std::max(stream.last, last_of_blocking);
  return is_blocking(stream) ? std::max(stream.last, legacy_stream.last) : stream.last;
}

Status submit(Stream* handle, Work work, bool of_host) {
  Stream& stream = stream_of(handle);
  if (stream.is_captured()) {
    stream.capture->nodes.push_back({std::move(work), of_host, stream.after});
    stream.after = {stream.capture->nodes.back().handle.get()};
    return Status::success;
  }
  Runtime& runtime = *Runtime::get();
  if (of_host) {  // what it uses, and those whom it tells, come after what was before
    HostQueue::get().add(
        runtime,
        [&runtime, moment = moment_of(runtime, stream)] {
          runtime.host_waits(moment);
          return Status::success;
        },
        false);
    put_after(stream, HostQueue::get().add(runtime, std::move(work), true));
    return Status::success;
  }
  Work ordered = [&runtime, issued = runtime.order.issue(&stream, kind_of(stream)),
                  work = std::move(work)] {
    runtime.work = issued;
    return work();
  };
  if (HostQueue::get().is_done(last_of(stream))) return ordered();
  put_after(stream, HostQueue::get().add(runtime, std::move(ordered), false));
  return Status::success;
}

Moment moment_of(Runtime& runtime, const Stream& stream) {
  return runtime.order.now(&stream, kind_of(stream));
}

void synchronize(Runtime& runtime, HostQueue::Ticket ticket, const Moment& moment) {
  HostQueue::get().wait(runtime, ticket);
  runtime.host_waits(moment);
  runtime.wait();
}

void synchronize(Runtime& runtime) {
  synchronize(runtime, HostQueue::get().last(), runtime.order.now());
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
    const Stream& asked = stream_of(stream);
    if (asked.is_captured()) throw Status::stream_capture_unsupported;
    synchronize(runtime, last_of(asked), moment_of(runtime, asked));
  });
}

AGPUSIM_CUDART Status cudaStreamQuery(Stream* stream) {
  return call([&](Runtime& runtime) {
    const Stream& asked = stream_of(stream);
    if (asked.is_captured()) return Status::stream_capture_unsupported;
    if (!HostQueue::get().is_done(last_of(asked))) return Status::not_ready;
    synchronize(runtime, 0, moment_of(runtime, asked));
    return Status::success;
  });
}

AGPUSIM_CUDART Status cudaStreamWaitEvent(Stream* handle, Event* event_handle,
                                          std::uint32_t /*flags*/) {
  return call([&](Runtime& runtime) {
    const auto event = object_of(event_handle);
    Stream& stream = stream_of(handle);
    put_after(stream, event->ticket);
    runtime.order.wait(&stream, kind_of(stream), event->moment);
    if (event->capture != nullptr && event->capture->is_captured) {
      if (&stream == &legacy_stream) throw Status::stream_capture_implicit;
      if (!stream.is_captured()) {
        stream.capture = event->capture;
        stream.after.clear();
      }
      stream.after.insert(stream.after.end(), event->after.begin(), event->after.end());
    }
  });
}

AGPUSIM_CUDART Status cudaLaunchHostFunc(Stream* stream, HostFunction function, void* data) {
  return call([&](Runtime& runtime) {
    required(function);
    const auto work = [=, &runtime] {
      if (runtime.fault == Status::success) function(data);
      return Status::success;
    };
    return submit(stream, work, true);
  });
}

AGPUSIM_CUDART Status cudaStreamAddCallback(Stream* stream, Callback callback, void* data,
                                            std::uint32_t /*flags*/) {
  return call([&](Runtime& runtime) {
    required(callback);
    if (stream_of(stream).is_captured()) return Status::stream_capture_unsupported;
    const auto work = [=, &runtime] {
      callback(stream, runtime.fault, data);
      return Status::success;
    };
    return submit(stream, work, true);
  });
}

AGPUSIM_CUDART Status cudaStreamGetFlags(Stream* stream, std::uint32_t* flags) {
  return tell<std::uint32_t>(flags, stream, [](Stream& of) { return of.flags; });
}

AGPUSIM_CUDART Status cudaStreamGetPriority(Stream* stream, int* priority) {
  return tell<int>(priority, stream, [](Stream& of) { return of.priority; });
}

AGPUSIM_CUDART Status cudaStreamGetId(Stream* stream, unsigned long long* number) {
  return call([&](Runtime&) {
    static_cast<void>(stream_of(stream));
    required(number) = reinterpret_cast<std::uintptr_t>(stream);
  });
}

AGPUSIM_CUDART Status cudaStreamGetDevice(Stream* stream, int* device) {
  return tell<int>(device, stream, [](Stream&) { return 0; });
}

AGPUSIM_CUDART Status cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
  return call([&](Runtime&) {
    if (least != nullptr) *least = 0;
    if (greatest != nullptr) *greatest = greatest_priority;
  });
}

// Capture: what a stream is asked to do is kept in a graph, and done when the graph is launched.

AGPUSIM_CUDART Status cudaStreamBeginCapture(Stream* handle, int /*mode*/) {
  return call([&](Runtime&) {
    Stream& stream = stream_of(handle);
    if (&stream == &legacy_stream || stream.is_captured()) {
      throw Status::stream_capture_unsupported;
    }
    stream.capture = std::make_shared<Graph>();
    stream.after.clear();
    stream.capture->is_captured = true;
    stream.began_capture = true;
  });
}

AGPUSIM_CUDART Status cudaThreadExchangeStreamCaptureMode(int* mode) {
  thread_local int of_thread = 0;  // cudaStreamCaptureModeGlobal; none has an effect
  return call([&](Runtime&) {
    constexpr int last = 2;
    if (required(mode) < 0 || *mode > last) throw Status::invalid_value;
    std::swap(*mode, of_thread);
  });
}

AGPUSIM_CUDART Status cudaStreamIsCapturing(Stream* stream, CaptureStatus* status) {
  return tell<CaptureStatus>(status, stream, [](Stream& of) {
    return of.is_captured() ? CaptureStatus::active : CaptureStatus::none;
  });
}

}  // namespace agpusim::cudart
