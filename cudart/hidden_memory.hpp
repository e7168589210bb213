#pragma once

#include <cstddef>
#include <memory>

#include "agpusim/ptx/run/ranges.hpp"

namespace agpusim::cudart {

/// Memory of the device: the program holds its addresses, and only this library may use them, where
/// it is open. The program's thread that does is stopped by the system.
class HiddenMemory {
 public:
  /// Memory that reads as 0, in whole pages. Throws std::bad_alloc.
  std::shared_ptr<std::byte> take(std::size_t bytes);
  /// Whether an address is one of it.
  [[nodiscard]] bool holds(const void* address) const;

  void open();
  void close();

 private:
  void map(std::size_t bytes);
  [[nodiscard]] std::byte* find_free(std::size_t bytes, std::size_t alignment);

  ptx::Ranges mapped_;
  ptx::Ranges free_;
  int opened_ = 0;
};

/// Opens it for a while.
class Opened {
 public:
  explicit Opened(HiddenMemory& memory) : memory_(memory) { memory_.open(); }
  ~Opened() { memory_.close(); }
  Opened(const Opened&) = delete;
  Opened& operator=(const Opened&) = delete;

 private:
  HiddenMemory& memory_;
};

}  // namespace agpusim::cudart
