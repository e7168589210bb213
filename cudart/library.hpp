#pragma once

#include <cstddef>
#include <functional>
#include <string>

#include "agpusim/cudart/abi.hpp"

/// What the libraries of cudalibs ask the runtime for.
namespace agpusim::cudart {

/// Memory of the device: rows of `bytes` bytes, whose begins lie `pitch` bytes apart.
struct UsedMemory {
  const void* begin = nullptr;
  std::size_t bytes = 0;
  std::size_t rows = 1;
  std::size_t pitch = 0;
  bool is_written = false;
};
/// Tells what is used next. Throws what ends the call where the device does not hold all of it.
using UseMemory = std::function<void(const UsedMemory&)>;

/// What a function of a library does in a stream, as a kernel does.
struct LibraryCall {
  const char* library = nullptr;  ///< "cuBLAS"
  std::string function;           ///< "cublasSgemm"
  Stream* stream = nullptr;
  bool waits = false;  ///< it writes to the host, which waits for it
  std::function<void(const UseMemory&)> compute;
};

extern "C" Status agpusimCallLibrary(const LibraryCall& wanted);
/// The function is not supported.
extern "C" void agpusimRefuse(const std::string& function);

}  // namespace agpusim::cudart
