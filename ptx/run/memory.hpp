#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "agpusim/model/agpu/atomic_tally.hpp"
#include "agpusim/model/agpu/execution.hpp"
#include "agpusim/model/agpu/race_detector.hpp"
#include "agpusim/model/agpu/spec.hpp"
#include "agpusim/model/agpu/zeroed_memory.hpp"
#include "agpusim/ptx/run/footprint.hpp"
#include "agpusim/ptx/run/global_shadow.hpp"

namespace agpusim::ptx {

/// An address of the generic space; in global memory the host's own.
using Address = std::uint64_t;

/// A piece of global memory that was allocated, or adopted from the host.
struct Allocation {
  std::string name;
  Address begin = 0;
  std::uint64_t bytes = 0;
  bool constant = false;  ///< kernels may not write there
  bool released = false;
  bool of_kernel = false;             ///< malloc of a kernel gave it
  bool of_host = false;               ///< the program's host half uses it too
  std::uint64_t number = 0;           ///< how many allocations were before it
  bool over_link = false;             ///< it lies in the host's memory
  std::size_t place = 0;              ///< number below traffic_places
  std::shared_ptr<std::byte> memory;  ///< null where it is the program's own
  ZeroedMemory written;          ///< a bit for each byte that has a value, or none where all have
  std::uint64_t written_in = 0;  ///< last launch that may write to it
  std::uint64_t launch = 0;      ///< the last one that used it, for which the following is
  std::uint32_t element_bytes = 0;  ///< bytes of an element of `races`
  std::unique_ptr<RaceDetector> races;
  std::unique_ptr<AtomicTally> tally;
  std::unique_ptr<Footprint> footprint;  ///< footprint of that launch, if asked for
  bool concurrent = false;               ///< `races` and `tally` are for several host threads

  [[nodiscard]] Address end() const { return begin + bytes; }
};

/// The global memory of a device.
class Memory {
 public:
  /// `finds_unwritten`: takes note of the bytes that have values.
  explicit Memory(const AgpuSpec& spec, bool finds_unwritten = true)
      : spec_(spec), finds_unwritten_(finds_unwritten) {}

  /// Memory at an address that is a multiple of 512; a kernel that reads it before it is written is
  /// found. `of_host`: the program's host half uses it too. Throws UsageError where the host has
  /// none.
  Address allocate(std::size_t bytes, std::string name, bool of_host = false);
  /// Gives memory that reads as 0; throws std::bad_alloc.
  using Source = std::function<std::shared_ptr<std::byte>(std::size_t)>;
  /// Whence allocations are: the device's own, and those that the host uses too.
  void set_sources(Source own, Source of_host) {
    source_ = std::move(own);
    host_source_ = std::move(of_host);
  }
  /// Which allocations have a footprint of each launch.
  enum class Noted : std::uint8_t { none, of_host, all };
  void note_uses(Noted noted) { noted_ = noted; }
  /// What the last launch has used of them.
  [[nodiscard]] Uses take_uses();
  /// malloc of a kernel: as allocate(), or null where its heap has not as much left.
  Address allocate_in_kernel(std::size_t bytes, std::string name);
  /// Bytes of that heap.
  void limit_heap(std::size_t bytes) { heap_limit_ = bytes; }
  /// A later use is found as long as not much else was released. Throws UsageError for an address
  /// that allocate() did not give.
  void release(Address address);
  /// Lets kernels use memory of the host, all of whose bytes have values.
  Allocation& adopt(void* host, std::size_t bytes, std::string name);
  /// The host has given these bytes values.
  void mark_written(Address address, std::size_t bytes);
  /// Bytes were copied: those without values are without values there too.
  void copy_written(Address to, Address from, std::size_t bytes);

  /// What holds the address, released or not; null where nothing does.
  [[nodiscard]] Allocation* find(Address address);
  /// What begins closest to the address, for messages; null in empty memory.
  [[nodiscard]] const Allocation* nearest(Address address) const;

  /// A launch begins of so many CTAs, whose smallest access has so many bytes. `races`: it looks
  /// for them; `concurrent`: several host threads run it.
  void begin_launch(std::int64_t ctas, std::uint32_t smallest, bool races, bool concurrent);
  /// It may write to what holds this address; or everywhere.
  void may_write(Address address);
  void may_write_all() { writes_all_ = true; }
  [[nodiscard]] bool may_be_written(Allocation& allocation) const {
    return writes_all_ || std::atomic_ref(allocation.written_in).load() == launch_;
  }
  /// The launch uses an allocation.
  void use(Allocation& allocation) {
    const std::atomic_ref last(allocation.launch);
    if (last.load(std::memory_order_acquire) != launch_) use_first(allocation);
  }
  /// Most atomic operations on one word of an allocation, and the blocks that they touched.
  struct Meetings {
    std::int64_t contention = 0;
    std::int64_t blocks = 0;
  };
  [[nodiscard]] Meetings meetings() const;
  /// Words alive, the maximum so far.
  [[nodiscard]] std::int64_t words_peak() const { return words_peak_; }
  /// Alive, by Allocation::place.
  [[nodiscard]] const std::array<std::int64_t, traffic_places>& sectors() const { return sectors_; }
  /// Words and uses of the launch, where its CTAs may be in order: then one host thread runs them.
  [[nodiscard]] Words& words() { return published_; }
  [[nodiscard]] GlobalShadow& shadow() { return shadow_; }
  /// Where atomic operations on it are counted.
  [[nodiscard]] AtomicTally& tally(Allocation& allocation);

 private:
  Allocation& insert(Allocation allocation);
  void set_written(Allocation& allocation, std::uint64_t first, std::uint64_t end, bool is_written);
  void use_first(Allocation& allocation);
  static std::shared_ptr<std::byte> zeroed_memory(std::size_t bytes);

  AgpuSpec spec_;
  bool finds_unwritten_;
  Source source_ = zeroed_memory;
  Source host_source_ = zeroed_memory;
  Noted noted_ = Noted::none;
  std::map<Address, Allocation> allocations_;  // by begin
  std::size_t number_ = 0;
  std::size_t heap_limit_ = std::size_t{8} << 20;           // bytes, as in a new context of CUDA
  std::size_t heap_bytes_ = 0;                              // bytes that kernels have allocated
  std::deque<std::pair<Address, std::uint64_t>> released_;  // begin and bytes
  std::uint64_t released_bytes_ = 0;
  std::int64_t words_ = 0;
  std::int64_t words_peak_ = 0;
  std::array<std::int64_t, traffic_places> sectors_{};
  bool concurrent_ = false;  // some launch was
  // The launch at hand.
  std::uint64_t launch_ = 0;  // number
  std::int64_t ctas_ = 0;
  std::uint32_t smallest_ = 0;
  bool races_ = false;
  bool writes_all_ = false;
  std::vector<Address> used_;  // allocations
  Words published_;
  GlobalShadow shadow_{&published_};
  std::mutex using_;  // guards `used_`, and what launches know of allocations
};

}  // namespace agpusim::ptx
