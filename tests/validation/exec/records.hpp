#pragma once

#include <string>
#include <utility>

#include "agpusim/validation/exec/launch_record.hpp"

namespace agpusim::test {

/// 40 requests of 160 sectors, an eighth of whose bytes is asked for, in line 3 of a .cu file; 90
/// wavefronts, 70 of them conflicts, in line 5.
inline exec::LaunchRecord launch_of(const std::string& kernel) {
  Counts read{.global_read = {40, 40, 160}, .active_lanes = 1000, .lane_slots = 1280};
  Counts shared{.shared_read = {20, 90, 70}};
  exec::LaunchRecord launch;
  launch.pid = 7;
  launch.kernel = kernel;
  launch.grid = {64, 2, 1};
  launch.block = {256, 1, 1};
  launch.predicted.prediction = {0.25, "shared", {}, 0.2, 0.3};
  launch.phase.kernel = kernel;
  launch.phase.tasks = 128;
  launch.phase.time = 130;
  launch.phase.counts = read;
  launch.phase.counts += shared;
  launch.lines = {{{"", "/src/reduce.cu", 3, read}, 640, {}},
                  {{"", "/src/reduce.cu", 5, shared}, 0, {}}};
  return launch;
}

/// It has begun and not ended.
inline exec::LaunchRecord begun(const std::string& kernel) {
  exec::LaunchRecord launch;
  launch.pid = 7;
  launch.kernel = kernel;
  launch.grid = {64, 2, 1};
  launch.runs = true;
  return launch;
}

/// A race in line 5, found in CTA 3.
inline ptx::Finding race() {
  return ptx::Finding{
      .rule = ptx::Rule::shared_race,
      .where = {{"/src/sum.hpp", 5}, {{"/usr/include/x.h", 1}, {"/src/reduce.cu", 9}}},
      .opcode = "st.shared.u32",
      .cta = 3,
      .warp = 1,
      .lane = 5,
      .times = 12,
      .array = "sums",
      .text = "lane 7 of warp 0 wrote it",
      .remedy = "a barrier"};
}

/// Three launches of a kernel, of which the program has read one error.
inline exec::FailedCall failed_call() {
  return {7,
          0,
          "cudaLaunchKernel",
          "_Z6reducePi",
          "cudaErrorInvalidConfiguration",
          "2,048 threads",
          3,
          1,
          true};
}

}  // namespace agpusim::test
