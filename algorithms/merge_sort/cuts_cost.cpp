#include "agpusim/algorithms/merge_sort/cuts_cost.hpp"

#include <algorithm>
#include <utility>

#include "agpusim/algorithms/common/form.hpp"
#include "agpusim/algorithms/common/indexed_form.hpp"
#include "agpusim/model/cost/bill.hpp"
#include "agpusim/model/cost/units.hpp"

namespace agpusim::multiway_merge_sort {
namespace {

/// One lane: the interval of the cut of one run.
struct Lane {
  std::int64_t begin = 0;  // of the run
  std::int64_t low = 0;
  std::int64_t high = 0;
  std::int64_t wanted = 0;  // of the border: keys of the open intervals that go left
  std::int64_t all = 0;     // of the border: keys of the open intervals
  std::uint64_t probe = 0;

  // Of one turn.
  std::int64_t probed = 0;    // place of the probe
  std::int64_t position = 0;  // of the pivot
  std::int64_t above = 0;
  bool going = false;

  [[nodiscard]] std::int64_t size() const { return high - low; }
  [[nodiscard]] bool open() const { return low < high; }
};

class Task {
 public:
  Task(const AgpuSpec& spec, std::int64_t words, const Regions& regions, const KeyAt& key_at,
       std::int64_t task)
      : spec_(spec),
        words_(words),
        word_(spec.words_per_element(4)),
        leaves_(std::int64_t{1} << regions.groups.levels),
        key_at_(key_at),
        bill_(spec),
        lanes_(static_cast<std::size_t>(spec.width)) {
    const Groups& groups = regions.groups;
    const std::int64_t of_group = regions.per_group() - 1;
    const std::int64_t first = task * (spec.width >> groups.levels);
    for (std::int64_t i = 0; i < spec.width; ++i) {
      Lane& lane = at(i);
      const std::int64_t border = first + i / leaves_;
      const std::int64_t group = border / of_group;
      lane.wanted = (border % of_group + 1) * regions.region;
      lane.all = groups.length(group);
      lane.begin = std::min(group * groups.size() + i % leaves_ * groups.run, groups.n);
      lane.low = lane.high = lane.begin;
      if (border >= regions.borders()) continue;
      lane.high = std::min(lane.begin + groups.run, groups.n);
      ++active_;
    }
  }

  Counts run(std::vector<std::int64_t>& cuts) {
    // Slot, leaf, begin of the slot, border; group; wanted; begin; high; all.
    // Slot, leaf, begin of the slot, border; group; wanted; begin; high; all.
    bill_.alu(4 + 1 + 4 + 4 + 4 + 3);
    bill_.shared_broadcast(&Counts::shared_write, word_);
    for (std::int64_t number = 1; turn(number % 4 == 0); ++number) {
    }
    bill_.alu(1);  // lane < lanes
    bill_.alu_prefix(3, active_);
    std::vector<std::int32_t> places(lanes_.size(), no_element);
    for (std::int64_t i = 0; i < active_; ++i) places[index(i)] = static_cast<std::int32_t>(i);
    // The borders of a task begin where V cuts of the tasks before end.
    IndexedAccess(spec_, word_).global(bill_, &Counts::global_write, places);
    for (std::int64_t i = 0; i < active_; ++i) {
      const Lane& lane = at(i);
      cuts.push_back((lane.wanted > 0 ? lane.high : lane.low) - lane.begin);
    }
    return bill_.counts();
  }

 private:
  static std::size_t index(std::int64_t i) { return static_cast<std::size_t>(i); }
  Lane& at(std::int64_t i) { return lanes_[index(i)]; }

  /// The places of the lanes that fulfil a condition.
  template <class Condition, class Place>
  std::vector<std::int32_t> places(Condition condition, Place place) {
    std::vector<std::int32_t> result(lanes_.size(), no_element);
    for (std::int64_t i = 0; i < spec_.width; ++i) {
      if (condition(at(i))) result[index(i)] = static_cast<std::int32_t>(place(i));
    }
    return result;
  }
  /// Whether the probe of lane i is before key `key` of lane `owner`.
  static bool before(std::uint64_t a, std::int64_t i, std::uint64_t key, std::int64_t owner) {
    return a < key || (a == key && i < owner);
  }

