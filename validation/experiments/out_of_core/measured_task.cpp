#include "agpusim/validation/experiments/out_of_core/measured_task.hpp"

#include <chrono>
#include <numeric>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "agpusim/algorithms/out_of_core/one_hot_functors.hpp"
#include "agpusim/model/error.hpp"
#include "agpusim/validation/experiments/out_of_core/host_baselines.hpp"
#include "agpusim/validation/experiments/out_of_core/workload.hpp"
#include "agpusim/validation/pipeline/arrays.hpp"

namespace agpusim::out_of_core {
namespace {

constexpr std::int64_t alignment = 4096;
constexpr std::uint64_t seed = 1;

/// Arrays of 64-bit elements that a run needs besides its input.
struct Needs {
  bool out = true;
  bool places = false;
  bool scratch = false;
  bool scratch_places = false;
  bool one_hot = false;
};

Needs needs_of(const Run& run) {
  Needs needs;
  needs.out = run.task != "reduce";
  needs.places = run.task == "scatter";
  needs.one_hot = run.task == "sort" && run.scheme == "seed" && run.chunk < run.n;
  needs.scratch_places = run.scheme == "partitioned" || needs.one_hot;
  needs.scratch = needs.scratch_places || (run.task == "sort" && !run.on_host());
  return needs;
}

std::int64_t array_bytes(std::int64_t n) {
  const std::int64_t bytes = n * std::int64_t{sizeof(double)};
  return (bytes + alignment - 1) / alignment * alignment;
}

}  // namespace

std::int64_t host_bytes(const Run& run) {
  const Needs needs = needs_of(run);
  const int arrays = 1 + needs.out + needs.places + needs.scratch + needs.scratch_places;
  return arrays * array_bytes(run.n) + (needs.one_hot ? array_bytes(one_hot_buckets * run.n) : 0) +
         alignment;
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
  const Needs needs = needs_of(run);
  std::byte* next = memory.data();
  const auto take = [&]<class T>(std::span<T>& array, bool needed, std::int64_t per_element = 1) {
    const std::int64_t size = per_element * run.n;
    array = needed ? std::span(reinterpret_cast<T*>(next), static_cast<std::size_t>(size))
                   : std::span<T>();
    if (needed) next += array_bytes(size);
  };
  take(arrays_.in, true);
  take(arrays_.places, needs.places);
  take(arrays_.out, needs.out);
  take(arrays_.scratch, needs.scratch);
  take(arrays_.scratch_places, needs.scratch_places);
  take(arrays_.one_hot, needs.one_hot, one_hot_buckets);
  if (prepared_.task == run.task && prepared_.n == run.n && prepared_.memory == run.memory) return;
  if (run.task == "sort") {
    fill_keys(arrays_.in, seed);
  } else if (run.task == "scatter") {
    fill_indices(arrays_.in);
    fill_places(arrays_.places, seed);
  } else {
    fill_numbers(arrays_.in, seed);
  }
  prepared_ = run;
}

double MeasuredTask::run_on_host(const Run& run) {
  if (run.scheme != "host_one" && run.scheme != "host_all") {
    throw UsageError(fmt::format("{} has no scheme '{}' on the host: known are host_one, host_all",
                                 run.task, run.scheme));
  }
  const HostCores cores = run.scheme == "host_one" ? HostCores::one : HostCores::all;
  if (run.task == "sort") std::copy(arrays_.in.begin(), arrays_.in.end(), arrays_.out.begin());
  const auto start = std::chrono::steady_clock::now();
  if (run.task == "transform_const") {
    host_scale(cores, arrays_.in, arrays_.out, scale_factor);
  } else if (run.task == "transform_trig") {
    host_trigonometry(cores, arrays_.in, arrays_.out);
  } else if (run.task == "reduce") {
    value_ = host_sum(cores, arrays_.in);
  } else if (run.task == "scan") {
    host_scan(cores, arrays_.in, arrays_.out);
  } else if (run.task == "scatter") {
    host_scatter(cores, arrays_.places, arrays_.in, arrays_.out);
  } else if (run.task == "sort") {
    host_sort(cores, arrays_.out);
  } else {
    throw UsageError(fmt::format("unknown out-of-core task '{}'", run.task));
  }
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

double MeasuredTask::run_once(const Run& run, const Control& control) {
  if (run.on_host()) return run_on_host(run);
  const DeviceRun result = device_->run(run, arrays_, false, control);
  value_ = result.value;
  return result.seconds;
}

void MeasuredTask::check(const Run& run) const {
  std::string wrong;
  if (run.task == "transform_const") {
    wrong = check_scaled(arrays_.in, arrays_.out, scale_factor);
  } else if (run.task == "transform_trig") {
    wrong = check_ones(arrays_.out);
  } else if (run.task == "reduce") {
    wrong = check_sum(arrays_.in, value_);
  } else if (run.task == "scan") {
    wrong = check_prefixes(arrays_.in, arrays_.out);
  } else if (run.task == "scatter") {
    wrong = check_scattered(arrays_.places, arrays_.out);
  } else {
    wrong = check_sorted(arrays_.in, arrays_.out);
  }
  if (!wrong.empty()) {
    throw Mismatch(fmt::format("{} ({}) with n = {}, budget {} bytes, chunks of {}: {}", run.task,
                               run.scheme, run.n, run.budget, run.chunk, wrong));
  }
}

RunRecord MeasuredTask::measure(const Run& run, const RepeatRule& rule, const Control& control) {
  prepare(run);
  RunRecord record;
  record.run = run;
  // What an earlier run left in the output must not pass for a result.
  std::fill(arrays_.out.begin(), arrays_.out.end(), -1.0);
  value_ = -1;
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
