#pragma once

#include <string>

#include "agpusim/cudart/library.hpp"

/// A name that programs see: all others of a library are hidden.
#define AGPUSIM_LIBRARY_NAME extern "C" __attribute__((visibility("default")))
/// Gives a function such a name: (cublasSaxpy_v2, axpy<float, int>).
#define AGPUSIM_EXPORT(name, ...)                                       \
  extern "C" decltype(__VA_ARGS__)* of_##name() { return __VA_ARGS__; } \
  AGPUSIM_LIBRARY_NAME __attribute__((ifunc("of_" #name))) decltype(__VA_ARGS__) name;

/// Libraries in the place of NVIDIA's, with all names that their headers declare.
namespace agpusim::cudalibs {

using cudart::Stream;
using Use = cudart::UseMemory;

/// A library, with those of its statuses that each has; 0 is success.
struct Library {
  const char* name;
  int major, minor, patch;
  int unit;  ///< what the number of a version counts a major one as
  int not_initialized, no_memory, invalid_value, failed, not_supported;
};
inline constexpr Library cublas = {"cuBLAS", 13, 1, 0, 10000, 1, 3, 7, 13, 15};
inline constexpr Library cublasLt = {"cuBLASLt", 13, 1, 0, 10000, 1, 3, 7, 13, 15};
inline constexpr Library curand = {"cuRAND", 10, 4, 0, 1000, 101, 102, 104, 201, 204};
inline constexpr Library cufft = {"cuFFT", 12, 0, 0, 1000, 1, 2, 4, 6, 16};
inline constexpr Library cusparse = {"cuSPARSE", 12, 6, 3, 1000, 1, 2, 3, 6, 10};
inline constexpr Library cusolver = {"cuSOLVER", 12, 0, 4, 1000, 1, 2, 3, 6, 9};
/// The one that is built.
inline constexpr const Library& here = AGPUSIM_LIBRARY;

/// The status of what is not supported, which is said.
inline int refuse(const std::string& function) {
  // The headers of NVIDIA's have names without the version for it.
  cudart::agpusimRefuse(function.substr(0, function.find("_v2")));
  return here.not_supported;
}

/// Computes in a stream; `waits`: the result is the host's.
template <class Body>
int compute(const std::string& function, Stream* stream, bool waits, const Body& body) {
  using cudart::Status;
  const Status is = cudart::agpusimCallLibrary({here.name, function, stream, waits, body});
  return is == Status::success                      ? 0
         : is == Status::initialization             ? here.not_initialized
         : is == Status::memory_allocation          ? here.no_memory
         : is == Status::stream_capture_unsupported ? here.not_supported
                                                    : here.failed;
}

/// A handle with what programs set and get again.
struct Handle {
  Stream* stream = nullptr;
  int pointers = 0;  ///< 1: scalars and results are the device's
  int math = 0;
  int atomics = 0;
  int multiprocessors = 0;
  bool is_alive = true;
};

template <class T>
bool is_alive(const T* handle) {
  return handle != nullptr && handle->is_alive;
}
template <class T>
int create(T** handle) {
  return handle == nullptr ? here.invalid_value : (*handle = new T, 0);
}
/// Its memory stays: a call with it is an error, and work that waits in a stream may use it.
template <class T>
int destroy(T* handle) {
  return is_alive(handle) ? (handle->is_alive = false, 0) : here.not_initialized;
}

/// The functions that set and get a member of a handle.
template <auto member>
struct Member;
template <class T, class V, V T::*member>
struct Member<member> {
  static int set(T* handle, V value) {
    return is_alive(handle) ? (handle->*member = value, 0) : here.not_initialized;
  }
  static int get(T* handle, V* value) {
    if (value == nullptr) return here.invalid_value;
    return is_alive(handle) ? (*value = handle->*member, 0) : here.not_initialized;
  }
};

}  // namespace agpusim::cudalibs
