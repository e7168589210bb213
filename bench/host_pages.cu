#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <memory>
#include <span>
#include <sstream>
#include <string>
#include <sys/mman.h>
#include <system_error>
#include <thread>
#include <vector>

#include <fmt/format.h>

#include "agpusim/cuda/buffer.cuh"
#include "agpusim/cuda/error.cuh"
#include "agpusim/cuda/own_stream.cuh"
#include "agpusim/cuda/stream.cuh"
#include "agpusim/cuda/streams/staging.cuh"
#include "agpusim/model/error.hpp"
#include "agpusim/model/transfer/host_parallel.hpp"

// What pages of 4 KiB and of 2 MiB make of host arrays: first touch, pinning, copies to and from
// the device, reads and writes of the host's cores.
namespace {

using namespace agpusim;
using namespace agpusim::out_of_core;

constexpr std::size_t bytes = std::size_t{4} << 30;
constexpr std::size_t words = bytes / sizeof(std::uint64_t);
constexpr std::size_t small_page = std::size_t{4} << 10;
constexpr std::size_t huge_page = std::size_t{2} << 20;
constexpr int repeats = 5;

template <class Work>
double seconds_of(const Work& work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

/// Prints amount / seconds, or seconds where the amount is 0: best and median.
void print_row(const std::string& array, const std::string& what, double amount,
               std::vector<double> seconds, const char* unit) {
  std::sort(seconds.begin(), seconds.end());
  const auto value = [&](double time) { return amount > 0 ? amount / time : time; };
  fmt::print("{:22} {:44} {:9.3f} {:9.3f} {}\n", array, what, value(seconds.front()),
             value(seconds[seconds.size() / 2]), unit);
}

/// print_row of work(), repeated after one run that is not counted.
template <class Work>
void measure(const std::string& array, const std::string& what, double amount, const char* unit,
             const Work& work) {
  work();
  std::vector<double> seconds;
  for (int i = 0; i < repeats; ++i) seconds.push_back(seconds_of(work));
  print_row(array, what, amount, std::move(seconds), unit);
}

/// KiB of huge pages of the mapping that `data` lies in; -1 where the system does not say.
std::int64_t huge_kib_of(const void* data) {
  std::ifstream maps("/proc/self/smaps");
  const auto address = reinterpret_cast<std::uintptr_t>(data);
  bool inside = false;
  for (std::string line; std::getline(maps, line);) {
    std::istringstream words_of_line(line);
    std::uintptr_t begin = 0;
    std::uintptr_t end = 0;
    char dash = 0;
    if (words_of_line >> std::hex >> begin >> dash >> end && dash == '-') {
      inside = begin <= address && address < end;
    } else if (inside && line.starts_with("AnonHugePages:")) {
      return std::stoll(line.substr(line.find(':') + 1));
    }
  }
  return -1;
}

/// A kind of page as madvise asks for it.
struct Pages {
  const char* name;
  int advice;
};
constexpr std::array<Pages, 2> kinds{{{"4 KiB", MADV_NOHUGEPAGE}, {"2 MiB", MADV_HUGEPAGE}}};

/// 4 GiB from the border of a huge page on, of no page yet.
class Mapping {
 public:
  explicit Mapping(const Pages& pages) {
    mapped_ = mmap(nullptr, bytes + huge_page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
                   -1, 0);
    if (mapped_ == MAP_FAILED) {
      throw Unavailable(fmt::format("cannot map {} bytes of host memory: {}; end other programs",
                                    bytes, std::generic_category().message(errno)));
    }
    std::size_t space = bytes + huge_page;
    data_ = mapped_;
    std::align(huge_page, bytes, data_, space);
    if (madvise(data_, bytes, pages.advice) != 0) {
      fmt::print("madvise for pages of {} was REFUSED: {}\n", pages.name,
                 std::generic_category().message(errno));
    }
  }
  ~Mapping() { munmap(mapped_, bytes + huge_page); }
  Mapping(const Mapping&) = delete;
  Mapping& operator=(const Mapping&) = delete;

  [[nodiscard]] void* data() const { return data_; }

 private:
  void* mapped_ = nullptr;
  void* data_ = nullptr;
};

/// Writes a byte of every small page, by all cores.
void touch(void* data) {
  for_each_index(static_cast<std::int64_t>(bytes / huge_page), [&](std::int64_t page) {
    volatile std::byte* const first =
        static_cast<std::byte*>(data) + static_cast<std::size_t>(page) * huge_page;
    for (std::size_t at = 0; at < huge_page; at += small_page) first[at] = std::byte{1};
  });
}

/// part(begin, end) of `count` on one core or on all.
template <class Part>
void on_cores(bool all, std::size_t count, const Part& part) {
  if (!all) return part(std::size_t{0}, count);
  for_ranges(static_cast<std::int64_t>(count), [&](std::int64_t begin, std::int64_t end) {
    part(static_cast<std::size_t>(begin), static_cast<std::size_t>(end));
  });
}

/// A place in the array for every i, by a multiplication whose high bits are as good as random.
std::size_t place_of(std::uint64_t i) {
  constexpr int shift = 64 - 29;
  static_assert(words == std::size_t{1} << 29);
  return static_cast<std::size_t>(((i ^ (i >> 7)) * 0x9e3779b97f4a7c15U) >> shift);
}

/// Where sums go, so that no loop is left out.
std::atomic<std::uint64_t> sink{0};

void measure_cores(const std::string& array, void* data) {
  const std::span<std::uint64_t> values(static_cast<std::uint64_t*>(data), words);
  for (const bool all : {false, true}) {
    const std::string cores = all ? "all threads" : "one thread";
    // Enough to be timed: one thread makes some 10 to 100 million random accesses a second.
    const std::size_t accesses = std::size_t{1} << (all ? 28 : 25);
    const auto sum = [&](std::size_t count, const auto& value) {
      on_cores(all, count, [&](std::size_t begin, std::size_t end) {
        std::uint64_t total = 0;
        for (std::size_t i = begin; i < end; ++i) total += value(i);
        sink += total;
      });
    };
    measure(array, "sum in order, " + cores, bytes / 1e9, "GB/s",
            [&] { sum(words, [&](std::size_t i) { return values[i]; }); });
    const double millions = static_cast<double>(accesses) / 1e6;
    measure(array, "random reads of 8 bytes, " + cores, millions, "million/s",
            [&] { sum(accesses, [&](std::size_t i) { return values[place_of(i)]; }); });
    measure(array, "random writes of 8 bytes, " + cores, millions, "million/s", [&] {
      on_cores(all, accesses, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
          // Threads may meet.
          std::atomic_ref(values[place_of(i)]).store(i, std::memory_order_relaxed);
        }
      });
    });
  }
}

