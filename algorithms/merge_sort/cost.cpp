#include "agpusim/algorithms/merge_sort/cost.hpp"

#include <algorithm>
#include <bit>

#include "agpusim/algorithms/common/element_type.hpp"
#include "agpusim/algorithms/common/form.hpp"
#include "agpusim/algorithms/common/inputs.hpp"
#include "agpusim/algorithms/merge_sort/cuts_cost.hpp"
#include "agpusim/algorithms/merge_sort/heap_cost.hpp"
#include "agpusim/algorithms/merge_sort/pivots_cost.hpp"
#include "agpusim/algorithms/merge_sort/pivots_shape.hpp"
#include "agpusim/algorithms/merge_sort/shape.hpp"
#include "agpusim/model/cost/units.hpp"

namespace agpusim::multiway_merge_sort {
namespace {

/// The keys between the rounds.
class Keys {
 public:
  virtual ~Keys() = default;
  /// After the base runs have been sorted.
  virtual void sort_tiles() {}
  /// The key at a place while the runs of `groups` are sorted.
  [[nodiscard]] virtual KeyAt at(const Groups& groups) const = 0;
  /// The groups become runs.
  virtual void merge(const Groups&) {}
};

/// The keys of a run's input.
class InputKeys : public Keys {
 public:
  InputKeys(const RunConfig& config, const Shape& shape)
      : shape_(shape), width_(config.spec.width) {
    with_element_type(config.type, [&]<class Key>(Key) {
      const auto keys = generate<Key>(config.input, config.n, config.seed);
      keys_.assign(keys.begin(), keys.end());
    });
  }
  void sort_tiles() override {
    const std::int64_t registers = shape_.registers;
    const std::int64_t all = registers * width_;
    for (std::int64_t first = 0; first < shape_.n; first += all) {
      if (shape_.n - first < all) {
        sort(first, shape_.n);
        continue;
      }
      // Register j of lane i holds key j·V + i; neighbouring lanes make up a run.
      const std::vector<std::uint64_t> rows(keys_.begin() + first, keys_.begin() + first + all);
      for (std::int64_t i = 0; i < all; ++i) {
        keys_[index(first + i)] = rows[index(i % registers * width_ + i / registers)];
      }
      for (std::int64_t run = 0; run < all; run += shape_.tile) {
        sort(first + run, first + run + shape_.tile);
      }
    }
  }
  [[nodiscard]] KeyAt at(const Groups&) const override {
    return [this](std::int64_t i) { return keys_[index(i)]; };
  }
  void merge(const Groups& groups) override {
    for (std::int64_t group = 0; group < groups.count(); ++group) {
      const std::int64_t first = group * groups.size();
      sort(first, first + groups.length(group));
    }
  }

 private:
  static std::size_t index(std::int64_t i) { return static_cast<std::size_t>(i); }
  void sort(std::int64_t begin, std::int64_t end) {
    std::sort(keys_.begin() + begin, keys_.begin() + end);
  }

  Shape shape_;
  std::int64_t width_;
  std::vector<std::uint64_t> keys_;
};

class EvenKeys : public Keys {
 public:
  [[nodiscard]] KeyAt at(const Groups& groups) const override {
    return [groups](std::int64_t i) {
      const std::int64_t in_group = i % groups.size();
      return static_cast<std::uint64_t>((in_group % groups.run << groups.levels) +
                                        in_group / groups.run);
    };
  }
};

class Forms {
 public:
  /// `words` per key.
  Forms(const AgpuSpec& spec, const Shape& shape, std::int64_t words)
      : spec_(spec), shape_(shape), words_(words) {}

  [[nodiscard]] PhaseForm sort_runs() const {
    const std::int64_t all = shape_.registers * std::int64_t{spec_.width};
    const std::int64_t tasks = ceil_div(shape_.n, all);
    const auto cost = [&](std::int64_t length) {
      const NetworkCost network(
          spec_, std::countr_zero(static_cast<std::uint32_t>(shape_.registers)), words_);
      Bill bill(spec_);
      rows(bill, &Counts::global_read, length);
      bill.rounds(1);
      network.sort(bill,
                   std::countr_zero(static_cast<std::uint64_t>(length == all ? shape_.tile : all)));
      network.base(bill, 0);
      network.access(bill, &Counts::shared_write, 0);
      network.base(bill, network.lane_bits());
      network.access(bill, &Counts::shared_read, network.lane_bits());
      rows(bill, &Counts::global_write, length);
      return bill.counts();
    };
    return form_of_equal_tasks(spec_, "sort_runs", tasks, cost(std::min(all, shape_.n)),
                               cost(shape_.n - (tasks - 1) * all), all * words_);
  }

  template <class Heap>
  [[nodiscard]] PhaseForm merge_groups(const Groups& groups, const char* kernel) const {
    const Heap heap(spec_, shape_.rows, words_, groups.levels);
    const auto cost = [&](std::int64_t group) {
      const std::vector<Piece> pieces = runs_of(groups, group);
      const auto leaves = static_cast<std::int64_t>(pieces.size());
      Bill bill(spec_);
      heap.construct(bill);
      bill.loop_rows(leaves);
      bill.alu_rows(4, leaves);  // the run's length
      set_pieces(bill, leaves);
      heap.merge(bill, pieces, group * groups.size());
      return bill.counts();
    };
    const std::int64_t last = groups.count() - 1;
    // Where blocks consist of sectors, a group's place does not matter.
    if (spec_.block_words % spec_.sector_words() == 0) {
      return form_of_equal_tasks(spec_, kernel, last + 1, cost(0), cost(last), heap.shared_words());
    }
    return form_of_tasks(spec_, kernel, last + 1, heap.shared_words(), cost);
  }
  [[nodiscard]] PhaseForm merge_groups(const Groups& groups) const {
    return shape_.double_buffers ? merge_groups<DoubleHeapCost>(groups, "merge_groups_double")
                                 : merge_groups<HeapCost>(groups, "merge_groups");
  }

