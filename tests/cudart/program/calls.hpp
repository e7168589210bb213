#pragma once

namespace agpusim::test {

// Programs without a kernel.

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

}  // namespace agpusim::test
