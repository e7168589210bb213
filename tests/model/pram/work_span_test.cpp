#include "agpusim/model/pram/work_span.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "agpusim/model/error.hpp"
#include "agpusim/tests/support/pram.hpp"
#include "agpusim/tests/support/seed.hpp"

namespace agpusim {
namespace {

using I64 = std::int64_t;

std::vector<I64> zeros(I64 size) { return std::vector<I64>(static_cast<std::size_t>(size)); }

std::size_t occurrences(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
    ++count;
  }
  return count;
}

/// Sum of n = 2^levels cells of a binary tree, the leaves last.
Pram sum_tree(int levels) {
  Pram pram = test::recording(PramAccess::erew);
  const PramArray tree = pram.array(zeros(I64{2} << levels), "tree");
  for (I64 width = (I64{1} << levels) / 2; width > 0; width /= 2) {
    pram.step("add", width, [&](PramProcessor& p) {
      const I64 node = width + p.id();
      p.write(tree, node, p.read(tree, 2 * node) + p.read(tree, 2 * node + 1));
    });
  }
  return pram;
}

TEST_CASE("a chain has as much span as work", "[model][pram][work_span]") {
  Pram pram = test::recording(PramAccess::erew);
  const PramArray a = pram.array(zeros(6), "a");
  for (I64 i = 0; i < 5; ++i) {
    pram.step("link", 1, [&](PramProcessor& p) { p.write(a, i + 1, p.read(a, i) + 1); });
  }
  const WorkSpan result = analyse_work_span(pram.trace());
  CHECK(result.work == 5);
  CHECK(result.span == 5);
  CHECK(result.parallelism() == 1);
  CHECK(result.widths == std::vector<I64>{1, 1, 1, 1, 1});
  REQUIRE(result.critical_path.size() == 5);
  CHECK(result.critical_path[3] == PramOperation{"link", 3, 0});
}

TEST_CASE("a sum tree of n leaves has work n-1 and span lg n", "[model][pram][work_span]") {
  const WorkSpan result = analyse_work_span(sum_tree(4).trace());
  CHECK(result.work == 15);
  CHECK(result.span == 4);
  CHECK(result.parallelism() == 3.75);
  CHECK(result.widths == std::vector<I64>{8, 4, 2, 1});
  REQUIRE(result.critical_path.size() == 4);
  for (std::size_t i = 0; i + 1 < 4; ++i) {  // each reads what the one before wrote
    CHECK(result.critical_path[i].processor / 2 == result.critical_path[i + 1].processor);
  }
}

TEST_CASE("steps that do not depend on each other add no span", "[model][pram][work_span]") {
  Pram pram = test::recording(PramAccess::crew);
  const PramArray in = pram.array(zeros(1), "in");
  const PramArray out = pram.array(12, "out");
  for (I64 t = 0; t < 4; ++t) {
    pram.step("copy", 3, [&](PramProcessor& p) { p.write(out, 3 * t + p.id(), p.read(in, 0)); });
  }
  const WorkSpan result = analyse_work_span(pram.trace());
  CHECK(result.work == 12);
  CHECK(result.span == 1);
  CHECK(result.widths == std::vector<I64>{12});
  const WorkSpan nothing = analyse_work_span(PramTrace{});
  CHECK(nothing.span == 0);
  CHECK(nothing.parallelism() == 0);
}

/// A chain of two, then `after` writes or accumulates to its end, then somebody reads it.
I64 span_after(PramAccess access, bool accumulate) {
  Pram pram = test::recording(access);
  const PramArray a = pram.array(zeros(3), "a");
  pram.step("one", 1, [&](PramProcessor& p) { p.write(a, 0, 1); });
  pram.step("two", 1, [&](PramProcessor& p) { p.write(a, 1, p.read(a, 0)); });
  pram.step("again", 2, [&](PramProcessor& p) {
    if (accumulate) {
      p.accumulate(a, 1, 5);
    } else {
      p.write(a, 1, 5);
    }
  });
  pram.step("read", 1, [&](PramProcessor& p) { p.write(a, 2, p.read(a, 1)); });
  return analyse_work_span(pram.trace()).span;
}

TEST_CASE("an overwritten cell loses its writers, an accumulated one keeps them",
          "[model][pram][work_span]") {
  CHECK(span_after(PramAccess::sum, false) == 2);
  CHECK(span_after(PramAccess::sum, true) == 3);
}

TEST_CASE("under priority only the winner is waited for", "[model][pram][work_span]") {
  const auto span = [](PramAccess access) {
    Pram pram = test::recording(access);
    const PramArray a = pram.array(zeros(3), "a");
    pram.step("late", 1, [&](PramProcessor& p) { p.write(a, 0, 7); });
    // Processor 1 depends on the step before, processor 0 does not.
    pram.step("race", 2, [&](PramProcessor& p) { p.write(a, 1, p.id() == 1 ? p.read(a, 0) : 7); });
    pram.step("read", 1, [&](PramProcessor& p) { p.write(a, 2, p.read(a, 1)); });
    return analyse_work_span(pram.trace()).span;
  };
  CHECK(span(PramAccess::priority) == 2);
  CHECK(span(PramAccess::common) == 3);
  CHECK(span(PramAccess::max) == 3);
}

TEST_CASE("processors that idle are no operations", "[model][pram][work_span]") {
  // Prefix sums of 8 by aligned intervals: 19 of the 32 processors of the second step idle.
  Pram pram = test::recording(PramAccess::sum);
  const PramArray s = pram.array(zeros(32), "s");
  const PramArray y = pram.array(8, "y");
  pram.step("intervals", 32, [&](PramProcessor& p) { p.write(s, p.id() / 8 * 8, 1); });
  pram.step("prefixes", 32, [&](PramProcessor& p) {
    const I64 level = p.id() / 8;
    const I64 end = p.id() % 8 + 1;
    if ((end >> level & 1) != 0) p.write(y, end - 1, p.read(s, level * 8));
  });
  pram.step("registers", 3, [&](PramProcessor& p) {
    if (p.id() == 1) p.compute();
  });
  const WorkSpan result = analyse_work_span(pram.trace());
  CHECK(result.work == 32 + 13 + 1);
  CHECK(result.work == pram.report().work());
  CHECK(result.span == 2);
  CHECK(result.widths == std::vector<I64>{32 + 1, 13});
  CHECK(result.critical_path[1] == PramOperation{"prefixes", 1, 0});
  const std::string dot = to_graphviz(pram.trace());
  CHECK(occurrences(dot, "[label=") == 46);
  CHECK(occurrences(dot, "label=\"2: prefixes / 31\"") == 1);
  CHECK(occurrences(dot, "label=\"3: registers / 1\"") == 1);
}

TEST_CASE("n writers and m readers cost n + m edges, and the limit counts them",
          "[model][pram][work_span]") {
  Pram pram = test::recording(PramAccess::sum);
  const PramArray s = pram.array(1, "s");
  pram.step("write", 100, [&](PramProcessor& p) { p.write(s, 0, p.id()); });
  pram.step("read", 50, [&](PramProcessor& p) { (void)p.read(s, 0); });
  const I64 size = 150 + 1 + 150;  // operations, a junction, edges
  const WorkSpan result = analyse_work_span(pram.trace(), size);
  CHECK(result.work == pram.report().work());
  CHECK(result.span == 2);
  CHECK(result.widths == std::vector<I64>{100, 50});
  CHECK_THROWS_WITH(analyse_work_span(pram.trace(), size - 1),
                    says("151 vertices and 150 edges", "smaller n"));
  CHECK_THROWS_AS(to_graphviz(pram.trace(), size - 1), UsageError);
}

/// The definition: per step and processor the longest path that ends there.
std::vector<I64> widths_by_definition(const PramTrace& trace) {
  std::map<I64, I64> longest_writer;  // cell -> longest path into its value
  std::map<I64, I64> count;
  for (const PramStepTrace& step : trace.steps) {
    std::map<I64, I64> length;  // by active processor
    for (const PramAccessRecord& write : step.writes) length[write.processor] = 1;
    for (const PramAccessRecord& read : step.reads) length.emplace(read.processor, 1);
    for (const PramAccessRecord& read : step.reads) {
      if (longest_writer.count(read.cell) > 0) {
        length[read.processor] = std::max(length[read.processor], longest_writer[read.cell] + 1);
      }
    }
    std::set<I64> fresh;
    for (const PramAccessRecord& write : step.writes) {
      if (trace.spec.access == PramAccess::priority && fresh.count(write.cell) > 0) continue;
      if (fresh.insert(write.cell).second && !write.accumulate) longest_writer.erase(write.cell);
      I64& longest = longest_writer[write.cell];
      longest = std::max(longest, length[write.processor]);
    }
    for (const auto& [processor, path] : length) ++count[path];
  }
  std::vector<I64> widths;
  for (const auto& [path, operations] : count) widths.push_back(operations);
  return widths;
}

TEST_CASE("span and widths equal the definition on random runs",
          "[model][pram][work_span][property]") {
  Random random(test_seed());
  INFO("AGPUSIM_TEST_SEED=" << test_seed());
  I64 largest_span = 0;
  for (int repeat = 0; repeat < 300; ++repeat) {
    const PramAccess access = repeat % 2 == 0 ? PramAccess::sum : PramAccess::priority;
    Pram pram = test::recording(access);
    const I64 size = 2 + below(random, 30);
    const PramArray a = pram.array(zeros(size), "a");
    for (I64 t = below(random, 12); t >= 0; --t) {
      const bool accumulate = access == PramAccess::sum && below(random, 3) == 0;
      const I64 processors = 1 + below(random, 20);
      std::vector<I64> cell(static_cast<std::size_t>(3 * processors));
      for (I64& c : cell) c = below(random, size);
      pram.step("random", processors, [&](PramProcessor& p) {
        const I64* const mine = &cell[static_cast<std::size_t>(3 * p.id())];
        if (mine[0] % 3 != 0) (void)p.read(a, mine[0]);
        if (mine[1] % 3 != 0) (void)p.read(a, mine[1]);
        if (mine[2] % 5 == 0) return;
        if (accumulate) {
          p.accumulate(a, mine[2], 1);
        } else {
          p.write(a, mine[2], 1);
        }
      });
    }
    const WorkSpan result = analyse_work_span(pram.trace());
    CAPTURE(repeat, to_string(access));
    REQUIRE(result.work == pram.report().work());
    REQUIRE(result.span <= pram.report().time());
    REQUIRE(result.widths == widths_by_definition(pram.trace()));
    REQUIRE(result.span == static_cast<I64>(result.widths.size()));
    REQUIRE(result.span == static_cast<I64>(result.critical_path.size()));
    for (std::size_t i = 1; i < result.critical_path.size(); ++i) {
      REQUIRE(result.critical_path[i - 1].number < result.critical_path[i].number);
    }
    largest_span = std::max(largest_span, result.span);
  }
  CHECK(largest_span > 5);
}

TEST_CASE("DOT has a row per step, marks the critical path and escapes names",
          "[model][pram][work_span]") {
  const std::string tree = to_graphviz(sum_tree(3).trace());
  CHECK(tree.rfind("digraph", 0) == 0);
  CHECK(occurrences(tree, "rank=same") == 3);
  CHECK(occurrences(tree, "[label=") == 7);
  CHECK(occurrences(tree, "->") == 6);
  CHECK(occurrences(tree, "color=red") == 3 + 2);  // three operations and two edges
  CHECK(occurrences(tree, "label=\"2: add / 0\", color=red") == 1);

  // An edge that passes over a vertex of the critical path is not on it.
  Pram chain = test::recording(PramAccess::crew);
  const PramArray a = chain.array(zeros(3), "a");
  chain.step("one", 1, [&](PramProcessor& p) { p.write(a, 0, 1); });
  chain.step("two", 1, [&](PramProcessor& p) { p.write(a, 1, p.read(a, 0)); });
  chain.step("three", 1, [&](PramProcessor& p) { (void)(p.read(a, 0) + p.read(a, 1)); });
  CHECK(occurrences(to_graphviz(chain.trace()), "->") == 3);
  CHECK(occurrences(to_graphviz(chain.trace()), "color=red") == 3 + 2);

  Pram pram = test::recording(PramAccess::sum);
  const PramArray s = pram.array(1, "s");
  pram.step("say \"hi\\\n", 2, [&](PramProcessor& p) { p.write(s, 0, p.id()); });
  pram.step("read", 2, [&](PramProcessor& p) { (void)p.read(s, 0); });
  const std::string dot = to_graphviz(pram.trace());
  CHECK(occurrences(dot, "[label=\"1: say \\\"hi\\\\  / 1\"") == 1);
  CHECK(occurrences(dot, "shape=point") == 1);
  CHECK(occurrences(dot, "->") == 4);
  CHECK(occurrences(dot, "color=red") == 3 + 2);  // two operations by way of the junction
  CHECK(std::count(dot.begin(), dot.end(), '{') == std::count(dot.begin(), dot.end(), '}'));
}

}  // namespace
}  // namespace agpusim
