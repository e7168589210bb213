#include <numeric>

#include "agpusim/model/agpu/lane_copy.hpp"
#include "agpusim/tests/support/catch.hpp"
#include "agpusim/tests/support/kernels.hpp"
#include "agpusim/tests/support/pricing_reference.hpp"
#include "agpusim/tests/support/seed.hpp"

// Places that the machine knows from earlier accesses are used, priced and checked as any others.
namespace agpusim {
namespace {

/// Where the lanes of a task access, from `start` on; lanes from `active` on do not.
struct Pattern {
  std::vector<I32> offset;
  I32 active = 0;
};

Pattern pattern(Random& random, I32 width) {
  Pattern result;
  result.offset.resize(static_cast<std::size_t>(width));
  const I32 half = I32{1} << below(random, 6);
  const I32 stride = 1 + below(random, 12);
  const I32 kind = below(random, 6);
  I32 place = 0;
  for (I32 i = 0; i < width; ++i) {
    place += 1 + (below(random, 3) == 0 ? below(random, 9) : 0);
    const I32 block = 2 * i - (i & (half - 1));  // place in a bitonic stage
    const I32 offsets[] = {block, block ^ (2 * half - 1),  i * stride, (width - 1 - i) * stride,
                           place, below(random, 2 * width)};
    result.offset[static_cast<std::size_t>(i)] = offsets[kind];
  }
  result.active = below(random, 3) == 0 ? 1 + below(random, width) : width;
  return result;
}

/// Reads the elements of each of the patterns and writes them back, one larger: of a tile in shared
/// memory, and of `global`, there by one element further each time.
struct Increment {
  static constexpr const char* name = "increment";
  I32 size;
  std::vector<I32> start;
  std::vector<I32> active;

