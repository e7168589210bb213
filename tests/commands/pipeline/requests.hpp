#pragma once

#include "agpusim/commands/pipeline/plan.hpp"
#include "agpusim/tests/support/kernels.hpp"

namespace agpusim::out_of_core {

/// A task on a small machine behind a link of 1 GB/s each way, its kernels taking 1 ns an element.
inline Request small_request(const std::string& task, const std::string& scheme, std::int64_t n,
                             std::int64_t chunk = 0) {
  return Request{
      .task = task,
      .scheme = scheme,
      .n = n,
      .budget_bytes = std::int64_t{1} << 30,
      .chunk = chunk,
      .spec = small_machine(8, 1, 4, 4096),
      .link = {.in = {0, 1e9}, .out = {0, 1e9}},
      .clock = [](const KernelWork& work) { return static_cast<double>(work.elements) * 1e-9; },
      .compact_rate = 1e9};
}

}  // namespace agpusim::out_of_core
