#include <limits>

#include <fmt/format.h>

#include "agpusim/algorithms/common/checksum.hpp"
#include "agpusim/algorithms/integer_sorts/seed_hp_sorts/workspace.cuh"
#include "agpusim/cuda/error.cuh"
#include "agpusim/cuda/stream.cuh"
#include "agpusim/model/error.hpp"

namespace agpusim::seed_hp_sorts {
namespace {

constexpr int poison_byte = 0xa5;
constexpr std::size_t alignment = 256;

KeyShape checked_shape(const RunConfig& config) {
  if (config.type != "i32") {
    throw UsageError(fmt::format("{} sorts i32 keys, not {}", config.algorithm, config.type));
  }
  const KeyShape shape = key_shape(config);
  require_int_index(config, "n", shape.n);
  return shape;
}

/// The keys of the run. Runs of one input follow each other when contestants are compared, and
/// generating keys takes longer than sorting them: the last ones are kept.
const std::vector<std::int32_t>& keys_of(const RunConfig& config) {
  static RunConfig last;
  static std::vector<std::int32_t> keys;
  RunConfig input;
  input.n = config.n;
  input.input = config.input;
  input.seed = config.seed;
  input.parameters = config.parameters;
  if (keys.empty() || input != last) {
    keys = generate_keys(config);
    last = input;
  }
  return keys;
}

}  // namespace

std::size_t Workspace::reserve(std::size_t bytes) {
  const std::size_t place = bytes_;
  bytes_ += (bytes + alignment - 1) / alignment * alignment;
  return place;
}

void require_int_index(const RunConfig& config, const char* name, std::int64_t value) {
  constexpr std::int64_t most = std::numeric_limits<int>::max() - cta_threads;
  if (value <= most) return;
  throw UsageError(fmt::format("{}: {} = {}: it indexes with int, at most {} is possible",
                               config.algorithm, name, value, most));
}

void Workspace::poison() {
  AGPUSIM_CUDA_CHECK(cudaMemsetAsync(memory_->data(), poison_byte, bytes_, cuda_stream()));
}

SortProgram::SortProgram(const RunConfig& config)
    : shape_(checked_shape(config)),
      x_(static_cast<std::size_t>(shape_.n) * sizeof(int), "x"),
      y_(static_cast<std::size_t>(shape_.n) * sizeof(int), "y") {
  x_.upload(keys_of(config).data(), cuda_stream());
}

void SortProgram::reset() {
  AGPUSIM_CUDA_CHECK(cudaMemsetAsync(y_.data(), poison_byte, y_.bytes(), cuda_stream()));
  workspace_.poison();
}

std::uint64_t SortProgram::checksum() {
  std::vector<std::int32_t> values(static_cast<std::size_t>(shape_.n));
  y_.download(values.data(), cuda_stream());
  return agpusim::checksum<std::int32_t>(values);
}

}  // namespace agpusim::seed_hp_sorts
