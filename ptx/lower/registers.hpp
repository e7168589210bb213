#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "agpusim/ptx/lower/flow.hpp"

namespace agpusim::ptx {

/// Where each register of an expanded kernel lies in the row memory of a warp. Registers that do
/// not live at once share a place.
struct RegisterPlaces {
  std::vector<Place> place;             ///< place of each register; no_place: never used
  std::vector<std::uint8_t> bytes;      ///< bytes of each register in a lane; 0: a predicate
  std::vector<std::uint32_t> at_begin;  ///< registers that may be read before they are written
  std::uint32_t end = 0;                ///< bytes of row memory
  std::uint32_t live_words = 0;         ///< most 32-bit registers of a lane that live at once
};

/// From `first` on, a multiple of 64.
[[nodiscard]] RegisterPlaces place_registers(const Flow& flow, std::uint32_t first);

/// Calls f(register, is_written) for each register of a step, also that of its guard.
void for_registers(const Flow& flow, const Step& step,
                   const std::function<void(std::uint32_t, bool)>& f);

/// Whether the loop of the pieces first to last of Flow::order waits for what others write: it
/// writes nothing, and goes on by a value that it reads strongly, or tries to swap.
[[nodiscard]] bool waits_for_others(const Flow& flow, std::size_t first, std::size_t last);

/// Whether what a CTA does may depend on which others have run before: it uses what it reads
/// strongly in global memory, or what an atomic operation there gives.
[[nodiscard]] bool depends_on_order(const Flow& flow);

/// What the kernel may write in global memory.
[[nodiscard]] Targets targets_of(const Flow& flow);

/// The bytes of a lane that a register of this type takes; 0 for a predicate.
[[nodiscard]] std::uint8_t register_bytes(Type type);

/// The letter of operand `i` of a row.
[[nodiscard]] char letter_of(const Opcode& row, std::size_t i);

}  // namespace agpusim::ptx
