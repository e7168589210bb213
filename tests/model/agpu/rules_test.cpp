#include <limits>

#include "agpusim/model/error.hpp"
#include "agpusim/tests/support/catch.hpp"
#include "agpusim/tests/support/kernels.hpp"

// Every rule of the machine (theory A5, A11, A12, A16, A20) is broken once on purpose.
namespace agpusim {
namespace {

/// The message of the RuleViolation that a launch of `tasks` tasks raises.
template <class Body>
std::string violation(std::int64_t tasks, Body body, AgpuSpec spec = small_machine()) {
  for (const int threads : {1, 2}) {
    SimulatedDevice device(spec, {threads, true, true, {}});
    const auto array = device.allocate<I32>(64, "cells");
    const std::string message =
        test::message_of<RuleViolation>([&] { device.launch(tasks, TestKernel{body}, array); });
    if (threads == 2) return message;
    REQUIRE_FALSE(message.empty());
  }
  return "";
}

void check_names(const std::string& message, const std::string& rule, int task, int lane,
                 const std::string& array, int index) {
  CHECK_THAT(message, says(rule, "kernel test_kernel", "task " + std::to_string(task),
                           "lane " + std::to_string(lane), "array " + array,
                           "index " + std::to_string(index), "rules_test.cpp:"));
}

TEST_CASE("a global access out of bounds is an error", "[model][rules]") {
  check_names(violation(1, [](auto& mp, auto a) { (void)a.read(mp.lane() + 60); }), "out of bounds",
              0, 4, "cells", 64);
  check_names(violation(1, [](auto& mp, auto a) { a.write(mp.lane() - 1, mp.lane()); }),
              "out of bounds", 0, 0, "cells", -1);
  check_names(violation(1, [](auto& mp, auto a) { (void)a.from(100).read(mp.lane()); }),
              "out of bounds", 0, 0, "cells", 100);
}

TEST_CASE("a shared access out of bounds is an error", "[model][rules]") {
  check_names(violation(1,
                        [](auto& mp, auto) {
                          const auto tile = mp.template shared<I32>(8, "tile");
                          tile.write(mp.lane() * 2, mp.lane());
                        }),
              "out of bounds", 0, 4, "tile", 8);
}

TEST_CASE("lanes that are predicated off may point anywhere", "[model][rules]") {
  SimulatedDevice device(small_machine());
  const auto array = device.allocate<I32>(4, "cells");
  device.launch(1, TestKernel{[](auto& mp, auto a) {
                  mp.when(mp.lane() < 4, [&] { a.write(mp.lane(), mp.lane()); });
                }},
                array);
  CHECK(device.download(array) == std::vector<I32>{0, 1, 2, 3});
}

TEST_CASE("a read of shared memory that the task has not written is an error", "[model][rules]") {
  const auto body = [](auto& mp, auto) {
    const auto tile = mp.template shared<I32>(16, "tile");
    tile.write(mp.lane(), mp.lane());
    mp.sync();
    (void)tile.read(mp.lane() + 1);
  };
  check_names(violation(1, body), "not written", 0, 7, "tile", 8);
}

TEST_CASE("shared memory is erased between tasks", "[model][rules]") {
  const auto body = [](auto& mp, auto) {
    const auto tile = mp.template shared<I32>(8, "tile");
    if (mp.task() == 0) tile.write(mp.lane(), mp.lane());
    mp.sync();
    (void)tile.read(mp.lane());
  };
  check_names(violation(2, body), "not written", 1, 0, "tile", 0);
}

TEST_CASE("two tasks may not touch one word in a phase when one writes", "[model][rules][race]") {
  const auto write_write = [](auto& mp, auto a) { a.write(mp.lane(), mp.lane()); };
  const auto read_write = [](auto& mp, auto a) {
    if (mp.task() == 0) {
      (void)a.read(mp.lane());
    } else {
      mp.when(mp.lane() == 5, [&] { a.write(mp.lane(), mp.lane()); });
    }
  };
  const auto write_read = [](auto& mp, auto a) {
    if (mp.task() == 0) {
      mp.when(mp.lane() == 5, [&] { a.write(mp.lane(), mp.lane()); });
    } else {
      (void)a.read(mp.lane());
    }
  };
  for (const auto& message :
       {violation(2, write_write), violation(2, read_write), violation(2, write_read)}) {
    CHECK_THAT(message, says("race", "array cells", "kernel test_kernel"));
  }
  CHECK_THAT(violation(2, read_write), says("index 5"));
  CHECK_THAT(violation(2, write_read), says("index 5"));
}

TEST_CASE("elements beside one that several tasks read have readers of their own",
          "[model][rules][race]") {
  const auto body = [](auto& mp, auto a) {
    const auto task = static_cast<I32>(mp.task());
    if (task < 3) (void)a.read(mp.varying(task / 2));
    if (task == 3) a.write(mp.varying(I32{1}), mp.varying(I32{7}));
  };
  CHECK_THAT(violation(4, body), says("race", "index 1"));
}

TEST_CASE("a race is named alike by any number of host threads", "[model][rules][race]") {
  const auto message_of = [](int threads, const auto& body) {
    SimulatedDevice device(small_machine(), {threads, true, true, {}});
    const auto array = device.allocate<I32>(5000, "cells");
    return test::message_of<RuleViolation>([&] { device.launch(600, TestKernel{body}, array); });
  };
  const auto neighbour = [](auto& mp, auto a) {  // a late task reads what another writes
    const auto first = static_cast<I32>(8 * mp.task());
    a.write(first + mp.lane(), mp.lane());
    if (mp.task() == 599) (void)a.read(mp.lane() + 3);
  };
  const std::string expected = message_of(1, neighbour);
  CHECK_THAT(expected, says("task 599 reads", "task 0 uses", "index 3"));
  for (const int threads : {2, 3, 7}) CHECK(message_of(threads, neighbour) == expected);
  // What the phase leaves in memory keeps the tasks from what they did: there is no lane to name.
  const auto once = [](auto& mp, auto a) {
    mp.when(mp.lane() == 0, [&] {
      const auto other = a.read(mp.varying(I32{4999}) - static_cast<I32>(mp.task() % 2 * 8));
      mp.when(other == 0, [&] { a.write(mp.varying(I32{4999}), mp.varying(I32{1})); });
    });
  };
  for (const int threads : {1, 2, 3, 7}) {
    const std::string message = message_of(threads, once);
    CAPTURE(threads, message);
    CHECK(message.find("race: ") == 0);
    CHECK_THAT(message, says("index 4999"));
  }
}

TEST_CASE("disjoint words of one block, and reads by many tasks, are no race",
          "[model][rules][race]") {
  SimulatedDevice device(small_machine());
  const auto in = device.allocate<I32>(8, "in");
  const auto out = device.allocate<I32>(64, "out");
  device.upload<I32>(in, std::vector<I32>{1, 2, 3, 4, 5, 6, 7, 8});
  device.launch(8, TestKernel{[](auto& mp, auto x, auto y) {
                  const auto to = (mp.lane() << 3) + static_cast<I32>(mp.task());
                  y.write(to, x.read(mp.lane()));
                  y.write(to, y.read(to) + 1);
                }},
                in, out);
  CHECK(device.download(out)[63] == 9);
  // The next phase may read what others wrote: the host waited.
  device.launch(2, TestKernel{[](auto& mp, auto y) { (void)y.read(mp.lane()); }}, out);
}

TEST_CASE("atomics of several tasks may meet, mixed with plain accesses they may not",
          "[model][rules][race]") {
  SimulatedDevice device(small_machine());
  const auto sum = device.allocate<I32>(1, "sum");
  device.launch(
      10, TestKernel{[](auto& mp, auto s) { s.atomic_add(mp.lane() * 0, mp.varying(I32{1})); }},
      sum);
  CHECK(device.download(sum)[0] == 80);
  CHECK(device.report().phases[0].contention == 80);
  CHECK(device.report().phases[0].counts.serialised == 70);
  CHECK_THAT(violation(2,
                       [](auto& mp, auto a) {
                         if (mp.task() == 0) {
                           a.atomic_add(mp.lane(), mp.lane());
                         } else {
                           (void)a.read(mp.lane());
                         }
                       }),
             says("race"));
}

TEST_CASE("two lanes may not store different values to one word", "[model][rules]") {
  check_names(violation(1, [](auto& mp, auto a) { a.write(mp.lane() >> 1, mp.lane()); }),
              "two lanes store different values to one word of global", 0, 1, "cells", 0);
  check_names(violation(1,
                        [](auto& mp, auto) {
                          const auto tile = mp.template shared<I32>(8, "tile");
                          tile.write(mp.lane() >> 1, mp.lane());
                        }),
              "two lanes store different values to one word of shared", 0, 1, "tile", 0);
}

TEST_CASE("two lanes may store the same value to one word", "[model][rules]") {
  SimulatedDevice device(small_machine());
  const auto array = device.allocate<I32>(4, "cells");
  device.launch(1, TestKernel{[](auto& mp, auto a) { a.write(mp.lane() >> 1, mp.lane() >> 1); }},
                array);
  CHECK(device.download(array) == std::vector<I32>{0, 1, 2, 3});
}

TEST_CASE("more shared memory than M is an error that says what to do", "[model][rules]") {
  CHECK_THAT(violation(1, [](auto& mp, auto) { (void)mp.template shared<I32>(257, "tile"); }),
             says("too much shared memory", "tile", "M = 256"));
}

TEST_CASE("a signed result that leaves the word is an error", "[model][rules]") {
  const auto at_lane_3 = [](auto& mp, auto operation) {
    const auto big = select(mp.lane() == 3, mp.varying(I32{2'000'000'000}), mp.varying(I32{1}));
    (void)operation(big);
  };
  const auto run = [&](auto operation) {
    return violation(1, [=](auto& mp, auto) { at_lane_3(mp, operation); });
  };
  for (const std::string& message :
       {run([](const auto& x) { return x + x; }), run([](const auto& x) { return (0 - x) - x; }),
        run([](const auto& x) { return x * 3; })}) {
    CHECK_THAT(message, says("word overflow", "lane 3"));
  }
}

TEST_CASE("a shift by all bits or more, or by a negative count, is an error", "[model][rules]") {
  // C++ does not define it: the host and a GPU would shift differently.
  for (const std::string& message :
       {violation(1, [](auto&mp, auto) { (void)(mp.varying(1U) << (mp.lane() + 29)); }),
        violation(1, [](auto&mp, auto) { (void)(mp.lane() >> (2 - mp.lane())); })}) {
    CHECK_THAT(message, says("shift", "lane 3"));
  }
  for (const std::int32_t count : {-1, 32}) {
    CHECK_THAT(violation(1, [=](auto& mp, auto) { (void)(mp.varying(1U) << count); }),
               says("shift"));
  }
  SimulatedDevice device(small_machine());
  device.launch(1, TestKernel{[](auto& mp) {
                  (void)(mp.varying(std::uint64_t{1}) << 63);
                  mp.when(mp.lane() < 3, [&] { (void)(mp.varying(1U) << (mp.lane() + 29)); });
                }});
}

TEST_CASE("a quotient that leaves the word is an error", "[model][rules]") {
  const auto divide_least = [](auto operation) {
    return violation(1, [=](auto& mp, auto) {
      const auto least = std::numeric_limits<I32>::min();
      (void)operation(select(mp.lane() == 3, least, mp.lane()));
    });
  };
  for (const std::string& message : {divide_least([](const auto& x) { return x / -1; }),
                                     divide_least([](const auto& x) { return x % -1; })}) {
    CHECK_THAT(message, says("word overflow", "lane 3"));
  }
}

TEST_CASE("a cast to an integer type that cannot hold the value is an error", "[model][rules]") {
  const auto cast_at_3 = [](auto value) {
    return violation(1, [=](auto& mp, auto) {
      (void)cast<std::uint8_t>(select(mp.lane() == 3, value, mp.varying(decltype(value){255.9F})));
    });
  };
  for (const std::string& message : {cast_at_3(256.0F), cast_at_3(-1.0), cast_at_3(std::nan(""))}) {
    CHECK_THAT(message, says("cast", "lane 3"));
  }
}

TEST_CASE("an overflow in a lane that is predicated off is none", "[model][rules]") {
  SimulatedDevice device(small_machine());
  device.launch(1, TestKernel{[](auto& mp) {
                  const auto big = mp.lane() + 2'147'483'640;
                  mp.when(mp.lane() < 1, [&] { (void)(big + 7); });
                }});
  CHECK(device.report().phases.size() == 1);
}

TEST_CASE("addresses must fit into w bits", "[model][rules]") {
  AgpuSpec spec = small_machine();
  spec.word_bits = 8;
  SimulatedDevice device(spec);
  (void)device.allocate<std::uint8_t>(256, "fits");
  CHECK_THROWS_AS(device.allocate<std::uint8_t>(257, "large"), RuleViolation);
}

TEST_CASE("reliance on lockstep without sync is an error", "[model][rules][lockstep]") {
  const auto read_after_write = [](auto& mp, auto) {
    const auto tile = mp.template shared<I32>(8, "tile");
    tile.write(mp.lane(), mp.lane());
    (void)tile.read(7 - mp.lane());
  };
  const auto write_after_read = [](auto& mp, auto) {
    const auto tile = mp.template shared<I32>(8, "tile");
    tile.write(mp.lane(), mp.lane());
    mp.sync();
    const auto x = tile.read(7 - mp.lane());
    tile.write(mp.lane(), x);
  };
  const auto write_after_write = [](auto& mp, auto) {
    const auto tile = mp.template shared<I32>(8, "tile");
    tile.write(mp.lane(), mp.lane());
    tile.write(7 - mp.lane(), mp.lane());
  };
  const auto write_after_broadcast = [](auto& mp, auto) {
    const auto tile = mp.template shared<I32>(8, "tile");
    tile.write(mp.lane(), mp.lane());
    mp.sync();
    (void)tile.read(mp.lane() * 0 + 7);
    mp.when(mp.lane() == 7, [&] { tile.write(mp.lane(), mp.lane()); });
  };
  check_names(violation(1, read_after_write), "reliance on lockstep", 0, 0, "tile", 7);
  check_names(violation(1, write_after_read), "reliance on lockstep", 0, 0, "tile", 0);
  check_names(violation(1, write_after_write), "reliance on lockstep", 0, 0, "tile", 7);
  check_names(violation(1, write_after_broadcast), "reliance on lockstep", 0, 7, "tile", 7);
}

TEST_CASE("own words need no sync", "[model][rules][lockstep]") {
  SimulatedDevice device(small_machine());
  device.launch(1, TestKernel{[](auto& mp) {
                  const auto tile = mp.template shared<I32>(8, "tile");
                  tile.write(mp.lane(), mp.lane());
                  tile.write(mp.lane(), tile.read(mp.lane()) + 1);
                  (void)tile.read(mp.lane());
                }});
  CHECK(device.report().phases.size() == 1);
}

TEST_CASE("a million syncs do not confuse the lockstep check", "[model][rules][lockstep]") {
  SimulatedDevice device(small_machine());
  device.launch(1, TestKernel{[](auto& mp) {
                  const auto tile = mp.template shared<I32>(8, "tile");
                  tile.write(mp.lane(), mp.lane());
                  for (int i = 0; i < (1 << 20) + 5; ++i) mp.sync();
                  (void)tile.read(7 - mp.lane());
                }});
  CHECK(device.report().phases.size() == 1);
}

TEST_CASE("sync under divergent control flow is an error", "[model][rules]") {
  CHECK_THAT(violation(1, [](auto& mp, auto) { mp.when(mp.lane() < 3, [&] { mp.sync(); }); }),
             says("divergent"));
}

TEST_CASE("uniform() of a varying value is an error", "[model][rules]") {
  CHECK_THAT(violation(1, [](auto& mp, auto) { (void)mp.uniform(mp.lane()); }), says("lane 1"));
  SimulatedDevice device(small_machine());
  device.launch(1, TestKernel{[](auto& mp) {
                  mp.when(mp.lane() >= 4, [&] { CHECK(mp.uniform(mp.lane() >> 2) == 1); });
                }});
}

TEST_CASE("checks can be switched off", "[model][rules]") {
  SimulatedDevice device(small_machine(), {1, false, true, {}});
  const auto array = device.allocate<I32>(8, "cells");
  device.launch(2, TestKernel{[](auto& mp, auto a) { a.write(mp.lane(), mp.lane()); }}, array);
  CHECK(device.report().phases[0].counts.global_write.requests == 2);
}

}  // namespace
}  // namespace agpusim
