#pragma once

#include <cstdint>
#include <string>

#include "agpusim/commands/pipeline/plan.hpp"
#include "agpusim/tests/support/kernels.hpp"

namespace agpusim::out_of_core {

/// A task on a small machine behind a link of 1 GB/s each way, its kernels taking 1 ns an element.
inline Request small_request(const std::string& task, const std::string& scheme, std::int64_t n,
                             std::int64_t chunk = 0) {
  Request request;
  request.task = task;
  request.scheme = scheme;
  request.n = n;
  request.budget_bytes = std::int64_t{1} << 30;
  request.chunk = chunk;
  request.spec = small_machine(8, 1, 4, 4096);
  request.link.in = {0, 1e9};
  request.link.out = {0, 1e9};
  request.clock = [](const KernelWork& work) { return static_cast<double>(work.elements) * 1e-9; };
  request.compact_rate = 1e9;
  return request;
}

}  // namespace agpusim::out_of_core
