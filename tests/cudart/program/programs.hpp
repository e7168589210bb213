#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace agpusim::test {

// Programs of the files beside main.cpp.

/// Programs that use memory from the host as they may, and their twins that do not, by name.
const std::map<std::string, std::function<void()>>& host_halves();
/// Programs about textures, surfaces, arrays and nodes of graphs, by name.
[[nodiscard]] const std::map<std::string, std::function<void()>>& texture_programs();
/// Runs "name_right" or "name_broken" of the idioms of host_order.cpp. Returns whether it is one.
bool run_host_idiom(const std::string& name);
/// Runs a program of driver.cpp. Returns whether it has one of this name.
bool run_on_driver(const std::string& name);
/// Its program "driver mapping".
void map_memory();
/// Runs the kernels of tests/ptx/programs, and compares what they leave with what the host
/// computes.
void run_corpus();
/// Checks graphs whose nodes the program adds. `sum`: the kernel of tests/cudart/kernels.cu.
void graph_nodes(const void* sum);

// Programs of calls.cpp, without a kernel.

/// Wrong arguments return the documented errors.
void wrong_arguments();
/// An object whose handle is destroyed is gone, but for graphs that use it.
void destroyed_handles();
/// A function of the host may wait for a thread that calls CUDA.
void host_functions();
/// Copies whose direction the addresses tell: pinned memory is the host's, and so is what was.
void pinned_copies();
/// Memory that the host uses too is zero, also where it was used before.
void zeros();

// Programs of impossible.cpp.

/// Null for each result returns cudaErrorInvalidValue, and nothing is written. `kernel`: one with
/// parameters.
void null_results(const void* kernel, const void* symbol);
/// Sizes, pitches and extents that wrap or exceed return the documented errors; empty ones succeed
/// at once.
void impossible_sizes();
/// Fat binaries of a text whose numbers are wrong; all[1] ends before its first entry.
[[nodiscard]] std::vector<std::string> damaged_images(const std::string& ptx);

// Programs of failures.cpp, whose calls fail or whose kernels do not end or are skipped.

void unseen_failures();
void seen_failures();
void no_memory();
void skips();
void skips_list();
void never_ends();
void turns_long();
void dies_after_copies();

}  // namespace agpusim::test
