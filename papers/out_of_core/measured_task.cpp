#include "agpusim/papers/out_of_core/measured_task.hpp"

#include <algorithm>
#include <chrono>
#include <string>

#include <fmt/format.h>

#include "agpusim/commands/pipeline/tasks.hpp"
#include "agpusim/model/error.hpp"

namespace agpusim::out_of_core {
namespace {

constexpr std::int64_t alignment = 4096;
constexpr std::uint64_t input_seed = 1;

Scratch scratch_of(const Run& run) {
  const Task& task = find_task(run.task);
  if (run.on_host()) return {.words = task.host_words};
  const Scratch& scratch = find_scheme(task, run.scheme).scratch;
  return scratch.only_of_chunks && run.chunk >= run.n ? Scratch{} : scratch;
}

std::int64_t aligned(std::int64_t bytes) { return (bytes + alignment - 1) / alignment * alignment; }

/// visit(array, elements) for every array of a run, in the order in which they lie in memory: the
/// inputs first, which the runs of one task share.
template <class Visit>
void for_each_array(HostArrays& arrays, const Run& run, Visit visit) {
  const Task& task = find_task(run.task);
  const Scratch scratch = scratch_of(run);
  const auto n_if = [&](bool needed) { return needed ? run.n : 0; };
  visit(arrays.in, run.n);
  visit(arrays.places, n_if(task.has_places));
  visit(arrays.heads, n_if(task.has_heads));
  visit(arrays.out, task.results(run.n));
  visit(arrays.scratch, n_if(scratch.values));
  visit(arrays.scratch_places, n_if(scratch.places));
  visit(arrays.words, scratch.words == nullptr ? 0 : scratch.words(run.n));
}

}  // namespace

std::int64_t host_bytes(const Run& run) {
  HostArrays none;
  std::int64_t bytes = alignment;
  for_each_array(none, run, [&]<class T>(std::span<T>&, std::int64_t size) {
    bytes += aligned(size * std::int64_t{sizeof(T)});
  });
  return bytes;
}

void MeasuredTask::prepare(const Run& run) {
  std::span<std::byte> memory = memory_;
  if (run.memory == transfer::HostMemory::pageable) {
    const std::size_t needed = static_cast<std::size_t>(host_bytes(run)) / sizeof(double);
    if (pageable_.size() < needed) {
      pageable_ = std::vector<double>(needed);
      prepared_ = {};
    }
    memory = std::as_writable_bytes(std::span(pageable_));
  }
  const auto bytes = static_cast<std::int64_t>(memory.size());
  if (host_bytes(run) > bytes) {
    throw UsageError(
        fmt::format("{} ({}) of n = {} needs {} bytes of host memory, {} are there; "
                    "use a smaller --n-max",
                    run.task, run.scheme, run.n, host_bytes(run), bytes));
  }
  std::byte* next = memory.data();
  for_each_array(arrays_, run, [&]<class T>(std::span<T>& array, std::int64_t size) {
    array = {reinterpret_cast<T*>(next), static_cast<std::size_t>(size)};
    next += aligned(size * std::int64_t{sizeof(T)});
  });
  if (prepared_.task == run.task && prepared_.n == run.n && prepared_.memory == run.memory) return;
  find_task(run.task).fill(arrays_, input_seed);
  prepared_ = run;
}

double MeasuredTask::run_on_host(const Run& run) {
  if (run.scheme != "host_one" && run.scheme != "host_all") {
    throw UsageError(fmt::format("{} has no scheme '{}' on the host: known are host_one, host_all",
                                 run.task, run.scheme));
  }
  const HostCores cores = run.scheme == "host_one" ? HostCores::one : HostCores::all;
  const Task& task = find_task(run.task);
  if (task.in_place) std::copy(arrays_.in.begin(), arrays_.in.end(), arrays_.out.begin());
  const auto start = std::chrono::steady_clock::now();
  task.on_host(cores, arrays_);
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

double MeasuredTask::run_once(const Run& run, const Control& control) {
  return run.on_host() ? run_on_host(run) : device_->run(run, arrays_, false, control).seconds;
}

void MeasuredTask::check(const Run& run) const {
  const std::string wrong = find_task(run.task).check(arrays_);
  if (wrong.empty()) return;
  throw Mismatch(fmt::format("{} ({}) with n = {}, budget {} bytes, chunks of {}: {}", run.task,
                             run.scheme, run.n, run.budget, run.chunk, wrong));
}

RunRecord MeasuredTask::measure(const Run& run, const RepeatRule& rule, const Control& control) {
  prepare(run);
  RunRecord record;
  record.run = run;
  // What an earlier run left in the output must not pass for a result.
  std::fill(arrays_.out.begin(), arrays_.out.end(), untouched);
  if (!run.on_host()) {
    run_once(run, control);
    check(run);
  }
  double total = 0;
  record.stop = "repeats";
  for (std::int32_t i = 0; i < rule.repeats; ++i) {
    if (i > 0 && total > rule.max_seconds) {
      record.stop = "max_seconds";
      break;
    }
    record.seconds.push_back(run_once(run, control));
    total += record.seconds.back();
  }
  check(run);
  if (rule.timeline && !run.on_host()) {
    record.timeline = device_->run(run, arrays_, true, control).timeline;
  }
  return record;
}

}  // namespace agpusim::out_of_core
