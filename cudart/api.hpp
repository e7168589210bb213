#pragma once

#include <exception>

#include "agpusim/cudart/runtime.hpp"

/// A function that programs see: all other symbols of the library are hidden.
#define AGPUSIM_CUDART extern "C" __attribute__((visibility("default")))

namespace agpusim::cudart {

/// Makes an error the last one of this thread, and gives it back.
Status remember(Status status);

/// Runs the body of one function of the interface, alone in the process, unless a kernel has failed
/// before. The error, which may be thrown, is remembered; an exception becomes an error and a
/// message on stderr.
template <class Body>
Status call(const Body& body) {
  Runtime* const runtime = Runtime::get();
  if (runtime == nullptr) return remember(Status::initialization);
  const std::lock_guard guard(runtime->mutex);
  try {
    const Status fault = runtime->fault;
    return remember(fault != Status::success ? fault : body(*runtime));
  } catch (const Status status) {
    return remember(status);
  } catch (const std::exception& failure) {
    return remember(runtime->error_of(failure));
  }
}

}  // namespace agpusim::cudart
