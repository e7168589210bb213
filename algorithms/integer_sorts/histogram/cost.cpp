#include "agpusim/algorithms/integer_sorts/histogram/cost.hpp"

#include <algorithm>

#include "agpusim/algorithms/common/form.hpp"
#include "agpusim/algorithms/common/indexed_form.hpp"
#include "agpusim/model/cost/bill.hpp"
#include "agpusim/model/cost/units.hpp"

namespace agpusim {

PhaseForm fill_form(const AgpuSpec& spec, const Cut& cut, std::int64_t words) {
  const Segments& segments = cut.host();
  return form_of_tasks(spec, "fill", segments.tasks, 0, [&](std::int64_t task) {
    Bill bill(spec);
    bill.loop_rows(segments.length(task));
    bill.global_rows(&Counts::global_write, segments.length(task), segments.first(task) * words,
                     words);
    return bill.counts();
  });
}

namespace histogram {
namespace {

using Places = std::span<const std::int32_t>;

/// Closed forms of the kernels that run over the segments of the keys.
class KeyForms {
 public:
  KeyForms(const AgpuSpec& spec, const Bins& bins, const Segmentation& how, Places places)
      : spec_(spec),
        bins_(bins),
        segments_(cut(bins.keys, how)),
        places_(places),
        words_(spec.words_per_element(4)) {}

  [[nodiscard]] PhaseForm global() const {
    PhaseForm form =
        form_of_tasks(spec_, "histogram_global", segments_.tasks, 0, [&](std::int64_t task) {
          Bill bill(spec_);
          read_keys(bill, task);
          IndexedAccess(spec_, words_).global(bill, &Counts::global_atomic, segment(task));
          return bill.counts();
        });
    add_contention(form, spec_, count(places_, bins_.range), words_);
    return form;
  }

  [[nodiscard]] PhaseForm shared() const {
    std::vector<std::int32_t> operations(static_cast<std::size_t>(bins_.range));
    PhaseForm form = form_of_tasks(
        spec_, "histogram_shared", segments_.tasks, bins_.range * words_, [&](std::int64_t task) {
          Bill bill(spec_);
          clear_table(bill);
          read_keys(bill, task);
          const IndexedAccess access(spec_, words_);
          access.shared(bill, &Counts::shared_atomic, segment(task), 0);
          std::vector<std::int32_t> used = count(segment(task), bins_.range);
          for (std::size_t bin = 0; bin < used.size(); ++bin) {
            operations[bin] += used[bin] > 0 ? 1 : 0;
            used[bin] = used[bin] > 0 ? static_cast<std::int32_t>(bin) : no_element;
          }
          bill.loop_rows(bins_.range);
          bill.shared_rows(&Counts::shared_read, bins_.range, words_);
          bill.alu_rows(1, bins_.range);  // count != 0
          access.global(bill, &Counts::global_atomic, used);
          return bill.counts();
        });
    add_contention(form, spec_, operations, words_);
    return form;
  }

  [[nodiscard]] PhaseForm sorted() const {
    return form_of_tasks(
        spec_, "histogram_sorted", segments_.tasks, (spec_.width + bins_.range) * words_,
        [&](std::int64_t task) {
          Bill bill(spec_);
          clear_table(bill);
          const Places keys = segment(task);
          const auto width = static_cast<std::size_t>(spec_.width);
          for (std::size_t row = 0; row < keys.size(); row += width) {
            sorted_row(bill, segments_.first(task) + static_cast<std::int64_t>(row),
                       keys.subspan(row, std::min(width, keys.size() - row)));
          }
          bill.loop_rows(bins_.range);
          bill.shared_rows(&Counts::shared_read, bins_.range, words_);
          bill.global_rows(&Counts::global_write, bins_.range, task * bins_.range * words_, words_);
          return bill.counts();
        });
  }

 private:
  [[nodiscard]] Places segment(std::int64_t task) const {
    return places_.subspan(static_cast<std::size_t>(segments_.first(task)),
                           static_cast<std::size_t>(segments_.length(task)));
  }

  /// Reading the keys of a segment in order, and finding their bins.
  void read_keys(Bill& bill, std::int64_t task) const {
    const std::int64_t length = segments_.length(task);
    bill.loop_rows(length);
    bill.global_rows(&Counts::global_read, length, segments_.first(task) * words_, words_);
    bill.rounds_of_rows(length);
    if (bins_.min_key != 0) bill.alu_rows(1, length);
  }

  void clear_table(Bill& bill) const {
    bill.loop_rows(bins_.range);
    bill.shared_rows(&Counts::shared_write, bins_.range, words_);
  }

