#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "agpusim/commands/exercise/watch.hpp"

// Before the machine, which tells what is watched.
#define AGPUSIM_WATCH_STEP(name, where) \
  const agpusim::exercise::WatchedStep watched_step(__builtin_frame_address(0), name, where)
#define AGPUSIM_WATCH_CHUNK(chunk) const agpusim::exercise::HiddenCells hidden_cells(chunk)
#define AGPUSIM_WATCH_READ(cell) agpusim::exercise::HiddenCells::read(cell)
#define AGPUSIM_WATCH_BODY(processor) agpusim::exercise::WatchedStep::end_body(processor)

#include "agpusim/model/agpu/device.hpp"
#include "agpusim/model/cost/units.hpp"
#include "agpusim/model/elementary.hpp"
#include "agpusim/model/loop.hpp"
#include "agpusim/model/pram/machine.hpp"

// The half of an exercise that is compiled with the answer: it runs the answer on the machine and
// hands over what happened. It gives no marks and knows no expected result.
namespace agpusim::exercise {

using Array = GlobalArray<std::uint32_t>;
/// Starts the kernels of an answer: the launch() of exercises/<name>/launch.hpp.
using Launch = std::function<void(SimulatedDevice&, const Array& in, const Array& out)>;
using Solve = std::function<void(Pram&, PramArray in, PramArray out)>;

/// A kernel of which each task has a fresh copy, so that none leaves anything to the next.
template <class Kernel>
struct Fresh {
  static_assert(std::is_trivially_copyable_v<Kernel>,
                "a kernel holds plain values only: without copy constructor and destructor");
  static constexpr const char* name = Kernel::name;
  Kernel kernel;
  template <class Mp, class... Args>
  void operator()(Mp& mp, const Args&... args) const {
    const Kernel fresh = kernel;
    fresh(mp, args...);
  }
};
template <class Kernel, class... Args>
void launch_fresh(SimulatedDevice& device, std::int64_t tasks, const Kernel& kernel,
                  const Args&... args) {
  device.launch(tasks, Fresh<Kernel>{kernel}, args...);
}

/// The reply to a request of the judge (case.hpp): the trace of the run and the words of "out".
[[nodiscard]] std::string reply_to(std::string request, const Launch& launch);
[[nodiscard]] std::string reply_to(std::string request, const Solve& solve);

/// Replies to what comes on descriptor 3, on descriptor 4, until it ends.
int serve(const std::function<std::string(std::string)>& reply);

template <class Run>
int serve_answer(const Run& run) {
  return serve([&run](std::string request) { return reply_to(std::move(request), run); });
}

}  // namespace agpusim::exercise
