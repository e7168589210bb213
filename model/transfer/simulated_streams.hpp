#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "agpusim/model/agpu/device.hpp"
#include "agpusim/model/transfer/device_budget.hpp"
#include "agpusim/model/transfer/host_piece.hpp"
#include "agpusim/model/transfer/recorder.hpp"

namespace agpusim::out_of_core {

/// Streams whose kernels run on the abstract machine: one run gives the result, the counts of every
/// kernel and the pipeline. Operations take effect in the order in which they are asked for, which
/// is one of those that the pipeline allows.
class SimulatedStreams {
 public:
  template <class T>
  using Array = GlobalArray<T>;

  SimulatedStreams(const AgpuSpec& spec, std::int64_t budget_bytes, KernelClock clock,
                   SimulationOptions options = {})
      : device_(spec, std::move(options)), budget_(budget_bytes), clock_(std::move(clock)) {}

  static constexpr bool has_data = true;
  [[nodiscard]] Recorder& recorder() { return recorder_; }
  [[nodiscard]] const transfer::Pipeline& pipeline() const { return recorder_.pipeline(); }
  [[nodiscard]] const AgpuSpec& spec() const { return device_.spec(); }
  [[nodiscard]] const DeviceBudget& budget() const { return budget_; }
  /// The bill of the abstract machine; library steps are not on it.
  [[nodiscard]] RunReport report() const { return device_.report(); }
  /// The counts of every step, in order.
  [[nodiscard]] const std::vector<KernelWork>& steps() const { return steps_; }

  template <class T>
  [[nodiscard]] GlobalArray<T> allocate(std::int64_t size, const std::string& name) {
    budget_.take(size * std::int64_t{sizeof(T)}, name);
    GlobalArray<T> array = device_.allocate<T>(size, name);
    device_.upload<T>(array, std::vector<T>(static_cast<std::size_t>(size)));
    return array;
  }
  template <class T>
  [[nodiscard]] HostPiece<T> scratch(std::int64_t size) {
    scratch_.push_back(std::make_shared<std::vector<T>>(static_cast<std::size_t>(size)));
    return {static_cast<std::vector<T>*>(scratch_.back().get())->data(), size};
  }
  template <class T>
  Event copy_in(std::int32_t stream, HostPiece<const T> from, const GlobalArray<T>& to,
                std::int64_t at = 0) {
    std::vector<T> values = device_.download(to);
    std::copy_n(from.data(), from.size(), values.begin() + at);
    device_.upload<T>(to, values);
    return recorder_.copy_in(stream, "in", from.bytes());
  }
  template <class T>
  Event copy_out(std::int32_t stream, const GlobalArray<T>& from, HostPiece<T> to,
                 std::int64_t at = 0) {
    const std::vector<T> values = device_.download(from);
    std::copy_n(values.begin() + at, to.size(), to.data());
    return recorder_.copy_out(stream, "out", to.bytes());
  }
  template <class T>
  void set(std::int32_t, const GlobalArray<T>& array, T value) {
    std::vector<T> values = device_.download(array);
    values.front() = value;
    device_.upload<T>(array, values);
  }
  template <class Step, class... Arrays>
  Event run(std::int32_t stream, const Step& step, const Arrays&... arrays) {
    KernelWork work{Step::name, step.n, {}};
    if constexpr (requires { typename Step::is_library_step; }) {
      on_host(step, arrays...);
      work.phases = step.phases(spec());
    } else {
      const auto before = static_cast<std::ptrdiff_t>(device_.report().phases.size());
      step.launch(device_, arrays...);
      const RunReport report = device_.report();
      work.phases.assign(report.phases.begin() + before, report.phases.end());
    }
    steps_.push_back(work);
    return recorder_.kernel(stream, Step::name, clock_(work));
  }
  void wait(std::int32_t stream, Event event) { recorder_.wait(stream, event); }
  template <class F>
  void host(const std::string& name, std::int64_t bytes, double seconds,
            std::span<const Event> after, F step) {
    step();
    recorder_.host(name, bytes, seconds, after);
  }
  void finish() {}

 private:
  template <class Step, class... Arrays>
  void on_host(const Step& step, const Arrays&... arrays) {
    auto values = std::make_tuple(device_.download(arrays)...);
    std::apply([&](auto&... each) { step.on_host(each...); }, values);
    std::apply([&](const auto&... each) { (upload(arrays, each), ...); }, values);
  }
  template <class T>
  void upload(const GlobalArray<T>& array, const std::vector<T>& values) {
    device_.upload<T>(array, values);
  }

  SimulatedDevice device_;
  DeviceBudget budget_;
  KernelClock clock_;
  Recorder recorder_;
  std::vector<KernelWork> steps_;
  std::vector<std::shared_ptr<void>> scratch_;
};

}  // namespace agpusim::out_of_core
