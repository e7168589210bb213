#include "agpusim/ptx/lower/calls.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>

#include <fmt/format.h>

#include "agpusim/ptx/run/worker.hpp"

namespace agpusim::ptx {
namespace {

/// A parameter of a call, of one lane.
template <class T>
T parameter(Warp& warp, Place offset, std::uint32_t lane) {
  T value;
  std::memcpy(&value, warp.cta.local(warp, lane) + warp.cta.program().local_bytes + offset,
              sizeof(T));
  return value;
}

/// The string at an address of global memory; as far as its allocation goes.
std::string text_at(Warp& warp, Address address) {
  const Allocation* const allocation = warp.cta.plan.memory.find(address);
  if (allocation == nullptr) return "(null)";
  const auto* const begin = reinterpret_cast<const char*>(address);
  return {begin, strnlen(begin, allocation->end() - address)};
}

/// One conversion of a format, without its length: "%-8.3d".
struct Conversion {
  std::string text = "%";
  char kind = 0;
  std::string length;  // "", "h", "hh", "l", "ll", ...
};
/// `width`: gives the values of asterisks.
template <class F>
Conversion conversion_at(const std::string& format, std::size_t& at, F width) {
  Conversion result;
  for (++at; at < format.size(); ++at) {
    const char c = format[at];
    if (std::strchr("diouxXcsfFeEgGaAp%", c) != nullptr) {
      result.kind = c;
      ++at;
      break;
    }
    if (c == '*') {
      result.text += fmt::format("{}", width());
    } else if (std::strchr("hlzjt", c) != nullptr) {
      result.length += c;
    } else if (std::strchr("-+ #0123456789.", c) != nullptr) {
      result.text += c;
    }
  }
  return result;
}
template <class T>
std::string formatted(const std::string& conversion, T value) {
  // The conversion was put together above, of what printf knows.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
  constexpr int most = 1 << 20;  // bytes: a width may be anything
  const int bytes = std::min(most, std::snprintf(nullptr, 0, conversion.c_str(), value));
  std::string text(static_cast<std::size_t>(std::max(0, bytes)) + 1, '\0');
  std::snprintf(text.data(), text.size(), conversion.c_str(), value);
#pragma GCC diagnostic pop
  text.pop_back();
  return text;
}

/// vprintf: place[0] result, [1] format, [2] arguments: each at a multiple of its size in local
/// memory.
void print(Warp& warp, const Instruction& i) {
  const Program& program = warp.cta.program();
  for_lanes(warp.active, [&](std::uint32_t l) {
    const std::string format = text_at(warp, parameter<Address>(warp, i.place[1], l));
    std::uint64_t next = parameter<Address>(warp, i.place[2], l);
    std::uint32_t count = 0;
    const auto take = [&]<class T>(T value) {
      ++count;
      next = (next + sizeof(T) - 1) / sizeof(T) * sizeof(T);
      const std::uint64_t offset = next - local_window;
      if (offset + sizeof(T) <= program.local_bytes) {
        std::memcpy(&value, warp.cta.local(warp, l) + offset, sizeof(T));
      }
      next += sizeof(T);
      return value;
    };
    // h and hh take the low bits of a word; other lengths have 64 bits.
    const auto integer = [&]<class Wide, class Word, class Half, class Byte>(
                             const Conversion& one, Wide, Word, Half, Byte) -> Wide {
      if (one.length == "hh") return static_cast<Byte>(take(Word{}));
      if (one.length == "h") return static_cast<Half>(take(Word{}));
      return one.length.empty() ? Wide{take(Word{})} : static_cast<Wide>(take(std::int64_t{}));
    };
    std::string& output = warp.cta.output;
    for (std::size_t at = 0; at < format.size();) {
      if (format[at] != '%') {
        output += format[at++];
        continue;
      }
      const Conversion one = conversion_at(format, at, [&] { return take(std::int32_t{}); });
      switch (one.kind) {
        case 0:
          break;
        case '%':
          output += '%';
          break;
        case 's':
          output += formatted(one.text + 's', text_at(warp, take(Address{})).c_str());
          break;
        case 'p':
          output += formatted(one.text + 's', fmt::format("0x{:x}", take(Address{})).c_str());
          break;
        case 'c':
          output += formatted(one.text + 'c', take(std::int32_t{}));
          break;
        case 'd':
        case 'i':
          output += formatted(one.text + "lld", integer(one, 0LL, std::int32_t{}, std::int16_t{},
                                                        static_cast<signed char>(0)));
          break;
        case 'o':
        case 'u':
        case 'x':
        case 'X':
          output += formatted(one.text + "ll" + one.kind,
                              integer(one, 0ULL, std::uint32_t{}, std::uint16_t{}, std::uint8_t{}));
          break;
        default:
          output += formatted(one.text + one.kind, take(double{}));
      }
    }
    std::memcpy(warp.cta.local(warp, l) + program.local_bytes + i.place[0], &count, sizeof(count));
  });
}

/// __assertfail: place[0] message, [1] file, [2] line, [3] function.
void fail_assertion(Warp& warp, const Instruction& i) {
  const auto lane = static_cast<std::uint32_t>(std::countr_zero(warp.active));
  warp.cta.worker.find(
      Rule::assertion, warp, i, lane,
      fmt::format("{} ({}:{})", text_at(warp, parameter<Address>(warp, i.place[0], lane)),
                  text_at(warp, parameter<Address>(warp, i.place[1], lane)),
                  parameter<std::uint32_t>(warp, i.place[2], lane)));
  throw Stopped{};
}

/// malloc: place[0] result, [1] bytes.
void allocate(Warp& warp, const Instruction& i) {
  for_lanes(warp.active, [&](std::uint32_t l) {
    const Address address = warp.cta.plan.memory.allocate_in_kernel(
        parameter<std::uint64_t>(warp, i.place[1], l),
        fmt::format("malloc at {}", warp.cta.program().place(i.statement)));
    std::memcpy(warp.cta.local(warp, l) + warp.cta.program().local_bytes + i.place[0], &address,
                sizeof(address));
  });
}
/// free: place[0] address.
void release(Warp& warp, const Instruction& i) {
  for_lanes(warp.active, [&](std::uint32_t l) {
    const auto address = parameter<Address>(warp, i.place[0], l);
    if (address == 0) return;
    Memory& memory = warp.cta.plan.memory;
    const Allocation* const found = memory.find(address);
    if (found != nullptr && found->of_kernel && found->begin == address && !found->released) {
      return memory.release(address);
    }
    const bool again = found != nullptr && found->released;
    warp.cta.worker.find(again ? Rule::freed : Rule::out_of_bounds, warp, i, l,
                         again ? fmt::format("frees {}, which was released", found->name)
                               : std::string("frees what malloc did not give"));
    throw Stopped{};
  });
}

}  // namespace

Execute built_in_function(std::string_view name, std::size_t parameters) {
  if (name == "vprintf" && parameters == 3) return &print;
  if (name == "__assertfail" && parameters == 5) return &fail_assertion;
  if (name == "malloc" && parameters == 2) return &allocate;
  if (name == "free" && parameters == 1) return &release;
  return nullptr;
}

template <class T>
void read_clock(Warp& warp, const Instruction& instruction) {
  constexpr std::int64_t turns = 16;  // turns of a loop before it is taken for a wait
  constexpr std::int64_t step = 4;    // a turn more takes this part of the wait so far
  constexpr std::int64_t most = std::int64_t{1} << 61;  // far from where the clock has no values
  Cta& cta = warp.cta;
  const Counts& counts = cta.counts;
  const std::int64_t now = counts.time() + cta.waited;
  Warp::ClockReads& clock = warp.clock;
  if (clock.by != &instruction || clock.accesses != cta.accesses()) {
    clock = {&instruction, now, 0, cta.accesses()};
  } else if (++clock.turns > turns && cta.waited < most) {
    cta.waited += (now - clock.begin) / step + 1;
  }
  T* const to = warp.row<T>(instruction.place[0]);
  const auto time = static_cast<T>(counts.time() + cta.waited);
  for_lanes(warp.active, [&](std::uint32_t l) { to[l] = time; });
}
template void read_clock<std::uint32_t>(Warp&, const Instruction&);
template void read_clock<std::uint64_t>(Warp&, const Instruction&);

}  // namespace agpusim::ptx
