#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <typeindex>
#include <utility>
#include <vector>

#include "agpusim/model/agpu/compiled_kernels.hpp"
#include "agpusim/model/agpu/multiprocessor.hpp"
#include "agpusim/model/agpu/report.hpp"
#include "agpusim/model/agpu/simulation_options.hpp"
#include "agpusim/model/agpu/task_runs.hpp"

namespace agpusim {

class SimulatedDevice;

/// An array in the global memory of a SimulatedDevice; a handle, cheap to copy.
template <class T>
class GlobalArray {
 public:
  using value_type = T;
  [[nodiscard]] std::int64_t size() const { return size_; }

 private:
  friend class SimulatedDevice;
  std::int64_t size_ = 0;
  std::shared_ptr<GlobalStorage> storage_;  // null where compiled kernels run
  std::shared_ptr<void> compiled_;          // null where lanes run
};

/// The device of the abstract machine AGPU(p,b,M,w): global memory, launches, and the bill. Its
/// tasks run the source of kernels as lanes, or what a compiler made of it.
class SimulatedDevice {
 public:
  explicit SimulatedDevice(const AgpuSpec& spec, SimulationOptions options = {});
  /// Launches `kernels` instead of their source; they outlive it.
  SimulatedDevice(const AgpuSpec& spec, CompiledKernels& kernels);
  ~SimulatedDevice();
  SimulatedDevice(const SimulatedDevice&) = delete;
  SimulatedDevice& operator=(const SimulatedDevice&) = delete;

  template <class T>
  using Array = GlobalArray<T>;

  [[nodiscard]] const AgpuSpec& spec() const { return spec_; }
  [[nodiscard]] const SimulationOptions& options() const { return options_; }

  /// A block-aligned array of `size` elements. Throws RuleViolation when its addresses need more
  /// than w bits, UsageError when the host cannot hold it beside the others.
  template <class T>
  [[nodiscard]] GlobalArray<T> allocate(std::int64_t size, std::string name) {
    GlobalArray<T> array;
    array.size_ = size;
    if (compiled_ != nullptr) {
      array.compiled_ =
          compiled_->allocate(static_cast<std::size_t>(size) * sizeof(T), std::move(name));
    } else {
      array.storage_ = allocate_storage(size, sizeof(T), std::move(name));
    }
    return array;
  }
  template <class T>
  void upload(const GlobalArray<T>& array, std::span<const T> values) {
    if (compiled_ != nullptr) {
      compiled_->copy_in(array.compiled_.get(), values.data(), values.size_bytes());
    } else {
      copy_in(*array.storage_, values.data(), values.size(), sizeof(T));
    }
  }
  /// Copies what `make()` returns, which is not called where counts are derived.
  template <class T, class Make>
  requires std::invocable<Make>
  void upload(const GlobalArray<T>& array, Make make) {
    if (options_.derive) {
      copy_in(*array.storage_, nullptr, static_cast<std::size_t>(array.size()), sizeof(T));
    } else if (compiled_ == nullptr || !compiled_->derives()) {
      upload<T>(array, std::span<const T>(make()));
    }
  }
  template <class T>
  [[nodiscard]] std::vector<T> download(const GlobalArray<T>& array) {
    if (compiled_ != nullptr) {
      const T* const data = static_cast<const T*>(array.compiled_.get());
      return {data, data + array.size()};
    }
    std::vector<T> values(static_cast<std::size_t>(array.size()));
    copy_out(*array.storage_, values.data(), values.size(), sizeof(T));
    return values;
  }

  /// One phase: runs `kernel(mp, views...)` for each of `tasks` tasks and waits for all of them
  /// (R4). An array argument reaches the kernel as a view, anything else as it is. No task, no
  /// phase.
  template <class Kernel, class... Args>
  void launch(std::int64_t tasks, const Kernel& kernel, const Args&... args) {
    const std::int32_t parts = std::max({1, parts_of(args)...});
    if (compiled_ != nullptr) return launch_compiled(tasks, parts, kernel, argument(args)...);
    const auto task = [&](SimulatedMp& mp) { kernel(mp, bind(mp, args)...); };
    if (options_.derive) {
      derive_phase(Kernel::name, tasks, task, KernelCost::of(kernel), parts);
    } else {
      std::vector<GlobalStorage*> arrays;
      (add_array(args, arrays), ...);
      run_phase(Kernel::name, tasks, task, std::move(arrays), typeid(Kernel));
    }
  }

