#include "agpusim/model/transfer/recorder.hpp"

#include <utility>

namespace agpusim::out_of_core {

using transfer::Engine;
using transfer::Operation;

Event Recorder::copy_in(std::int32_t stream, const std::string& name, std::int64_t bytes) {
  return add({Engine::copy_in, stream, name, chunk_, bytes, 0, memory_});
}

Event Recorder::copy_out(std::int32_t stream, const std::string& name, std::int64_t bytes) {
  return add({Engine::copy_out, stream, name, chunk_, bytes, 0, memory_});
}

Event Recorder::kernel(std::int32_t stream, const std::string& name, double seconds) {
  return add({Engine::compute, stream, name, chunk_, 0, seconds, memory_});
}

Event Recorder::host(const std::string& name, std::int64_t bytes, double seconds,
                     std::span<const Event> after) {
  std::vector<Event> before(after.begin(), after.end());
  if (host_done_ >= 0) before.push_back(host_done_);
  host_done_ =
      pipeline_.add({Engine::host, host_stream, name, chunk_, bytes, seconds, memory_}, before);
  return host_done_;
}

void Recorder::wait(std::int32_t stream, Event event) {
  const auto at = static_cast<std::size_t>(stream);
  if (at >= waits_.size()) waits_.resize(at + 1);
  waits_[at].push_back(event);
}

Event Recorder::add(Operation operation) {
  const auto at = static_cast<std::size_t>(operation.stream);
  if (at >= waits_.size()) waits_.resize(at + 1);
  std::vector<Event> before = std::exchange(waits_[at], {});
  if (host_done_ >= 0) before.push_back(host_done_);
  ++operation.stream;  // stream 0 of the pipeline is the host's
  return pipeline_.add(std::move(operation), before);
}

}  // namespace agpusim::out_of_core
