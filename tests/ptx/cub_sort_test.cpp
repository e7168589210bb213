// The radix sort of CUB: look-back between CTAs, shared memory that is used again and again.
#include "agpusim/tests/ptx/cub_sort.hpp"

#include <random>

#include "agpusim/tests/support/catch.hpp"

namespace agpusim::ptx {
namespace {

CubSort::Sorted sorted(const CubSort& sort, const std::vector<std::uint32_t>& keys, int threads,
                       std::int64_t shared_words = AgpuSpec{}.shared_words) {
  AgpuSpec spec;
  spec.shared_words = shared_words;
  Options options;
  options.threads = threads;
  Device device(spec, options);
  CubSort::Sorted result = sort.sort(keys, device);
  for (const LaunchReport& launch : result.launches) {
    CHECK(launch.complete);
    for (const Finding& finding : launch.findings) FAIL_CHECK(finding.message());
  }
  return result;
}

std::vector<std::uint32_t> random_keys(std::size_t count) {
  std::mt19937 random(1);
  std::vector<std::uint32_t> keys(count);
  for (std::uint32_t& key : keys) key = static_cast<std::uint32_t>(random());
  return keys;
}

}  // namespace

TEST_CASE("the radix sort of CUB sorts", "[ptx]") {
  const CubSort sort;
  std::vector<std::vector<std::uint32_t>> inputs;
  inputs.push_back(random_keys(5000));
  inputs.emplace_back(5000, 7U);
  inputs.push_back(inputs[0]);
  std::sort(inputs.back().begin(), inputs.back().end());
  inputs.emplace_back(inputs.back().rbegin(), inputs.back().rend());
  inputs.emplace_back(1, 3U);
  for (const auto& keys : inputs) {
    auto expected = keys;
    std::sort(expected.begin(), expected.end());
    CHECK(sorted(sort, keys, 1).keys == expected);
  }
}

TEST_CASE("what look-back costs depends neither on host threads nor on resident CTAs", "[ptx]") {
  const CubSort sort;
  const auto keys = random_keys(40'000);
  const CubSort::Sorted one = sorted(sort, keys, 1);
  for (const CubSort::Sorted& other : {sorted(sort, keys, 2), sorted(sort, keys, 1, 1 << 13)}) {
    CHECK(other.keys == one.keys);
    REQUIRE(other.launches.size() == one.launches.size());
    for (std::size_t i = 0; i < one.launches.size(); ++i) {
      CHECK(other.launches[i].phase == one.launches[i].phase);
    }
  }
}

}  // namespace agpusim::ptx
