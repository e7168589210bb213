#include "agpusim/algorithms/merge_sort/pivots_cost.hpp"

#include <algorithm>

#include "agpusim/algorithms/common/element_type.hpp"
#include "agpusim/algorithms/common/form.hpp"
#include "agpusim/algorithms/common/indexed_form.hpp"
#include "agpusim/algorithms/merge_sort/count_cuts_cost.hpp"
#include "agpusim/algorithms/merge_sort/heap_cost.hpp"
#include "agpusim/algorithms/merge_sort/pivots_shape.hpp"
#include "agpusim/algorithms/merge_sort/shape.hpp"
#include "agpusim/model/cost/units.hpp"

namespace agpusim::multiway_merge_sort {
namespace {

/// Numbers by run, or by run and one more, and region.
using ByRegion = std::vector<std::vector<std::int64_t>>;

/// Where the pieces of all regions go, from the cuts.
ByRegion offsets_of(const ByRegion& cuts) {
  ByRegion offsets(cuts.size() + 1, std::vector<std::int64_t>(cuts.front().size()));
  std::int64_t place = 0;
  for (std::size_t region = 0; region < cuts.front().size(); ++region) {
    for (std::size_t run = 0; run < cuts.size(); ++run) {
      offsets[run][region] = place;
      place += cuts[run][region] - (region == 0 ? 0 : cuts[run][region - 1]);
    }
    offsets.back()[region] = place;
  }
  return offsets;
}

class Forms {
 public:
  Forms(const RunConfig& config, const Distribution& distribution)
      : spec_(config.spec),
        shape_(shape_of(config)),
        d_(distribution),
        regions_(distribution.regions()),
        key_words_(element_words(config)),
        pivot_words_(config.spec.words_per_element(8)),
        word_(config.spec.words_per_element(4)) {}

  [[nodiscard]] PhaseForm sample_pivots() const {
    const std::int64_t places = std::int64_t{d_.runs} * d_.list;
    return form_of_tasks(
        spec_, "sample_pivots", ceil_div(places, spec_.width), 0, [&](std::int64_t task) {
          const std::int64_t first = task * spec_.width;
          const std::int64_t active = std::min<std::int64_t>(spec_.width, places - first);
          std::vector<std::int32_t> sampled(lanes(), no_element);
          for (std::int64_t i = 0; i < active; ++i) {
            const std::int64_t run = (first + i) / d_.list;
            const std::int64_t t = (first + i) % d_.list + 1;
            if (t > d_.pivots) continue;
            const std::int64_t length = d_.length(static_cast<std::int32_t>(run));
            sampled[static_cast<std::size_t>(i)] = static_cast<std::int32_t>(
                run * d_.run + ceil_div(t * length, d_.pivots + std::int64_t{1}) - 1);
          }
          const IndexedAccess keys(spec_, key_words_);
          Bill bill(spec_);
          bill.alu(2);
          bill.alu_prefix(4, active);              // run; pivots before; whether there is one
          keys.alu(bill, 3 + 6 + 2 + 4, sampled);  // begin and length; position; place; pivot
          keys.global(bill, &Counts::global_read, sampled);
          bill.rounds(1);
          bill.global_rows(&Counts::global_write, active, first * pivot_words_, pivot_words_);
          return bill.counts();
        });
  }

  [[nodiscard]] PhaseForm offsets_of_pieces() const {
    return form_of_tasks(
        spec_, "offsets_of_pieces", ceil_div(regions_, spec_.width), 0, [&](std::int64_t task) {
          const std::int64_t first = task * spec_.width;
          const std::int64_t active = std::min<std::int64_t>(spec_.width, regions_ - first);
          const std::int64_t skipped = first == 0 ? 1 : 0;  // region 0 begins with the runs
          Bill bill(spec_);
          const auto read_before = [&](std::int64_t run) {
            std::vector<std::int32_t> before(lanes(), no_element);
            for (std::int64_t i = skipped; i < active; ++i) {
              before[static_cast<std::size_t>(i)] = place(run, first + i - 1);
            }
            IndexedAccess(spec_, word_).global(bill, &Counts::global_read, before);
            bill.alu_run(1, skipped, active - skipped);
            bill.rounds(1);
          };
          const auto row = [&](GlobalCounts Counts::*kind, std::int64_t run) {
            bill.global_rows(kind, active, place(run, first) * word_, word_);
          };
          bill.alu(3);
          for (std::int64_t run = 0; run < d_.runs; ++run) {
            read_before(run);  // for the region's begin
            row(&Counts::global_write, run);
            row(&Counts::global_read, run);
            read_before(run);
            bill.alu_prefix(1, active);
          }
          row(&Counts::global_write, d_.runs);
          return bill.counts();
        });
  }

