#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

#include "agpusim/cudart/runtime.hpp"

/// A function that programs see: all other symbols of the library are hidden.
#define AGPUSIM_CUDART extern "C" __attribute__((visibility("default")))
/// Another version of a function, which a program cannot tell apart.
#define AGPUSIM_ALSO(other, name) AGPUSIM_CUDART decltype(name) other __attribute__((alias(#name)));

namespace agpusim::cudart {

/// Why a call fails, where there is more to say than the text of its status: thrown by its body.
struct Failure {
  Status status = Status::success;
  std::string reason = {};    ///< in numbers
  std::string kernel = {};    ///< mangled
  bool of_simulator = false;  ///< a GPU may have done it
};

/// What must be before a function of the driver's interface is called.
enum class Needs : std::uint8_t { nothing, initialized, context };

/// In a function of the driver's interface: what that one needs.
inline thread_local std::optional<Needs> driver_needs;

/// This thread is in a function of the driver's interface (cu...), which may call one of the
/// runtime's: an error is that of the outer one.
class DriverScope {
 public:
  explicit DriverScope(Needs needs) : before_(std::exchange(driver_needs, needs)) {}
  ~DriverScope() { driver_needs = before_; }
  DriverScope(const DriverScope&) = delete;
  DriverScope& operator=(const DriverScope&) = delete;

 private:
  std::optional<Needs> before_;
};

/// In a function of a library beside this one: the name under which its errors are told.
inline thread_local const char* library_function = nullptr;

/// Whether what the function needs is there. A function of the runtime makes it.
[[nodiscard]] Status admit(Runtime& runtime);

/// Reports an error as the interface names it, where that is the runtime's makes it the last one of
/// this thread, and gives it back.
Status remember(Status status, Failure failure = {});
/// What an exception means for the call in which it is thrown.
Failure failure_of(const std::exception& exception);

/// What the program points to, where a call writes a result or reads a structure. Throws Status for
/// null.
template <class T>
T& required(T* pointer) {
  if (pointer == nullptr) throw Status::invalid_value;
  return *pointer;
}

/// Products and sums of sizes that the program gives; SIZE_MAX where that is too small.
inline std::size_t times(std::size_t a, std::size_t b) {
  std::size_t product = 0;
  return __builtin_mul_overflow(a, b, &product) ? SIZE_MAX : product;
}
inline std::size_t plus(std::size_t a, std::size_t b) {
  std::size_t sum = 0;
  return __builtin_add_overflow(a, b, &sum) ? SIZE_MAX : sum;
}

/// Functions of the host that a stream calls may not call.
[[nodiscard]] bool is_permitted();

/// Whether this thread is in a function of the interface.
inline thread_local bool is_in_call = false;

/// Keeps other threads out of all functions of the interface.
class CallScope {
 public:
  explicit CallScope(Runtime& runtime) : guard_(runtime.mutex) { is_in_call = true; }
  ~CallScope() { is_in_call = false; }
  CallScope(const CallScope&) = delete;
  CallScope& operator=(const CallScope&) = delete;

 private:
  std::lock_guard<std::mutex> guard_;
};

/// What a function returns; success of one that returns nothing, which throws where it fails.
template <class Function, class... Arguments>
Status status_of(const Function& function, Arguments&... arguments) {
  if constexpr (std::is_void_v<std::invoke_result_t<Function, Arguments&...>>) {
    function(arguments...);
    return Status::success;
  } else {
    return function(arguments...);
  }
}

/// Runs the body of one function of the interface, alone in the process, unless a kernel has failed
/// before. The error, which may be thrown, is remembered; an exception becomes an error and a
/// message on stderr.
template <class Body>
Status call(const Body& body) {
  Runtime* const runtime = Runtime::get();
  if (runtime == nullptr) return remember(Status::initialization);
  if (!is_permitted()) return remember(Status::not_permitted);
  const CallScope scope(*runtime);
  try {
    const Status admitted = admit(*runtime);
    const Status fault = admitted != Status::success ? admitted : runtime->fault.load();
    return remember(fault != Status::success ? fault : status_of(body, *runtime));
  } catch (const Status status) {
    return remember(status);
  } catch (const Failure& failure) {
    return remember(failure.status, failure);
  } catch (const std::exception& exception) {
    const Failure failure = failure_of(exception);
    return remember(failure.status, failure);
  }
}

}  // namespace agpusim::cudart
