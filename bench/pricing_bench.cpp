// What pricing one request of 32 lanes costs, by where its addresses lie.
#include <benchmark/benchmark.h>
#include <cstdint>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "agpusim/bench/benches.hpp"
#include "agpusim/model/agpu/pricing.hpp"

namespace agpusim::bench {
namespace {

constexpr std::int32_t lanes = 32;
constexpr std::int32_t requests = 64;  // requests of one kind, in turn

struct Pattern {
  const char* name;
  std::function<std::int32_t(std::int32_t lane, std::mt19937& random)> element;
};

struct Requests {
  std::vector<std::int32_t> index;
  std::vector<std::uint64_t> byte;
  std::vector<std::int32_t> lane;
};

Requests requests_of(const Pattern& pattern) {
  Requests all;
  std::mt19937 random(1);
  for (std::int32_t i = 0; i < requests * lanes; ++i) {
    all.index.push_back(pattern.element(i % lanes, random) + i / lanes);
    all.byte.push_back(static_cast<std::uint64_t>(all.index.back()) * 4);
    all.lane.push_back(i % lanes);
  }
  return all;
}

template <class Price>
void add(const std::string& name, const Pattern& pattern, Price price) {
  benchmark::RegisterBenchmark((name + "/" + pattern.name).c_str(), [pattern, price](
                                                                        benchmark::State& state) {
    const Requests all = requests_of(pattern);
    PricingRules rules{AgpuSpec{}};
    std::int32_t i = 0;
    for ([[maybe_unused]] auto turn : state) {
      benchmark::DoNotOptimize(price(rules, all, i * lanes));
      i = (i + 1) % requests;
    }
  })->MinTime(0.05);
}

}  // namespace

void add_pricing() {
  const Pattern patterns[] = {
      {"contiguous", [](std::int32_t lane, auto&) { return lane; }},
      {"strided", [](std::int32_t lane, auto&) { return 3 * lane; }},
      {"two_apart", [](std::int32_t lane, auto&) { return 2 * lane; }},
      {"random",
       [](std::int32_t, auto& random) { return static_cast<std::int32_t>(random() % 12000); }},
  };
  for (const Pattern& pattern : patterns) {
    add("price/global", pattern, [](PricingRules& rules, const Requests& all, std::int32_t first) {
      const std::int32_t* const index = all.index.data() + first;
      return rules.global(index, lanes, shape_of(index, lanes), 0, {});
    });
    add("price/shared", pattern, [](PricingRules& rules, const Requests& all, std::int32_t first) {
      const std::int32_t* const index = all.index.data() + first;
      return rules.shared(index, all.lane.data() + first, lanes, shape_of(index, lanes), 0, {},
                          true);
    });
    add("price/shared_atomic", pattern,
        [](PricingRules& rules, const Requests& all, std::int32_t first) {
          return rules.shared_atomic(all.index.data() + first, all.lane.data() + first, lanes, 0,
                                     {});
        });
    add("price/multiplicity", pattern,
        [](PricingRules& rules, const Requests& all, std::int32_t first) {
          return rules.multiplicity(all.index.data() + first, lanes);
        });
    const auto add_bytes = [&](const std::string& name, auto price) {
      add(name, pattern, [price](PricingRules& rules, const Requests& all, std::int32_t first) {
        return price(rules, WarpAddresses{{all.byte.data() + first, lanes}, ~std::uint64_t{0}, 4});
      });
    };
    using Rules = PricingRules;
    using Bytes = WarpAddresses;
    add_bytes("price/global_bytes", [](Rules& r, const Bytes& b) { return r.global(b); });
    add_bytes("price/shared_bytes", [](Rules& r, const Bytes& b) { return r.shared(b, true); });
    add_bytes("price/shared_atomic_bytes",
              [](Rules& r, const Bytes& b) { return r.shared_atomic(b); });
    add_bytes("price/multiplicity_bytes",
              [](Rules& r, const Bytes& b) { return r.multiplicity(b); });
    add("price/shared_two_words", pattern,
        [](PricingRules& rules, const Requests& all, std::int32_t first) {
          const std::int32_t* const index = all.index.data() + first;
          return rules.shared(index, all.lane.data() + first, lanes, shape_of(index, lanes), 0, {2},
                              true);
        });
  }
}

}  // namespace agpusim::bench
