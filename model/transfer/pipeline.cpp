#include "agpusim/model/transfer/pipeline.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

namespace agpusim::transfer {

const char* to_string(HostMemory memory) {
  return memory == HostMemory::pinned ? "pinned" : "pageable";
}

const char* to_string(Engine engine) {
  constexpr std::array names = {"copy in", "compute", "copy out", "host"};
  return names.at(static_cast<std::size_t>(engine));
}

OperationId Pipeline::add(Operation operation, std::span<const OperationId> after) {
  const auto id = static_cast<OperationId>(operations_.size());
  std::vector<OperationId> before(after.begin(), after.end());
  for (const OperationId other : before) {
    if (other < 0 || other >= id) {
      throw std::out_of_range(fmt::format("operation {} ({}) waits for operation {}, of {} there",
                                          id, operation.name, other, id));
    }
  }
  if (operation.stream < 0) {
    throw std::out_of_range(
        fmt::format("operation {} ({}): stream {}", id, operation.name, operation.stream));
  }
  const auto stream = static_cast<std::size_t>(operation.stream);
  if (stream >= last_of_stream_.size()) last_of_stream_.resize(stream + 1, -1);
  if (last_of_stream_[stream] >= 0) before.push_back(last_of_stream_[stream]);
  last_of_stream_[stream] = id;
  std::sort(before.begin(), before.end());
  before.erase(std::unique(before.begin(), before.end()), before.end());
  operations_.push_back(std::move(operation));
  before_.push_back(std::move(before));
  return id;
}

std::int64_t Pipeline::bytes(Engine engine) const {
  std::int64_t sum = 0;
  for (const Operation& operation : operations_) {
    if (operation.engine == engine) sum += operation.bytes;
  }
  return sum;
}

double seconds_alone(const Operation& operation, const LinkSpec& link) {
  const auto copy = [&](Direction direction) {
    if (link.host > 0) direction.bytes_per_second = std::min(direction.bytes_per_second, link.host);
    return direction.seconds(operation.bytes);
  };
  switch (operation.engine) {
    case Engine::copy_in:
      return copy(link.in);
    case Engine::copy_out:
      return copy(link.out);
    case Engine::host:
      if (link.host == 0) break;
      return std::max(operation.seconds, static_cast<double>(operation.bytes) / link.host);
    case Engine::compute:
      break;
  }
  return operation.seconds;
}

}  // namespace agpusim::transfer