  void shared(SharedCounts Counts::*kind, const std::vector<std::int32_t>& where,
              std::int64_t words) {
    IndexedAccess(spec_, words).shared(bill_, kind, where, 0);
  }

  /// What the loop over the runs of a border reads of an array.
  void read_all(std::int64_t words) {
    for (std::int64_t other = 0; other < leaves_; ++other) {
      shared(&Counts::shared_read,
             places([](const Lane&) { return true; },
                    [&](std::int64_t i) { return i / leaves_ * leaves_ + other; }),
             words);
    }
  }

  bool turn(bool halving) {
    bill_.alu(1 + (halving ? 1 : 3) + 1 + 1);  // size, the probe's place, low < high
    std::vector<std::int32_t> probed(lanes_.size(), no_element);
    for (std::int64_t i = 0; i < spec_.width; ++i) {
      Lane& lane = at(i);
      if (!lane.open()) continue;
      lane.probed =
          lane.low + (halving ? lane.size() / 2 : std::min(lane.wanted / leaves_, lane.size() - 1));
      lane.probe = key_at_(lane.probed);
      probed[index(i)] = static_cast<std::int32_t>(lane.probed);
    }
    global(probed);
    bill_.shared_rows(&Counts::shared_write, spec_.width, words_);
    bill_.shared_rows(&Counts::shared_write, spec_.width, word_);
    bill_.alu(8 * leaves_);
    read_all(words_);
    read_all(word_);
    bill_.alu((halving ? 0 : 1) + 3 + 5);  // the pivot's rank; going; the pivot
    std::vector<std::int32_t> owners(lanes_.size(), no_element);
    std::vector<std::int64_t> owner_of(lanes_.size());
    for (std::int64_t i = 0; i < spec_.width; ++i) {
      Lane& lane = at(i);
      const std::int64_t slot = i / leaves_ * leaves_;
      std::int64_t smaller = 0;
      for (std::int64_t other = slot; other < slot + leaves_; ++other) {
        if (before(at(other).probe, other, lane.probe, i)) smaller += at(other).size();
      }
      lane.going = lane.wanted > 0 && lane.wanted < lane.all;
      const std::int64_t rank = halving ? lane.wanted : lane.all / 2;
      if (lane.going && smaller <= rank && rank < smaller + lane.size()) {
        owners[index(i)] = static_cast<std::int32_t>(i / leaves_);
        for (std::int64_t other = slot; other < slot + leaves_; ++other) {
          owner_of[index(other)] = i;
        }
      }
    }
    shared(&Counts::shared_write, owners, words_);
    shared(&Counts::shared_write, owners, word_);
    for (std::int32_t& place : owners) place = place == no_element ? no_element : 0;
    shared(&Counts::shared_write, owners, word_);
    bill_.shared_broadcast(&Counts::shared_read, word_);
    const auto going = places([](const Lane& lane) { return lane.going; },
                              [&](std::int64_t i) { return i / leaves_; });
    if (std::all_of(going.begin(), going.end(), [](std::int32_t p) { return p == no_element; })) {
      return false;
    }
    search(going, owner_of);
    narrow(going, owner_of);
    return true;
  }

