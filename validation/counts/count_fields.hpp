#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "agpusim/model/agpu/counts.hpp"

namespace agpusim::detail {

/// One field of Counts with the name that reports and messages use.
struct CountField {
  std::string_view name;
  std::int64_t (*get)(const Counts&);
};

/// Every field of Counts once, in the order of the struct.
inline constexpr std::array<CountField, 24> count_fields = {{
    {"alu", [](const Counts& c) { return c.alu; }},
    {"idle", [](const Counts& c) { return c.idle; }},
    {"global_read.requests", [](const Counts& c) { return c.global_read.requests; }},
    {"global_read.blocks", [](const Counts& c) { return c.global_read.blocks; }},
    {"global_read.sectors", [](const Counts& c) { return c.global_read.sectors; }},
    {"global_write.requests", [](const Counts& c) { return c.global_write.requests; }},
    {"global_write.blocks", [](const Counts& c) { return c.global_write.blocks; }},
    {"global_write.sectors", [](const Counts& c) { return c.global_write.sectors; }},
    {"global_atomic.requests", [](const Counts& c) { return c.global_atomic.requests; }},
    {"global_atomic.blocks", [](const Counts& c) { return c.global_atomic.blocks; }},
    {"global_atomic.sectors", [](const Counts& c) { return c.global_atomic.sectors; }},
    {"shared_read.requests", [](const Counts& c) { return c.shared_read.requests; }},
    {"shared_read.wavefronts", [](const Counts& c) { return c.shared_read.wavefronts; }},
    {"shared_read.conflicts", [](const Counts& c) { return c.shared_read.conflicts; }},
    {"shared_write.requests", [](const Counts& c) { return c.shared_write.requests; }},
    {"shared_write.wavefronts", [](const Counts& c) { return c.shared_write.wavefronts; }},
    {"shared_write.conflicts", [](const Counts& c) { return c.shared_write.conflicts; }},
    {"shared_atomic.requests", [](const Counts& c) { return c.shared_atomic.requests; }},
    {"shared_atomic.wavefronts", [](const Counts& c) { return c.shared_atomic.wavefronts; }},
    {"shared_atomic.conflicts", [](const Counts& c) { return c.shared_atomic.conflicts; }},
    {"rounds", [](const Counts& c) { return c.rounds; }},
    {"serialised", [](const Counts& c) { return c.serialised; }},
    {"active_lanes", [](const Counts& c) { return c.active_lanes; }},
    {"lane_slots", [](const Counts& c) { return c.lane_slots; }},
}};
static_assert(sizeof(Counts) == count_fields.size() * sizeof(std::int64_t));

}  // namespace agpusim::detail
