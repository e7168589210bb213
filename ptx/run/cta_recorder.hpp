#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "agpusim/model/agpu/step_trace.hpp"
#include "agpusim/ptx/run/access.hpp"

namespace agpusim::ptx {

/// Records the accesses of one CTA to global and shared memory, as `agpusim step` shows them. Its
/// lanes are those of all its warps. Elements narrower than a word are parts of one.
class CtaRecorder {
 public:
  /// The CTA of this number is recorded; of more than `most` instructions, the first ones.
  explicit CtaRecorder(std::int64_t cta, std::int64_t most = 10'000) : cta_(cta), most_(most) {}

  [[nodiscard]] std::int64_t cta() const { return cta_; }

  /// An array where the host has it.
  struct Array {
    std::string name;
    const std::byte* begin = nullptr;
    std::size_t bytes = 0;
    bool shared = false;
    std::size_t offset = 0;  ///< bytes of shared memory before it
  };
  /// Lanes of a request find their bytes in that array; what they write is there later.
  void access(Warp& warp, const Instruction& instruction, Touched touched, const Request& request,
              Lanes lanes, const Array& array, const Counts& cost);
  /// A warp comes to a barrier.
  void barrier(Warp& warp, const Instruction& instruction);
  /// What is recorded of a launch that has ended.
  [[nodiscard]] StepTrace take(const PhaseReport& phase);

 private:
  /// Begins an instruction; null where there were enough.
  TracedInstruction* begin(Warp& warp, const Instruction& instruction, Lanes lanes,
                           InstructionKind kind);
  /// The last store or atomic operation has taken effect.
  void finish();

  std::int64_t cta_;
  std::int64_t most_;
  StepTrace trace_;
  std::map<std::pair<std::string, std::uint32_t>, std::int32_t> places_;
  /// An array as elements of so many bytes, each of components of so many bytes.
  struct View {
    Array array;
    std::size_t element = 0;
    std::size_t component = 0;

    [[nodiscard]] std::string text(std::size_t number) const;
  };
  std::map<std::tuple<const std::byte*, std::size_t, std::size_t>, std::int32_t> numbers_;
  std::vector<View> views_;           ///< one for each array of the trace
  std::vector<std::size_t> to_come_;  ///< elements that the last instruction changes
};

}  // namespace agpusim::ptx
