// cub::DeviceRadixSort::SortKeys for 32-bit keys, as CUB's own host code launches its kernels.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstring>
#include <string_view>

#include "agpusim/ptx/run/device.hpp"
#include "agpusim/tests/ptx/fixtures.hpp"

namespace agpusim::ptx {

class CubSort {
 public:
  CubSort()
      : module_(std::make_shared<const Module>(Module::parse(fixture("cub_sort"), "cub_sort.ptx"))),
        histogram_(kernel("HistogramKernel")),
        sum_(kernel("ExclusiveSumKernel")),
        onesweep_(kernel("OnesweepKernel")) {}

  struct Sorted {
    std::vector<std::uint32_t> keys;
    std::vector<LaunchReport> launches;
  };
  /// `seconds`: what launches of kernels with `timed` in their names take is added.
  [[nodiscard]] Sorted sort(const std::vector<std::uint32_t>& keys, Device& device,
                            std::string_view timed = "", double* seconds = nullptr) const {
    Memory& memory = device.memory();
    const auto count = static_cast<std::uint32_t>(keys.size());
    const std::uint32_t tiles = (count + tile - 1) / tile;
    const Address in = cleared(memory, 4 * keys.size());
    std::memcpy(reinterpret_cast<void*>(in), keys.data(), 4 * keys.size());
    const Address out = memory.allocate(4 * keys.size(), "out");
    const Address between = memory.allocate(4 * keys.size(), "between");
    const Address bins = cleared(memory, 4 * passes * digits);
    const Address counters = cleared(memory, 4 * passes);
    Sorted result;
    const auto launch = [&](const std::shared_ptr<const Program>& program, std::uint32_t ctas,
                            std::uint32_t threads, const std::vector<std::uint64_t>& arguments) {
      std::vector<std::byte> parameters(program->parameter_bytes);
      for (std::size_t i = 0; i < arguments.size(); ++i) {
        const Parameter& parameter = program->parameters[i];
        std::memcpy(parameters.data() + parameter.offset, &arguments[i], parameter.bytes);
      }
      const auto begin = std::chrono::steady_clock::now();
      result.launches.push_back(
          device.launch({program, {ctas, 1, 1}, {threads, 1, 1}, 0, parameters}));
      if (seconds != nullptr && program->kernel.find(timed) != std::string::npos) {
        *seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
      }
    };
    launch(histogram_, std::min(tiles, 132U), 128, {bins, in, count, 0, 32});
    launch(sum_, passes, digits, {bins});
    Address from = in;
    Address to = between;
    for (std::uint32_t pass = 0; pass < passes; ++pass) {
      const Address lookback = cleared(memory, std::size_t{4} * tiles * digits);
      launch(onesweep_, tiles, 384,
             {lookback, counters + 4 * pass, 0, bins + 4 * digits * pass, to, from, 0, 0, count,
              8 * pass, 8});
      from = to;
      to = to == between ? out : between;
      memory.release(lookback);
    }
    result.keys.resize(keys.size());
    std::memcpy(result.keys.data(), reinterpret_cast<const void*>(from), 4 * keys.size());
    for (const Address address : {in, out, between, bins, counters}) memory.release(address);
    return result;
  }

 private:
  static constexpr std::uint32_t passes = 4;
  static constexpr std::uint32_t digits = 256;
  static constexpr std::uint32_t tile = 384 * 20;  ///< keys of a CTA

  [[nodiscard]] std::shared_ptr<const Program> kernel(std::string_view part) const {
    for (const std::string& name : module_->kernels()) {
      if (name.find(part) != std::string::npos) return Program::compile(module_, name);
    }
    return nullptr;
  }
  static Address cleared(Memory& memory, std::size_t bytes) {
    const Address address = memory.allocate(bytes, "cleared");
    memory.mark_written(address, bytes);
    return address;
  }

  std::shared_ptr<const Module> module_;
  std::shared_ptr<const Program> histogram_;
  std::shared_ptr<const Program> sum_;
  std::shared_ptr<const Program> onesweep_;
};

}  // namespace agpusim::ptx
