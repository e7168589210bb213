#include "agpusim/model/pram/work_span.hpp"

#include <algorithm>
#include <iterator>
#include <sstream>
#include <unordered_map>
#include <utility>

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/topological_sort.hpp>
#include <fmt/format.h>

#include "agpusim/model/error.hpp"
#include "agpusim/model/pram/detail/replay_step.hpp"

namespace agpusim {
namespace {

using Graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::bidirectionalS>;
using Vertex = boost::graph_traits<Graph>::vertex_descriptor;

const Vertex nobody = boost::graph_traits<Graph>::null_vertex();

/// The DAG. The operations of step t are vertices first[t]..first[t+1]-1, in the order of its
/// active processors; behind all operations come junctions, one for a value with several writers,
/// so that n writers and m readers cost n + m edges.
struct Dag {
  Graph graph;
  std::vector<Vertex> first;
  std::vector<std::vector<std::int64_t>> active;  // by step

  [[nodiscard]] Vertex operations() const { return first.back(); }
  [[nodiscard]] std::size_t step_of(Vertex operation) const {
    return static_cast<std::size_t>(std::upper_bound(first.begin(), first.end(), operation) -
                                    first.begin()) -
           1;
  }
  [[nodiscard]] std::int64_t processor_of(Vertex operation) const {
    const std::size_t t = step_of(operation);
    return active[t][operation - first[t]];
  }
};

/// Who wrote the present value of a cell.
struct Value {
  std::vector<Vertex> writers;
  Vertex junction = nobody;  // made when somebody first reads it
};

Dag dag_of(const PramTrace& trace, std::int64_t limit) {
  std::vector<Vertex> first{0};
  std::vector<std::vector<std::int64_t>> active;
  for (const PramStepTrace& step : trace.steps) {
    active.push_back(detail::active_processors(step));
    first.push_back(first.back() + active.back().size());
  }
  Vertex vertices = first.back();
  std::vector<std::pair<Vertex, Vertex>> edges;
  const auto source = [&](Value& value) {
    if (value.writers.size() == 1) return value.writers[0];
    if (value.junction == nobody) {
      value.junction = vertices++;
      for (const Vertex writer : value.writers) edges.emplace_back(writer, value.junction);
    }
    return value.junction;
  };

  const std::vector<std::vector<PramAccessRecord>> effective = detail::effective_writes(trace);
  std::unordered_map<std::int64_t, Value> values;  // cell -> value
  std::vector<std::pair<Vertex, Vertex>> into;     // edges to the operations of one step
  for (std::size_t t = 0; t < trace.steps.size(); ++t) {
    const auto operation = [&](const PramAccessRecord& access) {
      const std::vector<std::int64_t>& all = active[t];
      const auto place = std::lower_bound(all.begin(), all.end(), access.processor) - all.begin();
      return first[t] + static_cast<Vertex>(place);
    };
    into.clear();
    for (const PramAccessRecord& read : trace.steps[t].reads) {
      const auto found = values.find(read.cell);
      if (found != values.end()) into.emplace_back(operation(read), source(found->second));
    }
    std::sort(into.begin(), into.end());
    into.erase(std::unique(into.begin(), into.end()), into.end());
    for (const auto& [reader, writer] : into) edges.emplace_back(writer, reader);
    detail::for_each_cell(detail::by_cell(effective[t]),
                          [&](std::span<const PramAccessRecord> writers) {
                            Value& value = values[writers[0].cell];
                            std::vector<Vertex> now;
                            if (writers[0].accumulate && !value.writers.empty()) {
                              now.push_back(source(value));
                            }
                            for (const PramAccessRecord& write : writers) {
                              now.push_back(operation(write));
                            }
                            value = {std::move(now), nobody};
                          });
  }

  if (static_cast<std::int64_t>(vertices + edges.size()) > limit) {
    throw UsageError(fmt::format(
        "the work-span graph has {} vertices and {} edges, together more than {}; use a smaller n",
        vertices, edges.size(), limit));
  }
  return {Graph(edges.begin(), edges.end(), vertices), std::move(first), std::move(active)};
}

/// Longest paths of a DAG, counted in operations.
struct LongestPaths {
  std::vector<std::int64_t> length;  // length of the longest path that ends in a vertex
  std::vector<Vertex> critical;      // a longest path with its junctions
};

LongestPaths longest_paths(const Dag& dag) {
  const std::size_t vertices = boost::num_vertices(dag.graph);
  std::vector<Vertex> order;
  order.reserve(vertices);
  boost::topological_sort(dag.graph, std::back_inserter(order));  // the last vertex comes first
  LongestPaths result;
  result.length.resize(vertices);
  std::vector<Vertex> before(vertices, nobody);
  Vertex end = nobody;
  for (auto vertex = order.rbegin(); vertex != order.rend(); ++vertex) {
    std::int64_t longest = 0;
    const auto [begin, stop] = boost::in_edges(*vertex, dag.graph);
    for (auto edge = begin; edge != stop; ++edge) {
      const Vertex from = boost::source(*edge, dag.graph);
      if (result.length[from] > longest) {
        longest = result.length[from];
        before[*vertex] = from;
      }
    }
    result.length[*vertex] = longest + (*vertex < dag.operations() ? 1 : 0);
  }
  for (Vertex v = 0; v < dag.operations(); ++v) {
    if (end == nobody || result.length[v] > result.length[end]) end = v;
  }
  for (; end != nobody; end = before[end]) result.critical.push_back(end);
  std::reverse(result.critical.begin(), result.critical.end());
  return result;
}

/// A quoted string of DOT.
std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += static_cast<unsigned char>(c) < ' ' ? ' ' : c;
  }
  return result + "\"";
}

}  // namespace

