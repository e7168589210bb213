#pragma once

#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "agpusim/model/agpu/observer.hpp"
#include "agpusim/model/agpu/report.hpp"

namespace agpusim {

/// Sums up what each source line of each kernel is charged.
class LineCosts : public Observer {
 public:
  void instruction(const Instruction& instruction) override;

  LineCosts& operator+=(const LineCosts& other);
  /// By descending time.
  [[nodiscard]] std::vector<LineCost> lines() const;

 private:
  /// Names as the compiler keeps them; one text may be at several addresses.
  struct Place {
    const char* kernel;
    const char* file;
    std::uint32_t line;

    friend bool operator==(const Place&, const Place&) = default;
  };
  struct Hash {
    std::size_t operator()(const Place& place) const {
      return std::hash<const char*>()(place.file) ^ std::hash<const char*>()(place.kernel) ^
             (std::size_t{place.line} << 20);
    }
  };

  std::unordered_map<Place, LineCost, Hash> costs_;
};

}  // namespace agpusim