/// `copy`(to, from, kind) of the whole array, both ways.
template <class Copy>
void measure_copies(const std::string& array, const std::string& how, const DeviceBuffer& device,
                    void* host, const Copy& copy) {
  measure(array, "copy in, " + how, bytes / 1e9, "GB/s",
          [&] { copy(device.data(), host, cudaMemcpyHostToDevice); });
  measure(array, "copy out, " + how, bytes / 1e9, "GB/s",
          [&] { copy(host, device.data(), cudaMemcpyDeviceToHost); });
}

void measure_pageable(const std::string& array, const DeviceBuffer& device, void* host) {
  measure_copies(array, "by the driver", device, host,
                 [](void* to, const void* from, cudaMemcpyKind kind) {
                   AGPUSIM_CUDA_CHECK(cudaMemcpy(to, from, bytes, kind));
                 });
  const OwnStream stream;
  Staging staging;
  constexpr auto size = static_cast<std::int64_t>(bytes);
  staging.reserve(size);
  measure_copies(array, "by pinned pieces and all threads", device, host,
                 [&](void* to, const void* from, cudaMemcpyKind kind) {
                   if (kind == cudaMemcpyHostToDevice) {
                     staging.copy_in(to, from, size, stream.get());
                   } else {
                     staging.copy_out(to, from, size, stream.get());
                   }
                   staging.drain();
                   AGPUSIM_CUDA_CHECK(cudaStreamSynchronize(stream.get()));
                 });
}