  template <class Mp, class Places, class T>
  void operator()(Mp& mp, Places places, T out, T global) const {
    using Element = typename T::value_type;
    const auto lane = mp.lane();
    const auto tile = mp.template shared<Element>(size, "tile");
    for (I32 i = 0; i < size; i += mp.width()) {
      mp.when(lane < size - i, [&] { tile.write(lane + i, cast<Element>(lane + i)); });
    }
    for (std::size_t k = 0; k < start.size(); ++k) {
      const auto row = static_cast<std::int64_t>(k) * mp.width();
      const auto at = places.from(row).read(lane) + start[k];
      mp.sync();
      auto x = mp.varying(Element{0});
      mp.when(lane < active[k], [&] { x = tile.read(at); });
      out.from(row).write(lane, x);
      const auto from = global.from(static_cast<std::int64_t>(k));
      auto y = mp.varying(Element{0});
      mp.when(lane < active[k], [&] { y = from.read(at); });
      mp.sync();
      mp.when(lane < active[k], [&] { tile.write(at, x + Element{1}); });
      mp.when(lane < active[k], [&] { from.write(at, y + Element{1}); });
    }
  }
};

template <class Element>
void check_patterns(Random& random, const AgpuSpec& spec) {
  const I32 width = spec.width;
  const I32 size = 13 * width + 140;
  std::vector<Pattern> kinds;
  for (int i = 0; i < 5; ++i) kinds.push_back(pattern(random, width));
  Increment kernel{size, {}, {}};
  std::vector<I32> places;
  std::vector<Element> tile(static_cast<std::size_t>(size));
  std::iota(tile.begin(), tile.end(), Element{0});
  constexpr I32 accesses = 40;
  std::vector<Element> global(static_cast<std::size_t>(size + accesses), Element{0});
  GlobalCounts global_reads;
  GlobalCounts global_writes;
  std::vector<Element> expected;
  SharedCounts reads;
  SharedCounts writes;
  const std::int64_t words = spec.words_per_element(sizeof(Element));
  const auto price = [&](const std::vector<std::int64_t>& elements, std::int64_t of_words) {
    return GlobalCounts{1, reference::units(elements, of_words, spec.block_words),
                        reference::units(elements, of_words, spec.sector_words())};
  };
  for (I32 k = 0; k < accesses; ++k) {
    const Pattern& now = kinds[static_cast<std::size_t>(below(random, 5))];
    const I32 far = *std::max_element(now.offset.begin(), now.offset.end());
    kernel.start.push_back(below(random, size - far));
    kernel.active.push_back(now.active);
    places.insert(places.end(), now.offset.begin(), now.offset.end());
    std::vector<Element> before(static_cast<std::size_t>(width), Element{0});
    const auto place = [&](I32 i) {
      return static_cast<std::size_t>(now.offset[static_cast<std::size_t>(i)] +
                                      kernel.start.back());
    };
    for (I32 i = 0; i < now.active; ++i) before[static_cast<std::size_t>(i)] = tile[place(i)];
    for (I32 i = 0; i < now.active; ++i) {
      tile[place(i)] = before[static_cast<std::size_t>(i)] + Element{1};
    }
    expected.insert(expected.end(), before.begin(), before.end());
    for (const std::int64_t one :
         std::set<std::int64_t>(now.offset.begin(), now.offset.begin() + now.active)) {
      ++global[static_cast<std::size_t>(one + kernel.start.back() + k)];
    }
    for (I32 first = 0; first < width; first += spec.block_words) {  // rows of `places`, `out`
      std::vector<std::int64_t> row(static_cast<std::size_t>(spec.block_words));
      std::iota(row.begin(), row.end(), k * width + first);
      global_reads += price(row, spec.words_per_element(sizeof(I32)));
      global_writes += price(row, words);
    }
    for (I32 first = 0; first < now.active; first += spec.block_words) {
      std::vector<std::int64_t> elements;
      std::vector<I32> lanes;
      for (I32 i = first; i < std::min(now.active, first + spec.block_words); ++i) {
        elements.push_back(static_cast<std::int64_t>(place(i)));
        lanes.push_back(i);
      }
      const SharedPrice load = reference::shared(spec, elements, lanes, 0, words, true);
      const SharedPrice store = reference::shared(spec, elements, lanes, 0, words, false);
      reads += {1, load.wavefronts, load.conflicts};
      writes += {1, store.wavefronts, store.conflicts};
      for (std::int64_t& element : elements) element += k;
      global_reads += price(elements, words);
      global_writes += price(elements, words);
    }
  }
  SimulatedDevice device(spec);
  const auto in = device.allocate<I32>(static_cast<std::int64_t>(places.size()), "places");
  const auto out = device.allocate<Element>(static_cast<std::int64_t>(places.size()), "out");
  const auto far = device.allocate<Element>(size + accesses, "global");
  device.upload<I32>(in, places);
  device.launch(1, kernel, in, out, far);
  REQUIRE(device.download(out) == expected);
  REQUIRE(device.download(far) == global);
  const Counts counts = device.report().phases[0].counts;
  REQUIRE(counts.global_read == global_reads);
  REQUIRE(counts.global_write == global_writes);
  REQUIRE(counts.shared_read == reads);
  for (I32 i = 0; i < size; i += width) {  // the initial values
    for (I32 first = 0; first < std::min(width, size - i); first += spec.block_words) {
      const I32 lanes = std::min(std::min(width, size - i) - first, spec.block_words);
      std::vector<std::int64_t> elements(static_cast<std::size_t>(lanes));
      std::vector<I32> numbers(static_cast<std::size_t>(lanes));
      std::iota(elements.begin(), elements.end(), i + first);
      std::iota(numbers.begin(), numbers.end(), first);
      const SharedPrice store = reference::shared(spec, elements, numbers, 0, words, false);
      writes += {1, store.wavefronts, store.conflicts};
    }
  }
  REQUIRE(counts.shared_write == writes);
}

TEST_CASE("places known from earlier accesses hold, and cost, what others do",
          "[model][lanes][property]") {
  Random random(test_seed());
  INFO("AGPUSIM_TEST_SEED=" << test_seed());
  for (int repeat = 0; repeat < 40; ++repeat) {
    for (const I32 b : {5, 8, 16, 32, 64}) {
      AgpuSpec spec = small_machine(b, 1 + below(random, 3), 4, 1 << 14);
      spec.bank_mode = below(random, 2) == 0 ? BankMode::merge : BankMode::strict;
      CAPTURE(repeat, b, spec.width);
      check_patterns<std::uint32_t>(random, spec);
      check_patterns<std::uint64_t>(random, spec);
    }
  }
}

TEST_CASE("reliance on lockstep shows at places known from earlier accesses",
          "[model][rules][lockstep]") {
  // The stages of a merge of 2^6 elements; between the last two there is no sync().
  const auto kernel = [](auto& mp) {
    const auto lane = mp.lane();
    const auto tile = mp.template shared<I32>(64, "tile");
    tile.write(lane, lane);
    tile.write(lane + 32, lane);
    const auto stage = [&](I32 half) {
      const auto low = lane * 2 - (lane & (half - 1));
      tile.write(low, tile.read(low));
      tile.write(low + half, tile.read(low + half));
    };
    for (int i = 0; i < 4; ++i) {
      mp.sync();
      stage(4);
      mp.sync();
      stage(2);
    }
    stage(4);
  };
  SimulatedDevice device(small_machine(32));
  CHECK_THROWS_WITH(device.launch(1, TestKernel{kernel}),
                    says("reliance on lockstep: lane 0 wrote this word of shared memory and no "
                         "sync() came since (kernel test_kernel, task 0, lane 2, array tile, "
                         "index 2"));
}

TEST_CASE("words are gathered from where the indices say", "[model][lanes]") {
  Random random(test_seed());
  for (I32 count = 0; count < 70; ++count) {
    std::vector<I32> from(200);
    std::vector<I32> index(static_cast<std::size_t>(count));
    std::iota(from.begin(), from.end(), 1000);
    for (I32& i : index) i = below(random, 200) - 100;
    std::vector<I32> to(index.size() + 1, -1);
    gather(from.data() + 100, index.data(), count, to.data());
    for (std::size_t i = 0; i < index.size(); ++i) REQUIRE(to[i] == 1100 + index[i]);
    REQUIRE(to.back() == -1);
    std::vector<I32> copy(index.size() + 1, -1);
    copy_lanes(index.data(), copy.data(), count);
    REQUIRE(std::equal(index.begin(), index.end(), copy.begin()));
    REQUIRE(copy.back() == -1);
  }
}

}  // namespace
}  // namespace agpusim
