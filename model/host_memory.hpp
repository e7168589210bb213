#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace agpusim {

/// Alignment of what one host thread writes often: the lines of its cache are fetched in pairs, and
/// two threads that write to one wait for each other.
inline constexpr std::size_t host_lines = 128;

/// Bytes of memory that the host can still give this process, as far as the system, its control
/// group and its limit (ulimit -v) say; the largest number where none does.
[[nodiscard]] std::int64_t available_memory_bytes();

/// The part of this process in what its control groups, v2 or v1, may take: all over the ranks of
/// the job on this node. `root` is the folder that /proc and /sys are in.
[[nodiscard]] std::int64_t memory_of_job_bytes(const std::string& root = "");

/// Asks the host to give the memory in large pages, where it has them. Random accesses to small
/// ones look their addresses up in tables that leave the host's cache.
void prefer_large_pages(void* begin, std::int64_t bytes);

/// Takes memory that will be written, all at once: the host is slow to give it page by page.
void take_pages(void* begin, std::int64_t bytes);

}  // namespace agpusim
