#pragma once

#include <cstdint>
#include <memory>

#include "agpusim/algorithms/integer_sorts/counting_sort/plan.hpp"

namespace agpusim::counting_sort {

/// A sort of the keys of one problem by one method. What it needs besides keys and result is
/// allocated once.
class Sorter {
 public:
  virtual ~Sorter() = default;
  /// Enqueues a sort on cuda_stream(). Both arrays are aligned to 16 bytes.
  virtual void enqueue(const std::int32_t* keys, std::int32_t* out) = 0;
  /// Whether the last sort's result is right; false where the keys are not what the method needs
  /// (`distinct`: one occurs twice; `few_values`: there are many). Waits for it.
  [[nodiscard]] virtual bool succeeded() { return true; }
};

/// Throws UsageError when the method cannot sort the problem (see `possible`).
[[nodiscard]] std::unique_ptr<Sorter> make_sorter(Method method, const Problem& problem);

}  // namespace agpusim::counting_sort
