#include <array>
#include <fstream>
#include <numeric>
#include <sstream>

#include "agpusim/model/error.hpp"
#include "agpusim/tests/support/catch.hpp"
#include "agpusim/tests/support/pricing_reference.hpp"
#include "agpusim/tests/support/seed.hpp"

namespace agpusim {
namespace {

/// One pattern of lane addresses; patterns cover every branch of the fast pricing.
std::vector<std::int32_t> pattern(Random& random, std::int32_t b) {
  std::vector<std::int32_t> index(static_cast<std::size_t>(b));
  const auto kind = below(random, 9);
  const std::int32_t start = below(random, 4 * b + 1);
  const std::int32_t stride = 1 + below(random, 2 * b + 3);
  for (std::int32_t i = 0; i < b; ++i) {
    const std::int32_t places[] = {start + i,
                                   start + b - i,
                                   start,
                                   start + stride * i,
                                   start + stride * (b - i),
                                   2 * i - (i & ((1 << (stride % 6)) - 1)),
                                   start + i / 2,
                                   start + below(random, 2 * b),
                                   below(random, 1 << 20)};
    index[static_cast<std::size_t>(i)] = places[kind];
  }
  if (below(random, 6) == 0) std::sort(index.begin(), index.end());
  return index;
}

TEST_CASE("fast pricing equals the definition for every b, element size and bank mode",
          "[model][pricing][property]") {
  Random random(test_seed());
  INFO("AGPUSIM_TEST_SEED=" << test_seed());
  for (const std::int32_t b :
       {1, 2, 3, 4, 5, 7, 8, 12, 16, 24, 31, 32, 33, 48, 64, 100, 128, 1000, 1024}) {
    for (const std::int32_t word_bits : {8, 16, 24, 32, 64}) {
      for (const std::int32_t bytes : {1, 2, 4, 8}) {
        AgpuSpec spec;
        spec.block_words = spec.width = b;
        spec.cores = b;
        spec.word_bits = word_bits;
        spec.bank_mode = below(random, 2) == 0 ? BankMode::merge : BankMode::strict;
        // Elements that share a word: the reference prices the words.
        const ElementSize size = spec.element_size(bytes);
        REQUIRE((size.parts == 1 || size.words == 1));
        const std::int32_t words = size.words;
        PricingRules rules(spec);
        for (int repeat = 0; repeat < (b > 64 ? 6 : 30); ++repeat) {
          const std::vector<std::int32_t> all = pattern(random, b);
          std::vector<std::int32_t> index;
          std::vector<std::int32_t> lanes;
          std::vector<std::int64_t> elements;
          const bool masked = below(random, 3) == 0;
          const std::int64_t origin = below(random, 3) == 0 ? below(random, 1 << 20) : 0;
          for (std::int32_t i = 0; i < b; ++i) {
            if (masked && below(random, 2) == 0 && !(i + 1 == b && index.empty())) continue;
            index.push_back(all[static_cast<std::size_t>(i)]);
            lanes.push_back(i);
            elements.push_back((index.back() + origin) / size.parts);
          }
          const auto count = static_cast<std::int32_t>(index.size());
          const Shape shape = shape_of(index.data(), count);
          CAPTURE(b, word_bits, bytes, origin, index, lanes);
          const GlobalPrice price = rules.global(index.data(), count, shape, origin, size);
          REQUIRE(price.blocks == reference::units(elements, words, b));
          REQUIRE(price.sectors == reference::units(elements, words, spec.sector_words()));
          const std::set<std::int32_t> different(index.begin(), index.end());
          REQUIRE((!price.distinct || different.size() == index.size()));
          const std::int64_t further = origin + rules.period(size);
          const GlobalPrice same = rules.global(index.data(), count, shape, further, size);
          REQUIRE((same.blocks == price.blocks && same.sectors == price.sectors));
          const std::int64_t base = below(random, 3) == 0 ? below(random, 5 * b) : 0;
          std::vector<std::int64_t> shared;
          for (const std::int32_t i : index) shared.push_back(i / size.parts);
          for (const bool load : {true, false}) {
            CAPTURE(load, base);
            REQUIRE(rules.shared(index.data(), lanes.data(), count, shape, base, size, load) ==
                    reference::shared(spec, shared, lanes, base, words, load));
          }
        }
      }
    }
  }
}

TEST_CASE("requests by byte addresses cost what the definition says for the words they touch",
          "[model][pricing][property]") {
  Random random(test_seed());
  INFO("AGPUSIM_TEST_SEED=" << test_seed());
  for (int repeat = 0; repeat < 4000; ++repeat) {
    AgpuSpec spec;
    const std::int32_t lanes = std::array{1, 4, 12, 16, 32, 64}[random() % 6];
    spec.block_words = spec.width = lanes;
    spec.cores = lanes;
    spec.word_bits = std::array{8, 16, 32, 64}[random() % 4];
    spec.bank_mode = below(random, 2) == 0 ? BankMode::merge : BankMode::strict;
    const std::int32_t bytes = 1 << below(random, 5);
    const std::int32_t words = std::max(1, bytes * 8 / spec.word_bits);
    const std::int64_t far = below(random, 4) == 0 ? std::int64_t{1} << 40 : 0;
    const std::vector<std::int32_t> all = pattern(random, lanes);
    WarpAddresses request{.active = random() & random()};
    if (below(random, 2) == 0) request.active = ~std::uint64_t{0};
    request.bytes = bytes;
    std::vector<std::uint64_t> byte;
    std::vector<std::int64_t> elements;  // numbers of elements of `words` words
    std::vector<std::int32_t> numbers;
    std::map<std::uint64_t, std::int64_t> times;
    std::int64_t most = 0;
    for (std::int32_t i = 0; i < lanes; ++i) {
      const std::int64_t element = all[static_cast<std::size_t>(i)] + (i % 3 == 0 ? far : 0);
      byte.push_back(static_cast<std::uint64_t>(element * bytes));
      if ((request.active >> i & 1) == 0) continue;
      elements.push_back(element * bytes * 8 / spec.word_bits / words);
      numbers.push_back(i);
      most = std::max(most, ++times[byte.back()]);
    }
    request.byte = byte;
    CAPTURE(lanes, spec.word_bits, bytes, far, all, request.active);
    PricingRules rules(spec);
    const GlobalPrice price = rules.global(request);
    REQUIRE(price.blocks == reference::units(elements, words, lanes));
    REQUIRE(price.sectors == reference::units(elements, words, spec.sector_words()));
    REQUIRE(rules.multiplicity(request) == most);
    if (far != 0) continue;
    const auto shared = [&](bool load) {
      return elements.empty() ? SharedPrice{}
                              : reference::shared(spec, elements, numbers, 0, words, load);
    };
    for (const bool load : {true, false}) REQUIRE(rules.shared(request, load) == shared(load));
    spec.bank_mode = BankMode::strict;  // every lane counts
    REQUIRE(rules.shared_atomic(request) == shared(false));
  }
}

TEST_CASE("a request costs by its addresses what it costs by its indices",
          "[model][pricing][property]") {
  Random random(test_seed());
  INFO("AGPUSIM_TEST_SEED=" << test_seed());
  for (int repeat = 0; repeat < 4000; ++repeat) {
    AgpuSpec spec;  // b = 32
    spec.bank_mode = below(random, 2) == 0 ? BankMode::merge : BankMode::strict;
    PricingRules rules(spec);
    const std::int32_t bytes = 1 << below(random, 5);
    const ElementSize size = spec.element_size(bytes);
    const std::int64_t start = below(random, 2) == 0 ? 0 : (1LL << 46) + 512 * below(random, 99);
    const std::vector<std::int32_t> all = pattern(random, 32);
    WarpAddresses request{{}, below(random, 2) == 0 ? ~0U : random() | 1, bytes};
    std::vector<std::uint64_t> byte;
    std::vector<std::int32_t> index;
    std::vector<std::int32_t> lane;
    for (std::int32_t i = 0; i < 32; ++i) {
      byte.push_back(random());  // address of a lane that takes no part
      if ((request.active >> i & 1) == 0) continue;
      index.push_back(all[static_cast<std::size_t>(i)]);
      lane.push_back(i);
      byte.back() = static_cast<std::uint64_t>(start + std::int64_t{index.back()} * bytes);
    }
    request.byte = byte;
    const auto count = static_cast<std::int32_t>(index.size());
    const Shape shape = shape_of(index.data(), count);
    CAPTURE(bytes, start, index, lane);
    const GlobalPrice expected = rules.global(index.data(), count, shape, start / bytes, size);
    const GlobalPrice price = rules.global(request);
    REQUIRE((price.blocks == expected.blocks && price.sectors == expected.sectors));
    const std::int64_t base = start / 4;
    for (const bool load : {true, false}) {
      REQUIRE(rules.shared(request, load) ==
              rules.shared(index.data(), lane.data(), count, shape, base, size, load));
    }
    REQUIRE(rules.shared_atomic(request) ==
            rules.shared_atomic(index.data(), lane.data(), count, base, size));
    REQUIRE(rules.multiplicity(request) == rules.multiplicity(index.data(), count));
  }
}

TEST_CASE("lanes of parts of a word ask for their words", "[model][pricing]") {
  PricingRules rules{AgpuSpec{}};
  for (const std::int32_t bytes : {1, 2}) {
    std::vector<std::uint64_t> byte;
    for (std::int32_t i = 0; i < 32; ++i) byte.push_back(static_cast<std::uint64_t>(i * bytes));
    const WarpAddresses request{byte, ~0U, bytes};
    CHECK(rules.global(request).sectors == bytes);
    CHECK(rules.shared(request, true) == SharedPrice{1, 0});
    CHECK(rules.shared_atomic(request) == SharedPrice{4 / bytes, 4 / bytes - 1});
    CHECK(rules.multiplicity(request) == 1);
  }
}

TEST_CASE("requests by byte addresses that no machine serves are refused", "[model][pricing]") {
  PricingRules rules{AgpuSpec{}};
  const std::vector<std::uint64_t> byte = {4, 6};
  CHECK_THROWS_WITH(rules.global({byte, 3, 4}),
                    "lane 1 asks for 4 bytes at address 6, no multiple of 4");
  CHECK(rules.global({byte, 1, 4}).blocks == 1);  // an inactive lane asks for nothing
  CHECK_THROWS_AS(rules.shared({byte, 3, 3}, true), UsageError);
  CHECK_THROWS_AS(rules.shared_atomic({byte, 3, 4}), UsageError);
  CHECK_THROWS_AS(rules.multiplicity({byte, 3, 3}), UsageError);
  const std::vector<std::uint64_t> apart = {0, std::uint64_t{1} << 40};
  CHECK_THROWS_AS(rules.shared_atomic({apart, 3, 4}), UsageError);
  CHECK(rules.multiplicity({apart, 3, 4}) == 1);
  const std::vector<std::uint64_t> wide(65);
  CHECK_THROWS_AS(rules.global({wide, 1, 4}), UsageError);
}

TEST_CASE("stride s over b banks has degree gcd(s, b)", "[model][pricing]") {  // theory L1
  for (const std::int32_t b : {4, 8, 16, 32, 12, 33}) {
    AgpuSpec spec;
    spec.block_words = spec.width = b;
    spec.cores = b;
    PricingRules rules(spec);
    for (std::int32_t s = 1; s < 130; ++s) {
      std::vector<std::int32_t> index(static_cast<std::size_t>(b));
      std::vector<std::int32_t> lanes(static_cast<std::size_t>(b));
      std::iota(lanes.begin(), lanes.end(), 0);
      for (std::int32_t i = 0; i < b; ++i) index[static_cast<std::size_t>(i)] = 7 + s * i;
      CAPTURE(b, s);
      REQUIRE(rules.shared(index.data(), lanes.data(), b, shape_of(index.data(), b), 0, {}, true)
                  .wavefronts == std::gcd(s, b));
    }
  }
}

TEST_CASE("warps whose addresses do not fall touch few blocks", "[model][pricing]") {  // theory L4
  PricingRules rules{AgpuSpec{}};                                                      // b = 32
  Random random(test_seed());
  const auto in_blocks = [](std::int64_t words) { return (words + 31) / 32; };
  for (int round = 0; round < 1000; ++round) {
    const std::int64_t words = 1 + below(random, 200);
    const std::int32_t first = below(random, 32);
    std::vector<std::int32_t> index(static_cast<std::size_t>(1 + below(random, 100)));
    for (std::int32_t& x : index) x = first + static_cast<std::int32_t>(below(random, words));
    std::sort(index.begin(), index.end());
    std::int64_t blocks = 0;
    for (std::size_t i = 0; i < index.size(); i += 32) {
      const auto lanes = static_cast<std::int32_t>(std::min<std::size_t>(32, index.size() - i));
      blocks += rules.global(&index[i], lanes, shape_of(&index[i], lanes), 0, {}).blocks;
    }
    CAPTURE(words, first, index.size());
    REQUIRE(blocks <= in_blocks(static_cast<std::int64_t>(index.size())) + in_blocks(words));
  }
}

TEST_CASE("golden prices by hand", "[model][pricing]") {
  AgpuSpec spec;  // b = 32
  PricingRules rules(spec);
  std::vector<std::int32_t> lanes(32);
  std::iota(lanes.begin(), lanes.end(), 0);
  const auto blocks = [&](std::int32_t start, std::int32_t stride) {
    std::vector<std::int32_t> index;
    for (std::int32_t i = 0; i < 32; ++i) index.push_back(start + stride * i);
    return rules.global(index.data(), 32, shape_of(index.data(), 32), 0, {}).blocks;
  };
  CHECK(blocks(0, 1) == 1);
  CHECK(blocks(1, 1) == 2);  // contiguous, not aligned
  CHECK(blocks(0, 2) == 2);
  CHECK(blocks(1, 2) == 2);
  CHECK(blocks(2, 2) == 3);
  CHECK(blocks(0, 32) == 32);
  CHECK(blocks(5, 0) == 1);
}

TEST_CASE("conflicts are what passes with an active lane take above one element's wavefronts",
          "[model][pricing]") {
  AgpuSpec spec;  // b = 32
  PricingRules rules(spec);
  const auto price = [&](std::int32_t first, std::int32_t lanes, std::int32_t stride,
                         std::int32_t words) {
    std::vector<std::int32_t> lane(static_cast<std::size_t>(lanes));
    std::iota(lane.begin(), lane.end(), first);
    std::vector<std::int32_t> index;
    for (std::int32_t i = 0; i < lanes; ++i) index.push_back(stride * i);
    return rules.shared(index.data(), lane.data(), lanes, shape_of(index.data(), lanes), 0, {words},
                        true);
  };
  CHECK(price(0, 32, 2, 1) == SharedPrice{2, 1});
  CHECK(price(0, 32, 2, 2) == SharedPrice{4, 2});   // two passes of degree 2
  CHECK(price(0, 16, 2, 2) == SharedPrice{2, 1});   // one pass
  CHECK(price(16, 16, 2, 2) == SharedPrice{2, 1});  // the other one
  CHECK(price(0, 17, 2, 2) == SharedPrice{3, 1});   // the second pass has one lane
  CHECK(price(0, 16, 1, 2) == SharedPrice{1, 0});
  CHECK(price(0, 32, 0, 2) == SharedPrice{1, 0});  // one element, served at once
  spec.block_words = spec.width = 1;               // an element is wider than all banks
  spec.cores = 1;
  rules = PricingRules(spec);
  CHECK(price(0, 1, 1, 2) == SharedPrice{2, 0});
}

/// One line of bench/wide_accesses.cu with what a GPU counted, of a load and then of a store.
struct MeasuredAccess {
  std::vector<std::int32_t> index;
  std::vector<std::int32_t> lanes;
  SharedPrice shared[2];
  GlobalPrice global[2];
};

/// The first 144 lines. Not all files have what global memory counted.
std::vector<MeasuredAccess> measured_accesses(const std::string& name, bool with_global) {
  std::vector<MeasuredAccess> result;
  std::ifstream file(AGPUSIM_TEST_DIR "/model/agpu/" + name);
  for (std::string text; std::getline(file, text);) {
    std::istringstream line(text);
    std::uint32_t mask = 0;
    MeasuredAccess access;
    line >> std::hex >> mask >> std::dec;
    for (SharedPrice& price : access.shared) line >> price.wavefronts >> price.conflicts;
    for (GlobalPrice& price : access.global) {
      if (with_global) line >> price.blocks >> price.sectors;
    }
    for (std::int32_t lane = 0; lane < 32; ++lane) {
      std::int32_t element = 0;
      line >> element;
      if ((mask >> lane & 1) == 0) continue;
      access.index.push_back(element);
      access.lanes.push_back(lane);
    }
    REQUIRE(line);
    result.push_back(access);
  }
  REQUIRE(result.size() == 144);
  return result;
}

// An H100 counts the same for 1 and 2 bytes.
TEST_CASE("accesses have the wavefronts, conflicts, blocks and sectors that an H100 or H200 counts",
          "[model][pricing]") {
  const auto [file, bytes, with_global] =
      GENERATE(table<std::string, std::int32_t, bool>({{"wide_accesses_1_h200.txt", 1, true},
                                                       {"wide_accesses_2_h200.txt", 2, true},
                                                       {"wide_accesses_h100.txt", 8, false},
                                                       {"wide_accesses_16_h200.txt", 16, true}}));
  CAPTURE(file);
  PricingRules rules{AgpuSpec{}};  // b = 32, w = 32
  const ElementSize size = AgpuSpec{}.element_size(bytes);
  for (const MeasuredAccess& a : measured_accesses(file, with_global)) {
    const auto count = static_cast<std::int32_t>(a.index.size());
    const Shape shape = shape_of(a.index.data(), count);
    CAPTURE(a.index, a.lanes);
    for (const bool load : {true, false}) {
      CHECK(rules.shared(a.index.data(), a.lanes.data(), count, shape, 0, size, load) ==
            a.shared[load ? 0 : 1]);
    }
    if (!with_global) continue;
    const GlobalPrice global = rules.global(a.index.data(), count, shape, 0, size);
    for (const GlobalPrice& counted : a.global) {
      CHECK(global.blocks == counted.blocks);
      CHECK(global.sectors == counted.sectors);
    }
  }
}

TEST_CASE("the contention of an atomic request is its largest multiplicity", "[model][pricing]") {
  PricingRules rules{AgpuSpec{}};
  const std::vector<std::int32_t> index = {3, 1, 3, 3, 2, 1};
  CHECK(rules.multiplicity(index.data(), 6) == 3);
  CHECK(rules.multiplicity(index.data(), 1) == 1);
}

}  // namespace
}  // namespace agpusim
