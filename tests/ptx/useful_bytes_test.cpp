#include <cstdint>
#include <span>

#include "agpusim/ptx/run/device.hpp"
#include "agpusim/tests/support/catch.hpp"

namespace agpusim::ptx {
namespace {

// Lane t reads the word (t * factor) & mask behind `from`.
constexpr const char* touch_text = R"(
.version 8.0
.target sm_90
.address_size 64
.visible .entry touch(.param .u64 from, .param .u32 factor, .param .u32 mask) {
  .reg .b64 %rd<3>;
  .reg .b32 %r<5>;
  ld.param.u64 %rd1, [from];
  ld.param.u32 %r1, [factor];
  ld.param.u32 %r2, [mask];
  mov.u32 %r3, %tid.x;
  mul.lo.u32 %r3, %r3, %r1;
  and.b32 %r3, %r3, %r2;
  mul.wide.u32 %rd2, %r3, 4;
  add.s64 %rd1, %rd1, %rd2;
  ld.global.u32 %r4, [%rd1];
  ret;
}
)";

struct Pattern {
  const char* name;
  std::uint32_t factor;
  std::uint32_t mask;
  std::uint64_t offset;  // bytes
  std::int64_t useful;   // bytes
  std::int64_t sectors;
  std::uint32_t lanes = 32;
};

}  // namespace

TEST_CASE("the bytes that lanes ask for count once a request", "[ptx]") {
  const auto module = std::make_shared<const Module>(Module::parse(touch_text, "touch.ptx"));
  const auto program = Program::compile(module, "touch");
  for (const Pattern& row : std::vector<Pattern>{
           {"a row", 1, 31, 0, 128, 4},
           {"a row that is not aligned", 1, 31, 4, 128, 5},
           {"a short row", 1, 31, 0, 80, 3, 20},
           {"a word of each sector", 8, 255, 0, 128, 32},
           {"one word", 0, 0, 8, 4, 1},
           {"every second word", 2, 63, 0, 128, 8},
           {"a row out of order", 7, 31, 0, 128, 4},
           {"pairs out of order", 7, 15, 0, 64, 2},
           {"a word of each sector, out of order", 56, 255, 0, 128, 32},
       }) {
    Device device(AgpuSpec{});
    const Address from = device.memory().allocate(2048, "from");
    device.memory().mark_written(from, 2048);
    const std::vector<Address> parameters{from + row.offset,
                                          row.factor + (Address{row.mask} << 32)};
    const LaunchReport report =
        device.launch({program, Dim3{}, Dim3{row.lanes}, 0, std::as_bytes(std::span(parameters))});
    INFO(row.name);
    std::int64_t useful = 0;
    for (const PricedLine& line : report.lines) useful += line.useful_bytes;
    CHECK(useful == row.useful);
    CHECK(report.phase.counts.sectors() == row.sectors);
  }
}

}  // namespace agpusim::ptx
