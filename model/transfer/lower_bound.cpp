#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "agpusim/model/transfer/schedule.hpp"

namespace agpusim::transfer {
namespace {

/// Seconds of the longest chain of operations that wait for each other. Ids are in an order in
/// which nothing waits for a later one: from the last on, what waits for an operation is known.
double longest_chain(const Pipeline& pipeline, const LinkSpec& link) {
  std::vector<double> behind(static_cast<std::size_t>(pipeline.size()), 0);
  double longest = 0;
  for (auto id = static_cast<OperationId>(pipeline.size()); id-- > 0;) {
    const double from_here =
        behind[static_cast<std::size_t>(id)] + seconds_alone(pipeline[id], link);
    for (const OperationId before : pipeline.before(id)) {
      double& rest = behind[static_cast<std::size_t>(before)];
      rest = std::max(rest, from_here);
    }
    longest = std::max(longest, from_here);
  }
  return longest;
}

}  // namespace

PipelineBound lower_bound(const Pipeline& pipeline, const LinkSpec& link) {
  validate(link);
  std::array<double, engines.size()> work{};
  for (const Operation& operation : pipeline.operations()) {
    work[static_cast<std::size_t>(operation.engine)] += seconds_alone(operation, link);
  }
  const auto bytes = [&](Engine engine) { return static_cast<double>(pipeline.bytes(engine)); };
  const double copied = bytes(Engine::copy_in) + bytes(Engine::copy_out);

  PipelineBound bound{longest_chain(pipeline, link), "dependencies"};
  const auto at_least = [&](double seconds, std::string resource) {
    if (seconds > bound.seconds) bound = {seconds, std::move(resource)};
  };
  for (const Engine engine : engines) {
    at_least(work[static_cast<std::size_t>(engine)], to_string(engine));
  }
  if (link.copy_engines == 1) {
    at_least(work[static_cast<std::size_t>(Engine::copy_in)] +
                 work[static_cast<std::size_t>(Engine::copy_out)],
             "the copy engine");
  }
  if (link.both > 0) at_least(copied / link.both, "both directions");
  if (link.host > 0) at_least((copied + bytes(Engine::host)) / link.host, "host memory");
  return bound;
}

}  // namespace agpusim::transfer
