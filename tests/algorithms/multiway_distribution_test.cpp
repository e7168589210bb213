#include <algorithm>
#include <array>
#include <utility>

#include "agpusim/algorithms/common/inputs.hpp"
#include "agpusim/algorithms/merge_sort/count_cuts.hpp"
#include "agpusim/algorithms/merge_sort/kernel.hpp"
#include "agpusim/algorithms/merge_sort/pivots_kernel.hpp"
#include "agpusim/model/agpu/assignment.hpp"
#include "agpusim/model/agpu/device.hpp"
#include "agpusim/model/cost/units.hpp"
#include "agpusim/model/error.hpp"
#include "agpusim/tests/support/catch.hpp"

// The distribution of Koike and Sadakane: its kernels against cuts counted one by one, the length
// of pieces and the load of multiprocessors (Lemma 4.1).
namespace agpusim::multiway_distribution_test {
namespace {

using multiway_merge_sort::Distribution;
using multiway_merge_sort::Groups;
template <class Key>
using KeysOf = std::vector<Key>;
using Keys = KeysOf<std::uint32_t>;
using ByRun = std::vector<std::vector<std::int64_t>>;

AgpuSpec machine(std::int32_t b, std::int32_t width) {
  return AgpuSpec{.cores = b * 5, .block_words = b, .width = width};
}

Distribution distribution(std::int32_t n, std::int32_t run, std::int32_t pivots,
                          std::int32_t width) {
  Distribution result{n, run, (n + run - 1) / run, pivots, 0, 0};
  result.list = (pivots + width - 1) / width * width;
  result.stride = (result.regions() + width - 1) / width * width;
  return result;
}

/// Keys with sorted runs; "largest" are equal keys of the largest value.
template <class Key = std::uint32_t>
KeysOf<Key> sorted_runs(const std::string& kind, const Distribution& d) {
  KeysOf<Key> keys = kind == "largest" ? KeysOf<Key>(static_cast<std::size_t>(d.n), ~Key{0})
                                       : generate<Key>(kind, d.n, 7);
  for (std::int64_t first = 0; first < d.n; first += d.run) {
    std::sort(keys.begin() + first, keys.begin() + std::min(d.n, first + d.run));
  }
  return keys;
}

std::vector<std::string> kinds() {
  std::vector<std::string> result = input_kinds();
  result.emplace_back("largest");
  return result;
}

/// What a pivot does to keys that equal it: the first of equal pivots cuts a run behind the first
/// of the places of the run's own pivots that come after its smaller keys, the second behind the
/// second; or each cuts behind all of them.
enum class Ties { by_number, behind };

/// Places of a run's pivots, counted from 1.
std::vector<std::int64_t> places_of(const Distribution& d, std::int32_t run) {
  std::vector<std::int64_t> places;
  for (std::int64_t t = 1; t <= d.pivots; ++t) {
    places.push_back(ceil_div(t * d.length(run), d.pivots + 1));
  }
  return places;
}

/// Cuts of each run at the sorted pivots, and its length, by comparing every key with every pivot.
template <class Key>
ByRun counted(const KeysOf<Key>& keys, const Distribution& d, Ties ties) {
  const auto key = [&](std::int32_t run, std::int64_t position) {
    return keys[static_cast<std::size_t>(std::int64_t{run} * d.run + position)];
  };
  KeysOf<Key> pivots;
  for (std::int32_t run = 0; run < d.runs; ++run) {
    for (const std::int64_t place : places_of(d, run)) pivots.push_back(key(run, place - 1));
  }
  std::sort(pivots.begin(), pivots.end());
  ByRun cuts(static_cast<std::size_t>(d.runs));
  for (std::int32_t run = 0; run < d.runs; ++run) {
    auto& mine = cuts[static_cast<std::size_t>(run)];
    for (std::size_t j = 0; j < pivots.size(); ++j) {
      std::int64_t below = 0;
      std::int64_t up_to = 0;
      for (std::int64_t i = 0; i < d.length(run); ++i) {
        below += key(run, i) < pivots[j] ? 1 : 0;
        up_to += key(run, i) <= pivots[j] ? 1 : 0;
      }
      std::int64_t cut = up_to;
      if (ties == Ties::by_number) {
        auto number = std::count(pivots.begin(), pivots.begin() + std::ptrdiff_t(j), pivots[j]);
        for (const std::int64_t place : places_of(d, run)) {
          if (place > below && number-- == 0) cut = std::min(up_to, place);
        }
      }
      mine.push_back(cut);
    }
    mine.push_back(d.length(run));
  }
  return cuts;
}

std::int64_t piece(const ByRun& cuts, std::size_t run, std::size_t region) {
  return cuts[run][region] - (region == 0 ? 0 : cuts[run][region - 1]);
}

std::int64_t longest_piece(const ByRun& cuts) {
  std::int64_t most = 0;
  for (std::size_t run = 0; run < cuts.size(); ++run) {
    for (std::size_t region = 0; region < cuts[run].size(); ++region) {
      most = std::max(most, piece(cuts, run, region));
    }
  }
  return most;
}

/// Keys of each region.
std::vector<TaskCost> regions(const ByRun& cuts) {
  std::vector<TaskCost> result(cuts.front().size());
  for (std::size_t region = 0; region < result.size(); ++region) {
    for (std::size_t run = 0; run < cuts.size(); ++run) {
      result[region].time += piece(cuts, run, region);
    }
  }
  return result;
}

/// What the kernels of the distribution leave in global memory.
struct Distributed {
  ByRun cuts;
  ByRun offsets;
  RunReport report;
};

template <std::int32_t rows, class Key>
Distributed distribute(const AgpuSpec& spec, const KeysOf<Key>& keys, const Distribution& d) {
  SimulatedDevice device(spec, {1, true, true, {}});
  const std::int64_t places = std::int64_t{d.runs} * d.list;
  const auto runs = device.allocate<Key>(d.n, "keys");
  const std::array lists{device.allocate<Key>(places, "pivots"),
                         device.allocate<Key>(places, "other_pivots")};
  const auto cuts = device.allocate<std::int32_t>(std::int64_t{d.runs} * d.stride, "cuts");
  const auto offsets =
      device.allocate<std::int32_t>((std::int64_t{d.runs} + 1) * d.stride, "offsets");
  device.upload<Key>(runs, keys);
  const multiway_merge_sort::SamplePivots<Key> sample{d};
  device.launch(sample.tasks(spec.width), sample, runs, lists[0]);
  std::size_t merged = 0;
  for (std::int32_t list = d.list; list < places; list *= 2, merged = 1 - merged) {
    const Groups groups{places, list, 1};
    device.launch(groups.count(), multiway_merge_sort::MergeGroups<Key, rows>{groups, spec.width},
                  lists[merged], lists[1 - merged]);
  }
  device.launch(d.runs, multiway_merge_sort::CountCuts<Key, rows>{d, spec.width}, runs,
                lists[merged], cuts);
  const multiway_merge_sort::OffsetsOfPieces sums{d};
  device.launch(sums.tasks(spec.width), sums, cuts, offsets);
  const auto by_run = [&](const std::vector<std::int32_t>& numbers) {
    ByRun result;
    for (auto row = numbers.begin(); row != numbers.end(); row += d.stride) {
      result.emplace_back(row, row + d.regions());
    }
    return result;
  };
  return {by_run(device.download(cuts)), by_run(device.download(offsets)), device.report()};
}

TEMPLATE_TEST_CASE("the distribution's kernels cut runs where counting every key does",
                   "[algorithms][multiway]", std::uint32_t, std::uint64_t) {
  for (const std::string& kind : kinds()) {
    for (const auto& [b, width] : {std::pair{1, 2}, {4, 4}, {8, 32}, {32, 32}}) {
      for (const std::int32_t n : {500, 777, 1024}) {
        for (const std::int32_t pivots : {1, 2, 7, 33}) {
          const Distribution d = distribution(n, 160, pivots, width);
          const auto keys = sorted_runs<TestType>(kind, d);
          CAPTURE(kind, b, width, n, pivots);
          const Distributed result = pivots % 2 == 0 ? distribute<4>(machine(b, width), keys, d)
                                                     : distribute<1>(machine(b, width), keys, d);
          REQUIRE(result.cuts == counted(keys, d, Ties::by_number));
          std::int64_t place = 0;
          for (std::size_t region = 0; region < result.cuts.front().size(); ++region) {
            for (std::size_t run = 0; run < result.cuts.size(); ++run) {
              REQUIRE(result.offsets[run][region] == place);
              place += piece(result.cuts, run, region);
            }
            REQUIRE(result.offsets.back()[region] == place);
          }
          REQUIRE(place == n);
        }
      }
    }
  }
}

TEST_CASE(
    "no piece is longer than ceil(h/(rho+1)) keys, which pivots behind all their equals break (K9)",
    "[algorithms][multiway]") {
  for (const std::string& kind : kinds()) {
    std::int64_t longest_behind = 0;
    for (const std::int32_t run : {90, 96, 100}) {
      for (const std::int32_t pivots : {1, 4, 8, 30, 120}) {
        for (const std::int32_t n : {4 * run, 5 * run - 31}) {
          const Distribution d = distribution(n, run, pivots, 1);
          const Keys keys = sorted_runs(kind, d);
          CAPTURE(kind, run, pivots, n);
          CHECK(longest_piece(counted(keys, d, Ties::by_number)) <= ceil_div(run, pivots + 1));
          if (pivots > 1) {
            longest_behind = std::max(
                longest_behind, longest_piece(counted(keys, d, Ties::behind)) * (pivots + 1) / run);
          }
        }
      }
    }
    // Behind its equals a pivot leaves a run of equal keys in one piece.
    const bool many_equal = kind == "equal" || kind == "largest" || kind == "few_distinct";
    CAPTURE(kind, longest_behind);
    if (many_equal) CHECK(longest_behind > 5);
  }
}

TEST_CASE("Lemma 4.1: k pivots a run and next-fit give no multiprocessor 2n/k keys",
          "[algorithms][multiway]") {
  std::int64_t broken_behind = 0;
  for (const std::string& kind : kinds()) {
    for (const std::int32_t k : {2, 3, 4, 6}) {
      for (const std::int32_t runs : {2, k, 2 * k}) {
        for (const std::int32_t more : {0, 1, 5}) {
          const std::int32_t pivots = k + more;
          const std::int32_t run = (pivots + 1) * 16;
          const Distribution d = distribution(runs * run, run, pivots, 1);
          const Keys keys = sorted_runs(kind, d);
          CAPTURE(kind, k, runs, pivots);
          AgpuSpec spec = machine(1, 1);
          spec.cores = k;
          spec.next_fit_cap = ceil_div(2 * d.n, k) - 1;
          const auto load = [&](Ties ties, Assignment assignment) {
            spec.assignment = assignment;
            return TaskAssigner(spec).assign(regions(counted(keys, d, ties))).time * k;
          };
          for (const Assignment assignment : {Assignment::next_fit, Assignment::list}) {
            CHECK(load(Ties::by_number, assignment) < 2 * d.n);
          }
          try {
            broken_behind += load(Ties::behind, Assignment::next_fit) >= 2 * d.n ? 1 : 0;
          } catch (const RuleViolation&) {  // no multiprocessor is left
            ++broken_behind;
          }
        }
      }
    }
  }
  CHECK(broken_behind > 0);
}

TEST_CASE("pivots at equal distances meet in evenly spread runs, task j on j mod k then overloads",
          "[algorithms][multiway]") {
  const std::int32_t k = 4;
  const std::int32_t runs = 4;
  const std::int32_t run = 640;
  const Distribution d = distribution(runs * run, run, 2 * k, 1);
  Keys keys;
  for (std::uint32_t r = 0; r < runs; ++r) {
    for (std::uint32_t i = 0; i < run; ++i) keys.push_back(i * runs + r);
  }
  const ByRun cuts = counted(keys, d, Ties::by_number);
  AgpuSpec spec = machine(1, 1);
  spec.cores = k;
  const auto load = [&](Assignment assignment) {
    spec.assignment = assignment;
    return TaskAssigner(spec).assign(regions(cuts)).time;
  };
  // One of each l regions has nearly n/(rho+1) keys: all of these go to one multiprocessor.
  CHECK(load(Assignment::static_cyclic) > 3 * d.n / k);
  CHECK(load(Assignment::list) < 2 * d.n / k);
}

}  // namespace
}  // namespace agpusim::multiway_distribution_test
