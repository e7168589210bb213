#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "agpusim/algorithms/common/checksum.hpp"
#include "agpusim/algorithms/common/inputs.hpp"
#include "agpusim/algorithms/common/numeric_input.hpp"
#include "agpusim/model/error.hpp"
#include "agpusim/model/run/host_program.hpp"
#include "agpusim/model/run/run.hpp"

namespace agpusim {

/// The input of a run; T is one of the element types.
template <class T>
[[nodiscard]] std::vector<T> input_of(const RunConfig& config) {
  if constexpr (std::is_unsigned_v<T>) {
    return generate<T>(config.input, config.n, config.seed);
  } else {
    return numeric_input<T>(config);
  }
}

/// "u32" for std::uint32_t, ..., "f64" for double.
template <class T>
[[nodiscard]] std::string element_type_name() {
  static_assert(std::is_arithmetic_v<T> && (sizeof(T) == 4 || sizeof(T) == 8),
                "an element is a number of 32 or 64 bits");
  const char kind = std::is_floating_point_v<T> ? 'f' : std::is_unsigned_v<T> ? 'u' : 'i';
  return kind + std::to_string(8 * sizeof(T));
}

/// Two arrays that take turns: launches read `in` and write `out`.
template <class Array>
struct PingPong {
  Array in;
  Array out;

  void next() { std::swap(in, out); }
};
template <class Array>
PingPong(Array, Array) -> PingPong<Array>;

/// One run of an algorithm of its own on a device, for elements of type T: its program, a function
/// that takes this by reference, asks for arrays, launches kernels on them and says which one holds
/// the result. It is called once, when the run is prepared; the launches happen afterwards, in
/// order, and on a GPU only they are timed. So it cannot look at what a kernel wrote: only
/// functions that it gives to `result` and `values` can. Arrays live to the end of the run.
template <class Device, class T>
class OwnRun {
 public:
  using Element = T;
  template <class U>
  using Array = typename Device::template Array<U>;

  OwnRun(Device& device, const RunConfig& config) : device_(device), config_(config) {}

  [[nodiscard]] std::int64_t n() const { return config_.n; }
  [[nodiscard]] std::int32_t width() const { return config_.spec.width; }  ///< V, lanes of a task
  [[nodiscard]] const AgpuSpec& spec() const { return config_.spec; }
  [[nodiscard]] const std::string& variant() const { return config_.variant; }
  /// Throws UsageError for a name that the row's `parameters` do not list.
  [[nodiscard]] std::int64_t parameter(const std::string& name) const {
    const auto it = config_.parameters.find(name);
    if (it != config_.parameters.end()) return it->second;
    throw UsageError("the program of " + config_.algorithm + " asks for the parameter '" + name +
                     "', which is none of its row: add it to row.parameters");
  }
  /// Tasks that take `elements` elements each, the last the rest of n.
  [[nodiscard]] std::int64_t tasks_of(std::int64_t elements) const {
    return (n() + elements - 1) / elements;
  }

  /// The n elements of the input, uploaded.
  [[nodiscard]] Array<T> input(std::string name = "input") {
    return upload(n(), std::move(name), [&] { return input_of<T>(config_); });
  }
  /// An array that kernels write before they read it.
  template <class U = T>
  [[nodiscard]] Array<U> array(std::int64_t size, std::string name) {
    return device_.template allocate<U>(size, std::move(name));
  }
  /// An array of the `size` values in the vector that `make()` returns, which is not called where
  /// counts are derived.
  template <class Make>
  [[nodiscard]] auto upload(std::int64_t size, std::string name, Make make) {
    using U = typename std::invoke_result_t<Make>::value_type;
    const Array<U> array = device_.template allocate<U>(size, std::move(name));
    device_.template upload<U>(array, make);
    return array;
  }
  /// One phase: `kernel(mp, views...)` for each of `tasks` tasks.
  template <class Kernel, class... Args>
  void launch(std::int64_t tasks, const Kernel& kernel, const Args&... args) {
    launches_.push_back(
        [&device = device_, tasks, kernel, args...] { device.launch(tasks, kernel, args...); });
  }
  /// The elements of an array after the launches: for the functions that `result` and `values`
  /// take.
  template <class Elements>
  [[nodiscard]] auto download(const Elements& array) const {
    return device_.download(array);
  }
  /// Names what is compared with the reference: an array, or a function that returns the vector or
  /// its checksum.
  template <class Result>
  void result(const Result& result) {
    if constexpr (!std::is_invocable_v<Result>) {
      this->result([this, result] { return download(result); });
    } else if constexpr (std::is_same_v<std::invoke_result_t<Result>, std::uint64_t>) {
      checksum_ = result;
    } else {
      checksum_ = [result] { return agpusim::checksum(result()); };
      output_ = [result] { return output_of(result()); };
    }
  }
  /// Names a function that returns the output as a few numbers for a reader.
  void values(std::function<std::vector<NamedValue>()> values) { values_ = std::move(values); }

