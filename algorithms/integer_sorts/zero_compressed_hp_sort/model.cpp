#include <utility>

#include "agpusim/algorithms/common/element_type.hpp"
#include "agpusim/algorithms/common/form.hpp"
#include "agpusim/algorithms/common/indexed_form.hpp"
#include "agpusim/algorithms/common/segment_form.hpp"
#include "agpusim/algorithms/common/symbols.hpp"
#include "agpusim/algorithms/integer_sorts/histogram/cost.hpp"
#include "agpusim/algorithms/integer_sorts/integer_sort_row.hpp"
#include "agpusim/algorithms/integer_sorts/zero_compressed_hp_sort/program.hpp"
#include "agpusim/algorithms/registry.hpp"
#include "agpusim/model/agpu/device.hpp"

namespace agpusim {
namespace {

using namespace zero_compressed_hp_sort;

/// Closed forms of the kernels of this sort.
class Forms {
 public:
  Forms(const AgpuSpec& spec, std::int64_t words) : spec_(spec), words_(words) {}

  [[nodiscard]] PhaseForm binarize(const Segments& values) const {
    return form_of_tasks(spec_, "binarize", values.tasks, 0, [&](std::int64_t task) {
      Bill bill(spec_);
      read_segment(bill, values.first(task), values.length(task));
      bill.alu_rows(2, values.length(task));  // > 0 and the conversion
      bill.global_rows(&Counts::global_write, values.length(task), values.first(task) * words_,
                       words_);
      return bill.counts();
    });
  }

  /// `ranks[v]`: place of value v among those that occur, or no_element.
  [[nodiscard]] PhaseForm compress(const Segments& values,
                                   const std::vector<std::int32_t>& ranks) const {
    return form_of_tasks(spec_, "compress", values.tasks, 0, [&](std::int64_t task) {
      const std::int64_t first = values.first(task);
      const std::int64_t length = values.length(task);
      Bill bill(spec_);
      read_segment(bill, first, length);
      bill.global_rows(&Counts::global_read, length, first * words_, words_);
      bill.alu_rows(1, length);  // > 0
      const IndexedAccess access(spec_, words_);
      const auto places = part(ranks, first, length);
      // Rows in which no value occurs are skipped; skip_empty off charges them all.
      access.alu(bill, 2, places);
      access.global(bill, &Counts::global_write, places);
      access.global(bill, &Counts::global_write, places);
      return bill.counts();
    });
  }

  /// `starts[j]`: place of the first key with the j-th value that occurs.
  [[nodiscard]] PhaseForm expand(const Cut& cut, const std::vector<std::int32_t>& starts) const {
    const SegmentsOnDevice segments(spec_, cut, static_cast<std::int64_t>(starts.size()));
    return form_of_tasks(spec_, "expand", segments.tasks(), 0, [&](std::int64_t task) {
      const std::int64_t first = segments.first(task);
      const std::int64_t length = segments.length(task);
      Bill bill(spec_);
      segments.charge_cut(bill);
      read_segment(bill, first, length);
      bill.global_rows(&Counts::global_read, length, first * words_, words_);
      charge_previous(bill, spec_, first, length, words_);
      bill.alu_rows(1, length);  // the difference
      IndexedAccess(spec_, words_)
          .global(bill, &Counts::global_write,
                  length > 0 ? part(starts, first, length) : std::span<const std::int32_t>{});
      return bill.counts();
    });
  }

 private:
  /// A stream over a segment of one array.
  void read_segment(Bill& bill, std::int64_t first, std::int64_t length) const {
    bill.loop_rows(length);
    bill.global_rows(&Counts::global_read, length, first * words_, words_);
    bill.rounds_of_rows(length);
  }

  AgpuSpec spec_;
  std::int64_t words_;
};

std::vector<PhaseForm> closed_form(const RunConfig& config) {
  std::vector<PhaseForm> forms;
  if (config.n == 0) return forms;
  const histogram::Bins keys = bins_of(config);
  const Segmentation how = segmentation(config);
  const Cut values(keys.range, how);
  const Cut places(config.n, how);
  const Cut occurring = occurring_values(keys, how);
  const Forms own(config.spec, element_words(config));
  const scan::ScanCost scan = sum_scan_cost(config);
  const std::vector<std::int32_t> bins = bins_of_keys(config);
  std::vector<std::int32_t> ranks(static_cast<std::size_t>(keys.range), no_element);
  std::vector<std::int32_t> starts;
  std::int32_t before = 0;
  const std::vector<std::int32_t> counts = histogram::count(bins, keys.range);
  for (std::size_t v = 0; v < counts.size(); ++v) {
    if (counts[v] == 0) continue;
    ranks[v] = static_cast<std::int32_t>(starts.size());
    starts.push_back(std::exchange(before, before + counts[v]));
  }
  histogram::append_forms(forms, config.spec, keys, histogram::place_of(config.variant), how, bins);
  forms.push_back(own.binarize(values.host()));
  scan.append(forms, values);
  forms.push_back(own.compress(values.host(), ranks));
  scan.append(forms, occurring, static_cast<std::int64_t>(starts.size()));
  forms.push_back(fill_form(config.spec, places, element_words(config)));
  forms.push_back(own.expand(occurring, starts));
  scan.append(forms, places);
  return forms;
}

}  // namespace

void register_zero_compressed_hp_sort(Registry& registry) {
  Algorithm row =
      integer_sort_row({"(5n+9R+10len)/b", [](const Symbols& s) {
                          return (5 * s.n + 9 * s["range"] + 10 * expected_values(s.config)) / s.b;
                        }});
  row.name = "zero_compressed_hp_sort";
  row.summary = "H-P sort in which only the values that occur pass through the second half";
  row.source = "Kozakai, Bulletin of Hosei University 63, 2022, algorithm 5; theory 3.5, 3.6";
  row.program = zero_compressed_hp_sort::make_program<SimulatedDevice>;
  row.closed_form = closed_form;
  registry.add(std::move(row));
}

}  // namespace agpusim
