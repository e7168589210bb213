#include <algorithm>
#include <utility>
#include <vector>

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/topological_sort.hpp>

#include "agpusim/model/transfer/schedule.hpp"

namespace agpusim::transfer {
namespace {

/// Seconds of the longest chain of operations that wait for each other.
double longest_chain(const Pipeline& pipeline, const LinkSpec& link) {
  using Graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS>;
  Graph graph(static_cast<std::size_t>(pipeline.size()));
  for (OperationId id = 0; id < pipeline.size(); ++id) {
    for (const OperationId before : pipeline.before(id)) {
      boost::add_edge(static_cast<std::size_t>(before), static_cast<std::size_t>(id), graph);
    }
  }
  std::vector<Graph::vertex_descriptor> last_first;
  boost::topological_sort(graph, std::back_inserter(last_first));
  std::vector<double> from_here(last_first.size());
  double longest = 0;
  for (const auto vertex : last_first) {
    double rest = 0;
    for (const auto edge : boost::make_iterator_range(boost::out_edges(vertex, graph))) {
      rest = std::max(rest, from_here[boost::target(edge, graph)]);
    }
    from_here[vertex] = seconds_alone(pipeline[static_cast<OperationId>(vertex)], link) + rest;
    longest = std::max(longest, from_here[vertex]);
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
