#include "agpusim/algorithms/merge_sort/count_cuts_cost.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "agpusim/algorithms/common/form.hpp"
#include "agpusim/algorithms/common/indexed_form.hpp"
#include "agpusim/model/cost/bill.hpp"
#include "agpusim/model/cost/units.hpp"

namespace agpusim::multiway_merge_sort {
namespace {

constexpr std::uint64_t most = std::numeric_limits<std::uint32_t>::max();  // a key

/// What a lane holds of one pivot while a run is cut.
struct Search {
  std::int64_t below = 0;    // keys of the run below the lane's limit
  bool beyond_keys = false;  // the limit is above every key, so above what fills up a tile
  std::int64_t cut = 0;
};

class Task {
 public:
  Task(const AgpuSpec& spec, std::int32_t rows, const Distribution& distribution,
       const std::vector<PivotAt>& pivots, const KeyAt& key_at, std::int64_t run)
      : spec_(spec),
        buffer_(rows * std::int64_t{spec.width}),
        key_words_(spec.words_per_element(4)),
        pivot_words_(spec.words_per_element(8)),
        pivots_(std::ssize(pivots)),
        begin_(run * distribution.run),
        length_(distribution.length(static_cast<std::int32_t>(run))),
        row_(run * distribution.stride),
        bill_(spec) {
    for (std::size_t i = 0; i < pivots.size(); ++i) {
      const std::int64_t from = i == 0 ? 0 : searches_.back().below;
      searches_.push_back(search(pivots[i], key_at, from));
    }
    // The lanes behind the last pivot have the largest key and no place.
    last_ = search({most, -1}, key_at, pivots.empty() ? 0 : searches_.back().below);
    last_.cut = length_;
  }

  Counts run(std::vector<std::int64_t>& cuts) {
    const std::int64_t regions = pivots_ + 1;
    const std::int64_t width = spec_.width;
    load(0);
    for (std::int64_t first = 0; first < regions; first += width) {
      const std::int64_t pivots = std::clamp<std::int64_t>(pivots_ - first, 0, width);
      const std::int64_t written = std::min(regions - first, width);
      if (pivots > 0) {
        if (pivots < width) bill_.alu(1);
        bill_.global_rows(&Counts::global_read, pivots, first * pivot_words_, pivot_words_);
        bill_.rounds(1);
      }
      bill_.alu(6);  // place, position, key, limit
      if (pivots > 0) meet_tiles(first, pivots);
      bill_.alu(1 + 3 + 1 + 1 + 2);  // min; own; position + 1; place < 0; two selections
      if (written < width) bill_.alu(1);
      bill_.global_rows(&Counts::global_write, written, (row_ + first) * key_words_, key_words_);
      for (std::int64_t i = first; i < first + written; ++i) cuts.push_back(at(i).cut);
    }
    return bill_.counts();
  }

 private:
  [[nodiscard]] const Search& at(std::int64_t pivot) const {
    return pivot < pivots_ ? searches_[static_cast<std::size_t>(pivot)] : last_;
  }

