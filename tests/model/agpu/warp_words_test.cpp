#include "agpusim/model/error.hpp"
#include "agpusim/tests/support/catch.hpp"
#include "agpusim/tests/support/kernels.hpp"

// vote, shuffle and fetch_add: their prices and their rules. What they compute is compared with
// loops, on both machines, in tests/cuda.
namespace agpusim {
namespace {

/// The counts of one task of two warps of 8 lanes.
template <class Body>
Counts counts_of(Body body, const AgpuSpec& spec = small_machine(8, 2)) {
  SimulatedDevice device(spec, {1, true, true, {}});
  const auto cells = device.allocate<I32>(64, "cells");
  device.launch(1, TestKernel{body}, cells);
  return device.report().phases[0].counts;
}

template <class Body>
std::string violation(Body body, const AgpuSpec& spec = small_machine(8, 2)) {
  return test::message_of<RuleViolation>([&] { counts_of(body, spec); });
}

TEST_CASE("vote, shuffle and functions of bits are an instruction of each warp",
          "[model][warp_words]") {
  const Counts compare = counts_of([](auto& mp, auto) { (void)(mp.lane() < 3); });
  const Counts vote = counts_of([](auto& mp, auto) { (void)mp.vote(mp.lane() < 3); });
  CHECK(vote.alu == compare.alu + 2);
  CHECK(vote.wavefronts() == 0);
  const Counts shuffle =
      counts_of([](auto& mp, auto) { (void)mp.shuffle(mp.lane(), mp.varying(0)); });
  CHECK(shuffle.alu == 2);
  CHECK(shuffle.wavefronts() == 0);
  CHECK(counts_of([](auto& mp, auto) { (void)popcount(mp.varying(7U)); }).alu == 2);
  CHECK(counts_of([](auto& mp, auto) { (void)highest_bit(mp.varying(7U)); }).alu == 2);
}

TEST_CASE("fetch_add costs what atomic_add does", "[model][warp_words]") {
  const auto with = [](auto add) {
    return counts_of([add](auto& mp, auto) {
      const auto words = mp.template shared<I32>(64, "words");
      for (I32 i = 0; i < 64; i += 16) words.write(mp.lane() + i, mp.lane());
      mp.sync();
      add(words, mp.lane() * 2);  // pairs of lanes of a warp share a bank
    });
  };
  const Counts fetch = with([](auto words, auto at) { (void)words.fetch_add(at, at); });
  CHECK(fetch == with([](auto words, auto at) { words.atomic_add(at, at); }));
  CHECK(fetch.shared_atomic.requests == 2);
  CHECK(fetch.shared_atomic.wavefronts == 4);
}

TEST_CASE("all lanes of a warp must reach a vote and a shuffle", "[model][warp_words]") {
  const auto divergent = [](auto& mp, auto) {
    mp.when(mp.lane() < 10, [&] { (void)mp.vote(mp.lane() < 3); });
  };
  CHECK_THAT(violation(divergent),
             says("vote() under divergent control flow", "lane 10", "warp_words_test.cpp:"));
  CHECK_THAT(violation([](auto& mp, auto) {
               mp.when(mp.lane() >= 1, [&] { (void)mp.shuffle(mp.lane(), mp.varying(0)); });
             }),
             says("shuffle() under divergent control flow"));
  // Whole warps may do without.
  CHECK(violation([](auto& mp, auto) {
          mp.when(mp.lane() < 8, [&] { (void)mp.vote(mp.lane() < 3); });
        }) == "");
}

TEST_CASE("a shuffle stays in its warp and a vote in 32 bits", "[model][warp_words]") {
  CHECK_THAT(violation([](auto& mp, auto) { (void)mp.shuffle(mp.lane(), mp.lane()); }),
             says("shuffle() from a lane outside the warp", "lane 8"));
  CHECK_THAT(violation([](auto& mp, auto) { (void)mp.shuffle(mp.lane(), mp.lane() - 1); }),
             says("lane 0"));
  CHECK_THAT(violation([](auto& mp, auto) { (void)mp.vote(mp.lane() < 3); }, small_machine(33)),
             says("vote() has 32 bits"));
  CHECK(violation([](auto& mp, auto) { (void)mp.vote(mp.lane() < 3); }, small_machine(32)) == "");
}

/// The violation of a task of two warps with 16 words of shared memory that hold 0.
template <class Body>
std::string violation_in_words(Body body) {
  return violation([body](auto& mp, auto) {
    const auto words = mp.template shared<I32>(16, "words");
    words.write(mp.lane(), mp.varying(0));
    mp.sync();
    body(mp, words);
  });
}

TEST_CASE("what fetch_add returns must be certain", "[model][warp_words]") {
  const auto own = [](auto& mp, auto words) { (void)words.fetch_add(mp.lane(), mp.varying(1)); };
  CHECK(violation_in_words(own) == "");
  // Lanes of one warp in two instructions, lanes of two warps after a sync.
  CHECK(violation_in_words([](auto& mp, auto words) {
          (void)words.fetch_add(mp.lane(), mp.varying(1));
          (void)words.fetch_add(mp.lane() / 8 * 8 + (mp.lane() + 1) % 8, mp.varying(1));
          mp.sync();
          (void)words.fetch_add(mp.lane() * -1 + 15, mp.varying(1));
        }) == "");
  CHECK_THAT(violation_in_words(
                 [](auto& mp, auto words) { (void)words.fetch_add(mp.lane() / 2, mp.varying(1)); }),
             says("fetch_add by two lanes at once", "lane 1", "array words"));
  CHECK_THAT(violation_in_words([](auto& mp, auto words) {
               (void)words.fetch_add(mp.lane(), mp.varying(1));
               (void)words.fetch_add(mp.lane() * -1 + 15, mp.varying(1));
             }),
             says("fetch_add by two warps"));
  // Reads and writes of others come after a sync.
  CHECK_THAT(violation_in_words([](auto& mp, auto words) {
               (void)words.fetch_add(mp.lane(), mp.varying(1));
               (void)words.read(mp.lane() / 8 * 8 + (mp.lane() + 1) % 8);
             }),
             says("reliance on lockstep"));
  CHECK_THAT(violation_in_words([](auto& mp, auto words) {
               (void)words.read(mp.lane() / 8 * 8 + (mp.lane() + 1) % 8);
               (void)words.fetch_add(mp.lane(), mp.varying(1));
             }),
             says("reliance on lockstep"));
  CHECK_THAT(violation([](auto& mp, auto) {
               const auto words = mp.template shared<I32>(16, "words");
               (void)words.fetch_add(mp.lane(), mp.varying(1));
             }),
             says("has not written"));
}

}  // namespace
}  // namespace agpusim