 private:
  template <class, class, class>
  friend class OwnProgram;

  Device& device_;
  RunConfig config_;
  std::vector<std::function<void()>> launches_;
  std::function<std::uint64_t()> checksum_;
  std::function<std::vector<NamedValue>()> values_;
  std::function<Output()> output_;
};

/// The host program that `Function`, a function of an OwnRun, describes.
template <class Device, class T, class Function>
class OwnProgram : public HostProgram {
 public:
  OwnProgram(Device& device, const RunConfig& config, const Function& function)
      : run_(device, config) {
    function(run_);
    if (!run_.checksum_) {
      throw UsageError("the program of " + config.algorithm +
                       " names no result: call run.result(array)");
    }
  }
  void run() override {
    for (const auto& launch : run_.launches_) launch();
  }
  std::uint64_t checksum() override { return run_.checksum_(); }
  std::vector<NamedValue> values() override {
    return run_.values_ ? run_.values_() : std::vector<NamedValue>{};
  }
  Output output() override { return run_.output_ ? run_.output_() : Output{}; }

 private:
  OwnRun<Device, T> run_;
};

/// Calls `f` with a value of that of `Types` which the run's type names.
template <class First, class... Rest, class F>
auto with_type_of(const RunConfig& config, const F& f) {
  if constexpr (sizeof...(Rest) == 0) {
    return f(First{});
  } else {
    return config.type == element_type_name<First>() ? f(First{})
                                                     : with_type_of<Rest...>(config, f);
  }
}

template <class Device, class... Types, class Function>
[[nodiscard]] std::unique_ptr<HostProgram> own_program(Device& device, const RunConfig& config,
                                                       const Function& function) {
  return with_type_of<Types...>(config, [&]<class T>(T) -> std::unique_ptr<HostProgram> {
    return std::make_unique<OwnProgram<Device, T, Function>>(device, config, function);
  });
}

/// Runs `program`, a function of an OwnRun that returns a function, and returns what that function
/// finds after the launches.
template <class T, class Device, class Program>
[[nodiscard]] auto found_by(Device& device, const RunConfig& config, const Program& program) {
  std::function<decltype(program(std::declval<OwnRun<Device, T>&>())())()> found;
  const auto prepared = own_program<Device, T>(device, config, [&](OwnRun<Device, T>& run) {
    found = program(run);
    run.result([] { return std::uint64_t{0}; });
  });
  prepared->run();
  return found();
}

/// A row of the table from `program`, a function of an OwnRun, for elements of `Types`, whose
/// result nobody checks. `Device`: that of the abstract machine.
template <class Device, class... Types, class Program>
[[nodiscard]] Algorithm own_row(std::string name, const Program& program) {
  Algorithm row;
  row.name = std::move(name);
  row.types = {element_type_name<Types>()...};
  row.inputs = input_kinds();
  if (!(std::is_unsigned_v<Types> && ...)) {
    std::erase_if(row.inputs, [](const std::string& kind) {
      const auto& numeric = numeric_kinds();
      return std::find(numeric.begin(), numeric.end(), kind) == numeric.end();
    });
  }
  row.given_values = true;
  row.program = [program](Device& device, const RunConfig& config) {
    return own_program<Device, Types...>(device, config, program);
  };
  return row;
}

/// A row with `reference`, a function from the vector of elements, and the RunConfig where it
/// takes two arguments, to the vector that must result.
template <class Device, class... Types, class Program, class Reference>
[[nodiscard]] Algorithm own_row(std::string name, const Program& program,
                                const Reference& reference) {
  Algorithm row = own_row<Device, Types...>(std::move(name), program);
  const auto of = [reference]<class T>(T, const RunConfig& config) {
    if constexpr (std::is_invocable_v<Reference, std::vector<T>, const RunConfig&>) {
      return reference(input_of<T>(config), config);
    } else {
      return reference(input_of<T>(config));
    }
  };
  row.reference = [of](const RunConfig& config) {
    return with_type_of<Types...>(config, [&](auto type) { return checksum(of(type, config)); });
  };
  row.expected = [of](const RunConfig& config) {
    return with_type_of<Types...>(config, [&](auto type) { return output_of(of(type, config)); });
  };
  return row;
}

}  // namespace agpusim
