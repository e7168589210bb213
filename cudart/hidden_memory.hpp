#pragma once

#include <cstddef>
#include <memory>

#include "agpusim/ptx/run/ranges.hpp"

namespace agpusim::cudart {

inline constexpr std::size_t host_page = 4096;  ///< bytes, the least that can be hidden

/// Whole pages for allocations, in mappings that all have one protection.
class Pages {
 public:
  explicit Pages(int protection) : protection_(protection) {}
  /// Memory that reads as 0. Throws std::bad_alloc.
  std::shared_ptr<std::byte> take(std::size_t bytes);
  /// Whether an address is in them.
  [[nodiscard]] bool holds(const void* address) const;
  /// Throws std::bad_alloc.
  void protect(int protection);

 private:
  void map(std::size_t bytes);
  [[nodiscard]] std::byte* find_free(std::size_t bytes, std::size_t alignment);

  int protection_;
  ptx::Ranges mapped_;
  ptx::Ranges free_;
};

/// Memory whose addresses the program holds, and that only this library may use, where it is open.
/// The program's thread that does is stopped by the system.
class HiddenMemory {
 public:
  HiddenMemory();
  Pages of_device;
  Pages of_host;  ///< hidden where work in flight uses it

  /// Hides pages of the host's memory too; `only`: and no others.
  void hide(const ptx::Ranges& pages, bool only = false);
  void show(const ptx::Range& pages);
  /// Whether an address is in pages of the host's memory that are hidden.
  [[nodiscard]] bool hides(const void* address) const;

  void open();
  void close();

 private:
  ptx::Ranges hidden_;  // pages of the host
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