double WorkSpan::parallelism() const {
  return span == 0 ? 0 : static_cast<double>(work) / static_cast<double>(span);
}

WorkSpan analyse_work_span(const PramTrace& trace, std::int64_t limit) {
  const Dag dag = dag_of(trace, limit);
  const LongestPaths paths = longest_paths(dag);
  WorkSpan result;
  result.work = static_cast<std::int64_t>(dag.operations());
  for (const Vertex v : paths.critical) {
    if (v >= dag.operations()) continue;
    const std::size_t t = dag.step_of(v);
    result.critical_path.push_back(
        {trace.steps[t].name, static_cast<std::int64_t>(t), dag.processor_of(v)});
  }
  result.span = static_cast<std::int64_t>(result.critical_path.size());
  result.widths.resize(result.critical_path.size());
  for (Vertex v = 0; v < dag.operations(); ++v) {
    ++result.widths[static_cast<std::size_t>(paths.length[v]) - 1];
  }
  return result;
}

std::string to_graphviz(const PramTrace& trace, std::int64_t limit) {
  const Dag dag = dag_of(trace, limit);
  const std::vector<Vertex> path = longest_paths(dag).critical;
  // Place on the critical path, from 1; 0 elsewhere.
  std::vector<std::size_t> place(boost::num_vertices(dag.graph));
  for (std::size_t i = 0; i < path.size(); ++i) place[path[i]] = i + 1;

  std::ostringstream out;
  out << "digraph G {\nrankdir=TB;\nnode [shape=box];\n";
  for (std::size_t t = 0; t + 1 < dag.first.size(); ++t) {
    out << "{ rank=same;";
    for (Vertex v = dag.first[t]; v < dag.first[t + 1]; ++v) out << ' ' << v << ';';
    out << " }\n";
  }
  for (Vertex v = 0; v < boost::num_vertices(dag.graph); ++v) {
    out << v;
    if (v >= dag.operations()) {
      out << "[shape=point";
    } else {
      const std::size_t t = dag.step_of(v);
      out << "[label="
          << quoted(fmt::format("{}: {} / {}", t + 1, trace.steps[t].name, dag.processor_of(v)));
    }
    out << (place[v] > 0 ? ", color=red]" : "]") << ";\n";
  }
  const auto [begin, end] = boost::edges(dag.graph);
  for (auto edge = begin; edge != end; ++edge) {
    const Vertex from = boost::source(*edge, dag.graph);
    const Vertex to = boost::target(*edge, dag.graph);
    const bool critical = place[from] > 0 && place[to] == place[from] + 1;
    out << from << "->" << to << ' ' << (critical ? "[color=red]" : "") << ";\n";
  }
  out << "}\n";
  return out.str();
}

}  // namespace agpusim