  /// The bill so far.
  [[nodiscard]] RunReport report() const;

 private:
  struct Worker;

  template <class Kernel, class... Arguments>
  void launch_compiled(std::int64_t tasks, std::int32_t parts, const Kernel& kernel,
                       const Arguments&... arguments) {
    std::int32_t shared_bytes = 0;
    if constexpr (requires { kernel.shared_bytes(); }) {
      shared_bytes = static_cast<std::int32_t>(kernel.shared_bytes() + 15) & ~15;
    }
    const std::type_info& symbol = spec_.width == CompiledKernels::warp_lanes
                                       ? typeid(KernelSymbol<Kernel, true, Arguments...>)
                                       : typeid(KernelSymbol<Kernel, false, Arguments...>);
    compiled_->run({Kernel::name, symbol, tasks, shared_bytes,
                    parameters_of(kernel, std::int64_t{0}, tasks, shared_bytes, arguments...),
                    KernelCost::of(kernel), parts});
  }
  template <class T>
  static T* argument(const GlobalArray<T>& array) {
    return static_cast<T*>(array.compiled_.get());
  }
  template <class T>
  static const T& argument(const T& value) {
    return value;
  }
  template <class T>
  static void add_array(const GlobalArray<T>& array, std::vector<GlobalStorage*>& arrays) {
    arrays.push_back(array.storage_.get());
  }
  template <class T>
  static void add_array(const T&, std::vector<GlobalStorage*>&) {}
  /// Elements of an array that share a word.
  template <class T>
  [[nodiscard]] std::int32_t parts_of(const GlobalArray<T>&) const {
    return spec_.element_size(sizeof(T)).parts;
  }
  template <class T>
  [[nodiscard]] std::int32_t parts_of(const T&) const {
    return 1;
  }
  template <class T>
  static GlobalView<T> bind(SimulatedMp& mp, const GlobalArray<T>& array) {
    return {*mp.global_, *array.storage_, 0};
  }
  template <class T>
  static const T& bind(SimulatedMp&, const T& value) {
    return value;
  }

  std::shared_ptr<GlobalStorage> allocate_storage(std::int64_t size, std::int32_t element_bytes,
                                                  std::string name);
  /// Lets the new array save host memory where global memory of `words` words exceeds it; throws
  /// UsageError where that is too little.
  void require_host_bytes(GlobalStorage& storage, std::int64_t words);
  void copy_in(GlobalStorage& storage, const void* from, std::size_t size,
               std::size_t element_bytes);
  void copy_out(GlobalStorage& storage, void* to, std::size_t size, std::size_t element_bytes);
  void run_phase(std::string_view name, std::int64_t tasks,
                 const std::function<void(SimulatedMp&)>& task, std::vector<GlobalStorage*> arrays,
                 std::type_index kernel);
  /// An error of a task that is no race, or none.
  struct TaskError {
    std::int64_t task = std::numeric_limits<std::int64_t>::max();
    std::exception_ptr error;
  };
  /// Runs a phase again, by one host thread, to name what it would refuse first: accesses that are
  /// a race, of which `race` is one, or what `other` says. `before`: what the arrays held, if
  /// known.
  [[noreturn]] void fail_race(std::string_view name, std::int64_t tasks,
                              const std::function<void(SimulatedMp&)>& task,
                              const std::vector<GlobalStorage*>& arrays,
                              const GlobalAccess::Race& race, const TaskError& other,
                              const std::vector<std::vector<std::byte>>& before);
  void derive_phase(std::string_view name, std::int64_t tasks,
                    const std::function<void(SimulatedMp&)>& task, const KernelCost& cost,
                    std::int32_t parts);

  AgpuSpec spec_;
  SimulationOptions options_;
  CompiledKernels* compiled_ = nullptr;  // null: their source runs
  RunReport report_;
  struct Held {
    std::int64_t words = 0;
    std::int64_t host_bytes = 0;
    std::array<std::int64_t, traffic_places> sectors{};
  };
  std::size_t arrays_ = 0;
  [[nodiscard]] PhaseExecution no_execution() const;
  std::int64_t host_bytes_ = 0;  // bytes that the host can give; asked for when much is needed
  std::shared_ptr<Held> held_;   // shared with the arrays, which give theirs back
  struct Machine;
  std::unique_ptr<Machine> machine_;
};

}  // namespace agpusim
