// The order in which the blocks of a kernel stand, on small graphs and in a kernel.

#include "agpusim/ptx/lower/flow.hpp"
#include "agpusim/ptx/run/arguments.hpp"
#include "agpusim/ptx/run/device.hpp"
#include "agpusim/tests/support/catch.hpp"

namespace agpusim::ptx {
namespace {

using Nodes = std::vector<std::uint32_t>;
using Graph = std::vector<Nodes>;

struct Ordered {
  Nodes order;
  std::vector<Nodes> loops;
};
Ordered ordered(const Graph& next) {
  std::vector<LoopRange> loops;
  Ordered result{loops_together(next, loops), {}};
  for (LoopRange& loop : loops) result.loops.push_back(std::move(loop.nodes));
  return result;
}
Nodes with_exits_before(const Graph& next) {
  std::vector<LoopRange> loops;
  Nodes order = loops_together(next, loops);
  put_exits_before(next, loops, order);
  return order;
}

}  // namespace

TEST_CASE("blocks: a topological order, of several the first of the text", "[ptx]") {
  CHECK(ordered({}).order == Nodes{});
  CHECK(ordered({{}}).order == Nodes{0});
  CHECK(ordered({{2, 1}, {3}, {3}, {}}).order == Nodes{0, 1, 2, 3});
  // Block 3 jumps back to 1, which has not run before: it stands in front of it.
  CHECK(ordered({{2, 3}, {2}, {}, {1}}).order == Nodes{0, 3, 1, 2});
  CHECK(ordered({{2, 3}, {2}, {}, {1}}).loops.empty());
}

TEST_CASE("blocks: those that cannot be reached are left out", "[ptx]") {
  CHECK(ordered({{2}, {2}, {}}).order == Nodes{0, 2});
  CHECK(ordered({{2}, {1, 2}, {}}).order == Nodes{0, 2});
  CHECK(ordered({{2}, {1, 2}, {}}).loops.empty());
  CHECK(with_exits_before({{1}, {1, 3}, {1}, {}}) == Nodes{0, 1, 3});
}

TEST_CASE("blocks: those of a loop stand together", "[ptx]") {
  const Ordered self = ordered({{1}, {1, 2}, {}});
  CHECK(self.order == Nodes{0, 1, 2});
  CHECK(self.loops == std::vector<Nodes>{{1}});
  // The last of the loop is behind what follows it.
  const Ordered apart = ordered({{1}, {2, 3}, {}, {1}});
  CHECK(apart.order == Nodes{0, 1, 3, 2});
  CHECK(apart.loops == std::vector<Nodes>{{1, 3}});
  const Ordered first = ordered({{1, 2}, {0}, {}});
  CHECK(first.order == Nodes{0, 1, 2});
  CHECK(first.loops == std::vector<Nodes>{{0, 1}});
}

TEST_CASE("blocks: nested loops, the outer one first", "[ptx]") {
  const Ordered nested = ordered({{1}, {2}, {2, 3}, {1, 4}, {}});
  CHECK(nested.order == Nodes{0, 1, 2, 3, 4});
  CHECK(nested.loops == std::vector<Nodes>{{1, 2, 3}, {2}});
  const Ordered twice = ordered({{1}, {2, 4}, {3}, {2, 1}, {5}, {4, 1, 6}, {}});
  CHECK(twice.order == Nodes{0, 1, 2, 3, 4, 5, 6});
  CHECK(twice.loops == std::vector<Nodes>{{1, 2, 3, 4, 5}, {4, 5}, {2, 3}});
}

TEST_CASE("blocks: a loop with two entries, and one without a way out", "[ptx]") {
  const Ordered irreducible = ordered({{1, 2}, {2, 3}, {1}, {}});
  CHECK(irreducible.order == Nodes{0, 1, 2, 3});
  CHECK(irreducible.loops == std::vector<Nodes>{{1, 2}});
  CHECK(with_exits_before({{1, 2}, {2, 3}, {1}, {}}) == Nodes{0, 1, 2, 3});
  CHECK(with_exits_before({{1, 3}, {2}, {1}, {}}) == Nodes{0, 1, 2, 3});
  CHECK(with_exits_before({{1}, {1}}) == Nodes{0, 1});
}

TEST_CASE("blocks: what leaves a loop early runs before the loop goes on", "[ptx]") {
  // 1 and 2 are the loop; 3 is left to from 2 and meets the other way out at 4.
  CHECK(with_exits_before({{1}, {2, 4}, {1, 3}, {4}, {}}) == Nodes{0, 3, 1, 2, 4});
  // Two ways out that end apart.
  CHECK(with_exits_before({{1}, {2, 3}, {1, 4}, {}, {}}) == Nodes{0, 3, 4, 1, 2});
  // One way out: what follows is not done early.
  CHECK(with_exits_before({{1}, {1, 2}, {3}, {}}) == Nodes{0, 1, 2, 3});
  // What is reached without the loop too stays where it is.
  CHECK(with_exits_before({{1, 3}, {2, 4}, {1, 3}, {4}, {}}) == Nodes{0, 1, 2, 3, 4});
}

TEST_CASE("blocks: one behind `ret` that jumps back runs before its target", "[ptx]") {
  const std::string text = R"(.version 8.0
.target sm_80
.address_size 64
.visible .entry cold(.param .u64 out)
{
  .reg .pred %p<2>;
  .reg .b32 %r<5>;
  .reg .b64 %rd<4>;
  ld.param.u64 %rd1, [out];
  mov.u32 %r1, %tid.x;
  mov.u32 %r2, 1;
  setp.lt.u32 %p1, %r1, 8;
  @%p1 bra $cold;
$join:
  activemask.b32 %r3;
  mul.wide.u32 %rd2, %r1, 4;
  add.s64 %rd3, %rd1, %rd2;
  add.s32 %r4, %r3, %r2;
  st.global.u32 [%rd3], %r4;
  ret;
$cold:
  mov.u32 %r2, 2;
  bra $join;
}
)";
  const auto program =
      Program::compile(std::make_shared<const Module>(Module::parse(text, "cold.ptx")), "cold");
  Device device{AgpuSpec{}};
  const Arguments arguments(*program, {"out:u32:32:zeros"}, device.memory(), 1);
  const LaunchReport report = device.launch({program, {}, {32, 1, 1}, 0, arguments.parameters()});
  CHECK(report.findings.empty());
  const auto* const out = reinterpret_cast<const std::uint32_t*>(arguments.buffers()[0].address);
  // All lanes meet at $join.
  CHECK(out[0] == 1);
  CHECK(out[31] == 0);
  CHECK(report.phase.counts.global_write.requests == 1);
}

}  // namespace agpusim::ptx