  /// One row of SortedTables, whose first key is key `first`; one word per key, V = b a power of
  /// two: the network has no bank conflicts (theory 3.10).
  void sorted_row(Bill& bill, std::int64_t first, Places keys) const {
    const std::int64_t width = spec_.width;
    const auto length = static_cast<std::int64_t>(keys.size());
    if (length < width) bill.alu(1);  // lane < rest
    bill.global_rows(&Counts::global_read, length, first * words_, words_);
    bill.alu_prefix(1, length);
    bill.rounds(1);
    bill.shared_run(&Counts::shared_write, 0, width, words_);
    for (std::int64_t size = 2; size <= width; size *= 2) {
      for (std::int64_t stride = size / 2; stride > 0; stride /= 2) {
        bill.alu(1);  // lane < V/2
        // low: ·2, &, -; high: +; &, ==, and min, max, select twice.
        bill.alu_prefix(12, width / 2);
        for (int access = 0; access < 2; ++access) {
          bill.shared_run(&Counts::shared_read, 0, width / 2, words_);
          bill.shared_run(&Counts::shared_write, 0, width / 2, words_);
        }
      }
    }
    bill.shared_run(&Counts::shared_read, 0, width, words_);
    bill.alu(2);  // lane >= 1, lane < V-1
    bill.alu_run(1, 1, width - 1);
    bill.shared_run(&Counts::shared_read, 1, width - 1, words_);
    bill.alu_run(1, 0, width - 1);
    bill.shared_run(&Counts::shared_read, 0, width - 1, words_);
    bill.alu(5);  // bin < range; twice the neighbour, and
    std::vector<std::int32_t> bin(keys.begin(), keys.end());
    std::sort(bin.begin(), bin.end());
    std::vector<std::int32_t> last(static_cast<std::size_t>(width), no_element);
    std::vector<std::int32_t> head = last;
    for (std::size_t lane = 0; lane < bin.size(); ++lane) {
      if (lane + 1 == bin.size() || bin[lane + 1] != bin[lane]) last[lane] = bin[lane];
      if (lane == 0 || bin[lane - 1] != bin[lane]) head[lane] = bin[lane];
    }
    const IndexedAccess access(spec_, words_);
    const std::int64_t table = width * words_;
    for (const auto& [places, instructions] : {std::pair{&last, 2}, std::pair{&head, 1}}) {
      access.shared(bill, &Counts::shared_read, *places, table);
      access.alu(bill, instructions, *places);
      access.shared(bill, &Counts::shared_write, *places, table);
    }
  }

  AgpuSpec spec_;
  Bins bins_;
  Segments segments_;
  Places places_;
  std::int64_t words_;
};

PhaseForm add_tables_form(const AgpuSpec& spec, const Bins& bins, const Segmentation& how) {
  const Segments segments = cut(bins.range, how);
  const std::int64_t tables = cut(bins.keys, how).tasks;
  const std::int64_t words = spec.words_per_element(4);
  return form_of_tasks(spec, "add_tables", segments.tasks, 0, [&](std::int64_t task) {
    Bill bill(spec);
    const std::int64_t length = segments.length(task);
    const std::int64_t first = segments.first(task);
    bill.loop_rows(length);
    bill.alu_rows(tables, length);
    for (std::int64_t table = 0; table < tables; ++table) {
      bill.global_rows(&Counts::global_read, length, (table * bins.range + first) * words, words);
    }
    bill.rounds(ceil_div(length, spec.width) * tables);
    bill.global_rows(&Counts::global_write, length, first * words, words);
    return bill.counts();
  });
}

}  // namespace

std::vector<std::int32_t> count(std::span<const std::int32_t> places, std::int64_t range) {
  std::vector<std::int32_t> bins(static_cast<std::size_t>(range));
  for (const std::int32_t place : places) ++bins[static_cast<std::size_t>(place)];
  return bins;
}

void append_forms(std::vector<PhaseForm>& forms, const AgpuSpec& spec, const Bins& bins,
                  Place place, const Segmentation& how, std::span<const std::int32_t> places) {
  if (bins.range == 0) return;
  const KeyForms keys(spec, bins, how, places);
  if (place == Place::sorted) {
    forms.push_back(keys.sorted());
    forms.push_back(add_tables_form(spec, bins, how));
    return;
  }
  forms.push_back(fill_form(spec, Cut(bins.range, how), spec.words_per_element(4)));
  if (bins.keys == 0) return;
  forms.push_back(place == Place::shared ? keys.shared() : keys.global());
}

}  // namespace histogram
}  // namespace agpusim