  /// Finds the pivot of each lane's border in its interval.
  void search(const std::vector<std::int32_t>& going, const std::vector<std::int64_t>& owner_of) {
    const IndexedAccess words(spec_, words_);
    shared(&Counts::shared_read, going, words_);
    shared(&Counts::shared_read, going, word_);
    // Own; below the pivot; least; most; above; position.
    words.alu(bill_, 1 + (5 + 2) + 3 + 2 + 3 + 4, going);
    for (std::int64_t i = 0; i < spec_.width; ++i) {
      Lane& lane = at(i);
      lane.position = lane.above = lane.low;
      if (!lane.going) continue;
      const std::int64_t owner = owner_of[index(i)];
      const std::int64_t least = std::max(lane.low, lane.high - (lane.all - lane.wanted));
      const std::int64_t most = std::min(lane.high, lane.low + lane.wanted);
      if (i == owner) {
        lane.position = lane.above = lane.probed;
      } else if (!lane.open()) {
        lane.above = lane.position;
      } else if (before(lane.probe, i, at(owner).probe, owner)) {
        lane.position = std::max(least, lane.probed + 1);
        lane.above = most;
      } else {
        lane.position = least;
        lane.above = std::min(most, lane.probed);
      }
    }
    auto searching = going;
    for (;;) {
      words.alu(bill_, 1, searching);  // position < above
      bool any = false;
      std::vector<std::int32_t> probes(lanes_.size(), no_element);
      for (std::int64_t i = 0; i < spec_.width; ++i) {
        const Lane& lane = at(i);
        if (lane.position >= lane.above) continue;
        any = true;
        probes[index(i)] =
            static_cast<std::int32_t>(lane.position + (lane.above - lane.position) / 2);
      }
      searching = probes;
      if (!any) break;
      words.alu(bill_, 3 + 5 + 3, probes);
      global(probes);
      for (std::int64_t i = 0; i < spec_.width; ++i) {
        const std::int64_t place = probes[index(i)];
        if (place == no_element) continue;
        Lane& lane = at(i);
        const std::int64_t owner = owner_of[index(i)];
        if (before(key_at_(place), i, at(owner).probe, owner)) {
          lane.position = place + 1;
        } else {
          lane.above = place;
        }
      }
    }
  }

  /// Cuts the intervals at the pivots.
  void narrow(const std::vector<std::int32_t>& going, const std::vector<std::int64_t>& owner_of) {
    const IndexedAccess words(spec_, words_);
    bill_.alu(1);
    bill_.shared_rows(&Counts::shared_write, spec_.width, word_);
    bill_.alu(2 * leaves_ + 1);
    read_all(word_);
    words.alu(bill_, 3 + 2 + 3 + 3, going);  // passed; high and low; all; wanted
    std::vector<std::int64_t> ranks(lanes_.size());
    for (std::int64_t i = 0; i < spec_.width; ++i) {
      for (std::int64_t other = i / leaves_ * leaves_; other < (i / leaves_ + 1) * leaves_;
           ++other) {
        ranks[index(i)] += at(other).position - at(other).low;
      }
    }
    for (std::int64_t i = 0; i < spec_.width; ++i) {
      Lane& lane = at(i);
      if (!lane.going) continue;
      const std::int64_t rank = ranks[index(i)];
      if (rank >= lane.wanted) {
        lane.high = lane.position;
        lane.all = rank;
      } else {
        lane.low = lane.position + (i == owner_of[index(i)] ? 1 : 0);
        lane.all -= rank + 1;
        lane.wanted -= rank + 1;
      }
    }
  }

  /// One read by the lanes with a place; what it reads is needed before the next read.
  void global(const std::vector<std::int32_t>& where) {
    IndexedAccess(spec_, words_).global(bill_, &Counts::global_read, where);
    if (std::any_of(where.begin(), where.end(), [](std::int32_t p) { return p != no_element; })) {
      bill_.rounds(1);
    }
  }

  AgpuSpec spec_;
  std::int64_t words_;
  std::int64_t word_;  // words of a 32-bit integer
  std::int64_t leaves_;
  const KeyAt& key_at_;
  Bill bill_;
  std::vector<Lane> lanes_;
  std::int64_t active_ = 0;
};

}  // namespace

SelectedCuts select_cuts(const AgpuSpec& spec, std::int64_t words, const Regions& regions,
                         const KeyAt& key_at) {
  const std::int64_t slots = spec.width >> regions.groups.levels;
  const std::int64_t word = spec.words_per_element(4);
  SelectedCuts result;
  result.form = form_of_tasks(spec, "select_cuts", ceil_div(regions.borders(), slots),
                              (spec.width + slots) * (words + word) + word, [&](std::int64_t task) {
                                return Task(spec, words, regions, key_at, task).run(result.cuts);
                              });
  return result;
}

}  // namespace agpusim::multiway_merge_sort