  [[nodiscard]] PhaseForm merge_regions(const Regions& regions,
                                        const std::vector<std::int64_t>& cuts) const {
    const Groups& groups = regions.groups;
    const HeapCost heap(spec_, shape_.rows, words_, groups.levels);
    const std::int64_t word = spec_.words_per_element(4);
    return form_of_tasks(
        spec_, "merge_regions", regions.count(), heap.shared_words(), [&](std::int64_t task) {
          const std::int64_t group = task / regions.per_group();
          const std::int64_t region = task % regions.per_group();
          const bool last = region == regions.of_group(group) - 1;
          const std::int64_t border = group * (regions.per_group() - 1) + region;
          Bill bill(spec_);
          heap.construct(bill);
          std::vector<Piece> pieces = runs_of(groups, group);
          const auto leaves = static_cast<std::int64_t>(pieces.size());
          bill.loop_rows(leaves);
          if (last) bill.alu_rows(4, leaves);
          for (const bool begin : {true, false}) {
            if (begin ? region == 0 : last) continue;
            const std::int64_t row = (border - (begin ? 1 : 0)) * leaves;
            bill.global_rows(&Counts::global_read, leaves, row * word, word);
            for (std::int64_t leaf = 0; leaf < leaves; ++leaf) {
              Piece& piece = pieces[static_cast<std::size_t>(leaf)];
              (begin ? piece.begin : piece.end) = cuts[static_cast<std::size_t>(row + leaf)];
            }
          }
          if (region != 0 || !last) bill.rounds(ceil_div(leaves, spec_.width));
          set_pieces(bill, leaves);
          heap.merge(bill, pieces, group * groups.size() + region * regions.region);
          return bill.counts();
        });
  }

 private:
  /// The rows of a task of SortRuns.
  void rows(Bill& bill, GlobalCounts Counts::*kind, std::int64_t length) const {
    bill.alu_rows(1, length);                    // lane + row
    if (length % spec_.width != 0) bill.alu(1);  // lane < rest
    bill.global_rows(kind, length, 0, words_);
  }
  void set_pieces(Bill& bill, std::int64_t leaves) const {
    for (int array = 0; array < 2; ++array) {
      bill.shared_rows(&Counts::shared_write, leaves, spec_.words_per_element(4));
    }
  }
  [[nodiscard]] static std::vector<Piece> runs_of(const Groups& groups, std::int64_t group) {
    std::vector<Piece> pieces(std::size_t{1} << groups.levels);
    std::int64_t run = group * groups.size();
    std::int64_t rest = groups.length(group);
    for (Piece& piece : pieces) {
      piece.run = run;
      run += groups.run;
      piece.end = std::min<std::int64_t>(rest, groups.run);
      rest -= piece.end;
    }
    return pieces;
  }

  AgpuSpec spec_;
  Shape shape_;
  std::int64_t words_;
};

std::vector<PhaseForm> forms_of(const RunConfig& config, const Shape& shape, Keys& keys) {
  std::vector<PhaseForm> phases;
  if (shape.n == 0) return phases;
  const Forms forms(config.spec, shape, element_words(config));
  phases.push_back(forms.sort_runs());
  keys.sort_tiles();
  std::int64_t run = shape.tile;
  while (runs_of(shape, run) > shape.runs) {
    const Groups groups{shape.n, static_cast<std::int32_t>(run), levels_of_round(shape, run)};
    const Regions regions{groups, shape.region};
    if (shape.region == 0 || regions.borders() == 0) {
      phases.push_back(forms.merge_groups(groups));
    } else {
      SelectedCuts cuts = select_cuts(config.spec, element_words(config), regions, keys.at(groups));
      phases.push_back(std::move(cuts.form));
      phases.push_back(forms.merge_regions(regions, cuts.cuts));
    }
    keys.merge(groups);
    run = groups.size();
  }
  if (const auto distribution = distribution_of(config)) {
    const Forms of_pivots(config.spec, shape, config.spec.words_per_element(8));
    const auto others = static_cast<std::uint32_t>(distribution->runs - 1);
    const Groups all{shape.n, distribution->run, static_cast<std::int32_t>(std::bit_width(others))};
    for (PhaseForm& phase : forms_of_distribution(
             config, *distribution, keys.at(all),
             [&](const Groups& lists) { return of_pivots.merge_groups(lists); })) {
      phases.push_back(std::move(phase));
    }
  }
  return phases;
}

}  // namespace

std::vector<PhaseForm> closed_form(const RunConfig& config) {
  const Shape shape = shape_of(config);
  if (shape.region == 0 && !distribution_of(config)) return form_of_even_keys(config);
  InputKeys keys(config, shape);
  return forms_of(config, shape, keys);
}

std::vector<PhaseForm> form_of_even_keys(const RunConfig& config) {
  EvenKeys keys;
  return forms_of(config, shape_of(config), keys);
}

}  // namespace agpusim::multiway_merge_sort
