#include "agpusim/model/agpu/neighbours.hpp"

#include <fmt/format.h>

namespace agpusim {

Neighbours::Neighbours(const GroupedArray& array, std::int64_t origin,
                       const Varying<std::int32_t>& index, std::int32_t count,
                       const SourceLine& where)
    : count_(count),
      first_group_(origin / count),
      groups_(index.context()),
      index_(index.context()) {
  index.use();
  const LaneContext& context = index.context();
  const std::int32_t* const in = index.data();
  for (std::int32_t i = 0; i < context.width(); ++i) {
    const std::int64_t element = origin + in[i];
    groups_.data()[i] = static_cast<std::int32_t>(element / count - first_group_);
    if (context.mask().bytes[i] == 0) continue;
    if (element < 0 || element > array.size - count) {
      context.fail(fmt::format("out of bounds: {} neighbours of a {} array of {} elements", count,
                               array.memory, array.size),
                   i, array.name, element, where);
    }
    if (element % count != 0) {
      context.fail(
          fmt::format("misaligned: {} neighbours begin at a multiple of {} elements", count, count),
          i, array.name, element, where);
    }
  }
}

const ActiveIndices& Neighbours::elements(const ActiveIndices& active, std::int32_t number) {
  elements_ = active;
  std::int32_t* const out = index_.data();
  for (std::int32_t i = 0; i < active.count; ++i) out[i] = active.index[i] * count_ + number;
  elements_.index = out;
  if (active.shape != Shape::equal) elements_.shape = shape_of(out, active.count);
  elements_.low = active.low * count_ + number;
  elements_.high = active.high * count_ + number;
  return elements_;
}

}  // namespace agpusim