void measure_pinned(const std::string& array, const DeviceBuffer& device, void* host) {
  const OwnStream stream;
  measure_copies(array, "pinned", device, host,
                 [&](void* to, const void* from, cudaMemcpyKind kind) {
                   AGPUSIM_CUDA_CHECK(cudaMemcpyAsync(to, from, bytes, kind, stream.get()));
                   AGPUSIM_CUDA_CHECK(cudaStreamSynchronize(stream.get()));
                 });
}

/// First touch of fresh mappings, and pinning of them.
void measure_beginnings(const Pages& pages) {
  std::vector<double> touching;
  std::vector<double> pinning;
  for (int i = 0; i < repeats; ++i) {
    const Mapping mapping(pages);
    touching.push_back(seconds_of([&] { touch(mapping.data()); }));
    pinning.push_back(seconds_of([&] {
      AGPUSIM_CUDA_CHECK(cudaHostRegister(mapping.data(), bytes, cudaHostRegisterDefault));
    }));
    AGPUSIM_CUDA_CHECK(cudaHostUnregister(mapping.data()));
  }
  print_row(pages.name, "first touch, all threads", 0, touching, "s");
  print_row(pages.name, "cudaHostRegister of touched memory", 0, pinning, "s");
}

void measure_pages(const Pages& pages, const DeviceBuffer& device) {
  measure_beginnings(pages);
  const Mapping mapping(pages);
  touch(mapping.data());
  const std::int64_t huge = huge_kib_of(mapping.data());
  const bool asked = pages.advice == MADV_HUGEPAGE;
  fmt::print("{}: {} of {} KiB lie in huge pages{}\n", pages.name,
             huge < 0 ? "an unknown part" : std::to_string(huge), bytes >> 10,
             asked && huge >= 0 && huge < static_cast<std::int64_t>(bytes >> 11)
                 ? ": huge pages were REFUSED, what follows is of small ones"
                 : "");
  const std::string name = pages.name;
  measure_cores(name, mapping.data());
  measure_pageable(name + ", pageable", device, mapping.data());
  AGPUSIM_CUDA_CHECK(cudaHostRegister(mapping.data(), bytes, cudaHostRegisterDefault));
  measure_pinned(name + ", registered", device, mapping.data());
  AGPUSIM_CUDA_CHECK(cudaHostUnregister(mapping.data()));
}

void measure_driver_memory(const DeviceBuffer& device) {
  const std::string name = "cudaMallocHost";
  void* host = nullptr;
  std::vector<double> allocating;
  for (int i = 0; i < repeats; ++i) {
    if (host != nullptr) AGPUSIM_CUDA_CHECK(cudaFreeHost(host));
    allocating.push_back(seconds_of([&] { AGPUSIM_CUDA_CHECK(cudaMallocHost(&host, bytes)); }));
  }
  print_row(name, "cudaMallocHost, first touch included", 0, allocating, "s");
  touch(host);
  const std::int64_t huge = huge_kib_of(host);
  fmt::print("{}: {} KiB lie in huge pages\n", name,
             huge < 0 ? "an unknown number of" : std::to_string(huge));
  measure_cores(name, host);
  measure_pinned(name, device, host);
  AGPUSIM_CUDA_CHECK(cudaFreeHost(host));
}

}  // namespace

int main() {
  require_cuda_device();
  std::ifstream enabled("/sys/kernel/mm/transparent_hugepage/enabled");
  std::string setting;
  std::getline(enabled, setting);
  fmt::print("arrays of 4 GiB, {} threads; transparent huge pages: {}\n",
             std::thread::hardware_concurrency(), setting.empty() ? "not told" : setting);
  fmt::print("{:22} {:44} {:>9} {:>9}\n", "array", "", "best", "median");
  const DeviceBuffer device(bytes, "device");
  for (const Pages& pages : kinds) measure_pages(pages, device);
  measure_driver_memory(device);
}
