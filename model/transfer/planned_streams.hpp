#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <span>
#include <string>
#include <type_traits>
#include <typeindex>
#include <utility>
#include <vector>

#include "agpusim/model/agpu/device.hpp"
#include "agpusim/model/error.hpp"
#include "agpusim/model/transfer/device_budget.hpp"
#include "agpusim/model/transfer/host_piece.hpp"
#include "agpusim/model/transfer/recorder.hpp"

namespace agpusim::out_of_core {

/// An array that would be in device memory: a name and a length.
template <class T>
struct PlannedArray {
  using value_type = T;
  std::string name;
  std::int64_t size = 0;
};

/// Streams without data: they note what a program asks for, at any size, with the derived counts of
/// its steps. Equal steps are derived once.
class PlannedStreams {
 public:
  template <class T>
  using Array = PlannedArray<T>;

  PlannedStreams(AgpuSpec spec, std::int64_t budget_bytes, KernelClock clock)
      : spec_(std::move(spec)), budget_(budget_bytes), clock_(std::move(clock)) {}

  /// Whether copies and steps have an effect.
  static constexpr bool has_data = false;
  [[nodiscard]] Recorder& recorder() { return recorder_; }
  [[nodiscard]] const transfer::Pipeline& pipeline() const { return recorder_.pipeline(); }
  [[nodiscard]] const AgpuSpec& spec() const { return spec_; }
  [[nodiscard]] const DeviceBudget& budget() const { return budget_; }

  /// An array of `size` elements in device memory. Throws UsageError when it exceeds the budget.
  template <class T>
  [[nodiscard]] PlannedArray<T> allocate(std::int64_t size, std::string name) {
    budget_.take(size * std::int64_t{sizeof(T)}, name);
    return {std::move(name), size};
  }
  /// Host memory of the program's own, pinned where that matters.
  template <class T>
  [[nodiscard]] HostPiece<T> scratch(std::int64_t size) {
    return HostPiece<T>(size);
  }
  /// to[at..] = from, in the stream's order.
  template <class T>
  Event copy_in(std::int32_t stream, HostPiece<const T> from, const PlannedArray<T>& to,
                std::int64_t at = 0) {
    static_cast<void>(at);
    return recorder_.copy_in(stream, to.name, from.bytes());
  }
  /// to = from[at..at+to.size()-1], in the stream's order.
  template <class T>
  Event copy_out(std::int32_t stream, const PlannedArray<T>& from, HostPiece<T> to,
                 std::int64_t at = 0) {
    static_cast<void>(at);
    return recorder_.copy_out(stream, from.name, to.bytes());
  }
  /// The first element becomes `value` before the stream's next step; copies do not wait for it.
  template <class T>
  void set(std::int32_t, const PlannedArray<T>&, T) {}
  template <class Step, class... Arrays>
  Event run(std::int32_t stream, const Step& step, const Arrays&... arrays) {
    return recorder_.kernel(stream, Step::name,
                            clock_({Step::name, step.n, phases_of(step, arrays...)}));
  }
  void wait(std::int32_t stream, Event event) { recorder_.wait(stream, event); }
  /// The host waits for `after`, then does `step`, which moves `bytes` in `seconds` or so.
  template <class F>
  void host(const std::string& name, std::int64_t bytes, double seconds,
            std::span<const Event> after, F) {
    recorder_.host(name, bytes, seconds, after);
  }
  void finish() {}

 private:
  using Key = std::pair<std::type_index, std::vector<std::byte>>;

  template <class Step, class... Arrays>
  const std::vector<PhaseReport>& phases_of(const Step& step, const Arrays&... arrays) {
    const auto priced = [&] {
      if constexpr (requires { step.planned(); }) {
        return step.planned();
      } else {
        return step;
      }
    }();
    static_assert(std::is_trivially_copyable_v<decltype(priced)>);
    std::vector<std::byte> bytes(sizeof(priced));
    std::memcpy(bytes.data(), &priced, sizeof(priced));
    const auto [known, added] = phases_.try_emplace(Key(typeid(Step), std::move(bytes)));
    if (!added) return known->second;
    if constexpr (requires { step.phases(spec_); }) {
      known->second = step.phases(spec_);
    } else {
      try {
        SimulatedDevice device(spec_, {.threads = 1, .derive = true});
        priced.launch(device,
                      device.allocate<typename Arrays::value_type>(arrays.size, arrays.name)...);
        known->second = device.report().phases;
      } catch (const RuleViolation& violation) {
        throw UsageError(violation.what());  // the machine that was asked for cannot run the step
      }
    }
    return known->second;
  }

  std::map<Key, std::vector<PhaseReport>> phases_;  // phases of each step, by its bytes
  AgpuSpec spec_;
  DeviceBudget budget_;
  KernelClock clock_;
  Recorder recorder_;
};

}  // namespace agpusim::out_of_core
