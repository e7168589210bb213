#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "agpusim/ptx/run/warp.hpp"

namespace agpusim::ptx {

enum class Touched : std::uint8_t { read, write, atomic };

/// One access of a warp to memory: where its lanes find their bytes.
struct Request {
  alignas(64) std::array<std::uint64_t, warp_lanes> address;
  Lanes active = 0;
  std::uint32_t bytes = 4;  ///< bytes of each lane
  bool is_run = false;      ///< all lanes, at ascending neighbours
  bool is_same = false;     ///< one address for all, that of the first active lane
  std::uint64_t base = 0;   ///< what the addresses count from, in the host's memory
  /// Where 32 words begin among which are all of them; null where these are not known.
  const std::uint32_t* words = nullptr;
  const std::uint32_t* above = nullptr;  ///< bytes of each lane's, from there on
  bool has_values = false;  ///< the caller tells Races what lanes store that race with others
  Lanes racing = 0;         ///< lanes that do
  std::array<std::uint64_t, warp_lanes> word;  ///< the word of each, as Races takes it

  [[nodiscard]] std::byte* at(std::uint32_t lane) const {
    return reinterpret_cast<std::byte*>(base + address[lane]);
  }
};

/// Finds, checks and bills the access of the active lanes. Throws Stopped where an address is none.
void locate(Warp& warp, const Instruction& instruction, Touched touched, Request& request);

/// locate() for lanes and addresses of global memory that the request has already.
void locate_lanes(Warp& warp, const Instruction& instruction, Touched touched, Request& request);

/// Where the host has `bytes` bytes of global or shared memory that one lane moves by itself;
/// checks and bills them as locate() does. Throws also for what is no multiple of 16.
[[nodiscard]] std::byte* locate_run(Warp& warp, const Instruction& instruction, Touched touched,
                                    Space space, std::uint32_t lane, std::uint64_t address,
                                    std::uint32_t bytes);

/// Adds a finding for each of these lanes, whose value of a plain write another one has replaced.
void find_conflicts(Warp& warp, const Instruction& instruction, Request& request, Lanes lanes);

}  // namespace agpusim::ptx