  /// The pivots before this one have `from` keys below them.
  [[nodiscard]] Search search(const PivotAt& pivot, const KeyAt& key_at, std::int64_t from) const {
    const bool later = pivot.place >= begin_;
    Search result;
    result.beyond_keys = later && pivot.key == most;
    std::int64_t low = from;
    for (std::int64_t high = length_; low < high;) {
      const std::int64_t middle = (low + high) / 2;
      const std::uint64_t key = key_at(begin_ + middle);
      if (key < pivot.key || (later && key == pivot.key)) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    result.below = low;
    const bool own = later && pivot.place < begin_ + length_;
    result.cut = own ? pivot.place - begin_ + 1 : low;
    return result;
  }

  void load(std::int64_t first) {
    const std::int64_t keys = std::min(buffer_, length_ - first);
    bill_.alu_rows(1, keys);
    if (keys % spec_.width != 0) bill_.alu(1);
    bill_.global_rows(&Counts::global_read, keys, (begin_ + first) * key_words_, key_words_);
    bill_.rounds(1);
    bill_.alu_rows(1, buffer_);
    bill_.shared_rows(&Counts::shared_write, buffer_, key_words_);
    bill_.shared_broadcast(&Counts::shared_read, key_words_);
  }

  /// The tiles that V pivots meet.
  void meet_tiles(std::int64_t first, std::int64_t pivots) {
    bill_.alu(1);
    bill_.shared_run(&Counts::shared_write, pivots - 1, 1, pivot_words_);
    bill_.shared_broadcast(&Counts::shared_read, pivot_words_);
    for (;;) {
      search_tile(first);
      const bool ends_here = at(first + pivots - 1).below < tile_begin_ + buffer_;
      if (ends_here || tile_begin_ + buffer_ >= length_) break;
      tile_begin_ += buffer_;
      load(tile_begin_);
    }
  }

  /// A binary search ends at the lane's rank in the tile; each probe is a prefix of its bits.
  void search_tile(std::int64_t first) {
    std::vector<std::int64_t> ranks(static_cast<std::size_t>(spec_.width));
    for (std::int64_t i = 0; i < spec_.width; ++i) {
      const Search& lane = at(first + i);
      const bool all = lane.beyond_keys && lane.below == length_;
      const std::int64_t rank =
          all ? buffer_ : std::clamp<std::int64_t>(lane.below - tile_begin_, 0, buffer_);
      ranks[static_cast<std::size_t>(i)] = std::min(rank, buffer_ - 1);
    }
    std::vector<std::int32_t> probes(ranks.size());
    const auto read = [&](auto probe) {
      std::transform(ranks.begin(), ranks.end(), probes.begin(),
                     [&](std::int64_t rank) { return static_cast<std::int32_t>(probe(rank)); });
      IndexedAccess(spec_, key_words_).shared(bill_, &Counts::shared_read, probes, 0);
    };
    for (std::int64_t step = buffer_ / 2; step > 0; step /= 2) {
      bill_.alu(1 + 2 + 2);  // index; cast and comparison; sum and selection
      read([step](std::int64_t rank) { return rank / (2 * step) * (2 * step) + step - 1; });
    }
    bill_.alu(2 + 2 + 1);  // the last key; the sum over the tiles
    read([](std::int64_t rank) { return rank; });
  }

  AgpuSpec spec_;
  std::int64_t buffer_;  // B, keys
  std::int64_t key_words_;
  std::int64_t pivot_words_;
  std::int64_t pivots_;
  std::int64_t begin_;   // of the run
  std::int64_t length_;  // of the run
  std::int64_t row_;     // of the cuts
  Bill bill_;
  std::vector<Search> searches_;
  Search last_;
  std::int64_t tile_begin_ = 0;
};

}  // namespace

std::vector<PivotAt> sorted_pivots(const Distribution& distribution, const KeyAt& key_at) {
  std::vector<PivotAt> pivots;
  for (std::int32_t run = 0; run < distribution.runs; ++run) {
    const std::int64_t length = distribution.length(run);
    for (std::int64_t t = 1; t <= distribution.pivots; ++t) {
      const std::int64_t position = ceil_div(t * length, distribution.pivots + std::int64_t{1});
      const std::int64_t place = std::int64_t{run} * distribution.run + position - 1;
      pivots.push_back({key_at(place), place});
    }
  }
  std::sort(pivots.begin(), pivots.end());
  return pivots;
}

CountedCuts count_cuts(const AgpuSpec& spec, std::int32_t rows, const Distribution& distribution,
                       const KeyAt& key_at) {
  const std::vector<PivotAt> pivots = sorted_pivots(distribution, key_at);
  const std::int64_t shared_words =
      rows * std::int64_t{spec.width} * spec.words_per_element(4) + spec.words_per_element(8);
  CountedCuts result;
  result.form =
      form_of_tasks(spec, "count_cuts", distribution.runs, shared_words, [&](std::int64_t run) {
        return Task(spec, rows, distribution, pivots, key_at, run).run(result.cuts.emplace_back());
      });
  return result;
}

}  // namespace agpusim::multiway_merge_sort
