#pragma once

#include <cstdint>
#include <string_view>

#include "agpusim/model/agpu/varying.hpp"
#include "agpusim/model/source_line.hpp"

namespace agpusim {

/// The array that lanes access in groups of neighbouring elements.
struct GroupedArray {
  std::string_view memory;  ///< "shared" or "global"
  std::string_view name;
  std::int64_t size;  ///< elements
};

/// What one wide access touches: of each lane a group of `count` neighbouring elements, which
/// begins at a multiple of `count`. It is priced as one access to the group.
class Neighbours {
 public:
  /// Groups begin at element origin + index. Throws RuleViolation where that of an active lane
  /// begins elsewhere, or is not all inside the array.
  Neighbours(const GroupedArray& array, std::int64_t origin, const Varying<std::int32_t>& index,
             std::int32_t count, const SourceLine& where);

  [[nodiscard]] std::int32_t count() const { return count_; }
  /// The group from which groups() counts.
  [[nodiscard]] std::int64_t first_group() const { return first_group_; }
  /// The number of each lane's group.
  [[nodiscard]] const Varying<std::int32_t>& groups() const { return groups_; }
  /// Neighbour `number` of each of the groups `active`, as elements counted from count() *
  /// first_group(). Valid until the next call.
  [[nodiscard]] const ActiveIndices& elements(const ActiveIndices& active, std::int32_t number);

 private:
  std::int32_t count_;
  std::int64_t first_group_;
  Varying<std::int32_t> groups_;
  Varying<std::int32_t> index_;  // what elements() returns
  ActiveIndices elements_;
};

}  // namespace agpusim