  /// `cuts` decide about the first round, `offsets` about the later ones.
  [[nodiscard]] PhaseForm merge_pieces(std::int64_t span, std::int32_t levels, const ByRegion& cuts,
                                       const ByRegion& offsets) const {
    const HeapCost heap(spec_, shape_.rows, key_words_, levels);
    const std::int64_t groups = ceil_div(ceil_div(d_.runs, span), std::int64_t{1} << levels);
    const auto leaves = std::int64_t{1} << levels;
    return form_of_tasks(
        spec_, "merge_pieces", regions_ * groups, heap.shared_words(), [&](std::int64_t task) {
          const std::int64_t region = task / groups;
          const std::int64_t first = task % groups * span * leaves;
          const std::int64_t end = std::min<std::int64_t>(first + span * leaves, d_.runs);
          const auto at = [region](const ByRegion& numbers, std::int64_t run, std::int64_t back) {
            return numbers[static_cast<std::size_t>(run)][static_cast<std::size_t>(region - back)];
          };
          Bill bill(spec_);
          for (const std::int64_t run : {first, end}) {
            bill.global_broadcast(place(run, region) * word_, word_);
          }
          bill.rounds(1);
          if (at(offsets, first, 0) == at(offsets, end, 0)) return bill.counts();
          heap.construct(bill);
          bill.loop_rows(leaves);
          bill.rounds(ceil_div(leaves, spec_.width));
          std::vector<Piece> pieces;
          std::vector<std::int32_t> begins;
          std::vector<std::int32_t> ends;
          for (std::int64_t leaf = 0; leaf < leaves; ++leaf) {
            if (span == 1) {
              const std::int64_t run = std::min(first + leaf, end - 1);
              begins.push_back(place(run, region - 1));
              ends.push_back(place(run, region));
              const std::int64_t begin = region == 0 ? 0 : at(cuts, run, 1);
              const std::int64_t last = first + leaf < end ? at(cuts, run, 0) : begin;
              pieces.push_back({0, run * d_.run + begin, run * d_.run + last});
            } else {
              const std::int64_t from = std::min(first + leaf * span, end);
              const std::int64_t to = std::min(from + span, end);
              begins.push_back(place(from, region));
              ends.push_back(place(to, region));
              pieces.push_back({0, at(offsets, from, 0), at(offsets, to, 0)});
            }
          }
          bill.alu_rows(span == 1 ? 8 : 7, leaves);
          const IndexedAccess words(spec_, word_);
          words.global(bill, &Counts::global_read, ends);
          if (span > 1 || region > 0) words.global(bill, &Counts::global_read, begins);
          for (int array = 0; array < 2; ++array) {
            bill.shared_rows(&Counts::shared_write, leaves, word_);
          }
          heap.merge(bill, pieces, at(offsets, first, 0));
          return bill.counts();
        });
  }

 private:
  [[nodiscard]] std::size_t lanes() const { return static_cast<std::size_t>(spec_.width); }
  /// Of an array of cuts or offsets.
  [[nodiscard]] std::int32_t place(std::int64_t run, std::int64_t region) const {
    return static_cast<std::int32_t>(run * d_.stride + region);
  }

  AgpuSpec spec_;
  Shape shape_;
  Distribution d_;
  std::int64_t regions_;
  std::int64_t key_words_;
  std::int64_t pivot_words_;
  std::int64_t word_;  // words of a 32-bit integer
};

}  // namespace

std::vector<PhaseForm> forms_of_distribution(
    const RunConfig& config, const Distribution& distribution, const KeyAt& key_at,
    const std::function<PhaseForm(const Groups&)>& merge_lists) {
  const Shape shape = shape_of(config);
  const Forms forms(config, distribution);
  std::vector<PhaseForm> phases{forms.sample_pivots()};
  Shape lists;
  lists.n = std::int64_t{distribution.runs} * distribution.list;
  lists.levels = pivot_levels(config);
  for (std::int64_t run = distribution.list; run < lists.n;) {
    const Groups groups{lists.n, static_cast<std::int32_t>(run), levels_of_round(lists, run)};
    phases.push_back(merge_lists(groups));
    run = groups.size();
  }
  CountedCuts counted = count_cuts(config.spec, shape.rows, distribution, key_at);
  phases.push_back(std::move(counted.form));
  phases.push_back(forms.offsets_of_pieces());
  const ByRegion offsets = offsets_of(counted.cuts);
  Shape pieces;
  pieces.n = distribution.runs;
  pieces.levels = shape.levels;
  for (std::int64_t span = 1; span < distribution.runs;) {
    const std::int32_t levels = levels_of_round(pieces, span);
    phases.push_back(forms.merge_pieces(span, levels, counted.cuts, offsets));
    span <<= levels;
  }
  return phases;
}

}  // namespace agpusim::multiway_merge_sort
