#pragma once

#include <cstdint>
#include <string>

namespace agpusim {

/// The part of this process in what its control groups may take, of cgroup v2 and v1: all of it
/// over the ranks of the job on this node. `root` is the folder that /proc and /sys are in.
[[nodiscard]] std::int64_t memory_of_job_bytes(const std::string& root = "");

}  // namespace agpusim
