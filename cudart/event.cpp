#include "agpusim/cudart/driver.hpp"

namespace agpusim::cudart {
namespace {

constexpr std::uint32_t disable_timing = 2;  // cudaEventDisableTiming

}  // namespace

AGPUSIM_CUDART Status cudaEventCreateWithFlags(Event** event, std::uint32_t flags) {
  return call([&](Runtime&) { give(event, Event{}).has_time = (flags & disable_timing) == 0; });
}

AGPUSIM_CUDART Status cudaEventCreate(Event** event) { return cudaEventCreateWithFlags(event, 0); }

AGPUSIM_CUDART Status cudaEventDestroy(Event* event) { return destroy(event); }

AGPUSIM_CUDART Status cudaEventRecordWithFlags(Event* handle, Stream* stream,
                                               std::uint32_t /*flags*/) {
  return call([&](Runtime& runtime) {
    const auto event = object_of(handle);
    Stream& recorded = stream_of(stream);
    event->capture = recorded.capture;
    event->after = recorded.after;
    const Status status = submit(stream, [event, &runtime] {
      event->milliseconds = runtime.milliseconds;
      event->wall = std::chrono::steady_clock::now();
      event->is_recorded = true;
      return Status::success;
    });
    if (!recorded.is_captured()) {
      event->ticket = last_of(recorded);
      event->moment = moment_of(runtime, recorded);
    }
    return status;
  });
}

AGPUSIM_CUDART Status cudaEventRecord(Event* event, Stream* stream) {
  return cudaEventRecordWithFlags(event, stream, 0);
}

AGPUSIM_CUDART Status cudaEventSynchronize(Event* event) {
  return call([&](Runtime& runtime) {
    synchronize(runtime, object_of(event)->ticket, object_of(event)->moment);
  });
}

AGPUSIM_CUDART Status cudaEventQuery(Event* event) {
  return call([&](Runtime& runtime) {
    if (!HostQueue::get().is_done(object_of(event)->ticket)) return Status::not_ready;
    synchronize(runtime, 0, object_of(event)->moment);
    return Status::success;
  });
}

AGPUSIM_CUDART Status cudaEventElapsedTime(float* milliseconds, Event* first, Event* last) {
  return call([&](Runtime& runtime) {
    required(milliseconds);
    const auto begin = object_of(first);
    const auto end = object_of(last);
    if (!begin->has_time || !end->has_time || !begin->is_recorded || !end->is_recorded) {
      return Status::invalid_resource_handle;
    }
    for (const auto& each : {begin, end}) {
      if (!HostQueue::get().is_done(each->ticket)) return Status::not_ready;
    }
    const std::chrono::duration<double, std::milli> wall = end->wall - begin->wall;
    *milliseconds = static_cast<float>(
        runtime.settings.host_time ? wall.count() : end->milliseconds - begin->milliseconds);
    return Status::success;
  });
}

AGPUSIM_ALSO(cudaEventElapsedTime_v2, cudaEventElapsedTime)

}  // namespace agpusim::cudart
