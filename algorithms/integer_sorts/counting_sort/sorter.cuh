#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "agpusim/algorithms/integer_sorts/counting_sort/plan.hpp"

namespace agpusim::counting_sort {

/// A sort of the keys of one problem by one method. What it needs besides keys and result is
/// allocated once.
template <class Key>
class SorterOf {
 public:
  virtual ~SorterOf() = default;
  /// Enqueues a sort on cuda_stream(). Both arrays are aligned to 16 bytes.
  virtual void enqueue(const Key* keys, Key* out) = 0;
  /// Whether the last sort's result is right; false where the keys are not what the method needs
  /// (`distinct`: one occurs twice; `few_values`: there are many). Waits for it.
  [[nodiscard]] virtual bool succeeded() { return true; }
};
using Sorter = SorterOf<std::int32_t>;

/// sample_keys keys on the device, or all n where there are fewer, from all over them.
[[nodiscard]] std::vector<std::int32_t> sample(const std::int32_t* keys, std::int64_t n);

/// Throws UsageError when the method cannot sort the problem (see `possible`).
[[nodiscard]] std::unique_ptr<Sorter> make_sorter(Method method, const Problem& problem);

/// Method::few_values and Method::radix for n keys anywhere in their type: std::uint32_t or
/// std::uint64_t. Throws UsageError for more keys than 32 bits number.
template <class Key>
struct SortersOfAny {
  std::unique_ptr<SorterOf<Key>> few_values;
  std::unique_ptr<SorterOf<Key>> radix;
};
template <class Key>
[[nodiscard]] SortersOfAny<Key> make_sorters_of_any(std::int64_t n);

}  // namespace agpusim::counting_sort
