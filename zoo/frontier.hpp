#pragma once

#include "common.hpp"
#include "graph.hpp"

namespace zoo {

/// Marks the neighbours of active vertices, one in 8, and counts the edges in a global counter.
struct ActiveVertices {
  static constexpr const char* name = "active_vertices";
  std::int32_t vertices;

  template <class Mp, class Places, class View>
  AGPUSIM_FN void operator()(Mp& mp, Places starts, Places columns, View in, View marks) const {
    const auto vertex = global_index(mp);
    mp.when(vertex < vertices, [&] {
      mp.when((in.read(vertex) & 7u) == 0u, [&] {
        auto i = starts.read(vertex);
        const auto end = starts.read(vertex + 1);
        marks.atomic_add(mp.varying(0), agpusim::cast<std::uint32_t>(end - i));
        mp.while_any([&] { return i < end; },
                     [&] {
                       marks.atomic_max(columns.read(i) + 1, mp.varying(1u));
                       i = i + 1;
                     });
      });
    });
  }
};

[[nodiscard]] inline agpusim::OwnAlgorithm active_vertices() {
  const auto program = [](auto& run) {
    const std::int64_t n = run.n();
    const std::int64_t vertices = rows_of(n);
    const auto in = run.input();
    const auto starts = run.upload(vertices + 1, "starts", [n] { return row_starts(n); });
    const auto columns = run.upload(n, "columns", [n] { return columns_of(n); });
    const auto marks = run.upload(vertices + 1, "marks", [=] { return zeros(vertices + 1); });
    run.launch(ceil_div(vertices, run.width()), ActiveVertices{static_cast<std::int32_t>(vertices)},
               starts, columns, in, marks);
    run.result(marks);
  };
  const auto reference = [](const auto& in) {
    const auto n = static_cast<std::int64_t>(in.size());
    const auto starts = row_starts(n);
    const auto columns = columns_of(n);
    auto marks = zeros(rows_of(n) + 1);
    for (std::size_t vertex = 0; vertex + 1 < starts.size(); ++vertex) {
      if (in[vertex] % 8 != 0) continue;
      for (std::int32_t i = starts[vertex]; i < starts[vertex + 1]; ++i) {
        marks[static_cast<std::size_t>(columns[static_cast<std::size_t>(i)]) + 1] = 1;
        ++marks[0];
      }
    }
    return marks;
  };
  return row_of<std::uint32_t>("active_vertices", "marks the neighbours of some vertices", program,
                               reference);
}

/// One level of a breadth-first search: vertices of this level offer the next to their neighbours.
struct BfsLevel {
  static constexpr const char* name = "bfs_level";
  std::int32_t vertices;
  std::int32_t level;

  template <class Mp, class View>
  AGPUSIM_FN void operator()(Mp& mp, View starts, View columns, View now, View then) const {
    const auto vertex = global_index(mp);
    mp.when(vertex < vertices, [&] {
      const auto mine = now.read(vertex);
      then.atomic_min(vertex, mine);
      mp.when(mine == level, [&] {
        auto i = starts.read(vertex);
        const auto end = starts.read(vertex + 1);
        mp.while_any([&] { return i < end; },
                     [&] {
                       then.atomic_min(columns.read(i), mp.varying(level + 1));
                       i = i + 1;
                     });
      });
    });
  }
};

[[nodiscard]] inline agpusim::OwnAlgorithm bfs() {
  constexpr std::int32_t far = 1 << 30;
  const auto begin = [](std::int64_t vertices) {
    return vector_of(vertices, [](std::int64_t i) { return i == 0 ? 0 : far; });
  };
  const auto program = [begin](auto& run) {
    const std::int64_t n = run.n();
    const std::int64_t vertices = rows_of(n);
    const auto starts = run.upload(vertices + 1, "starts", [n] { return row_starts(n); });
    const auto columns = run.upload(n, "columns", [n] { return columns_of(n); });
    auto now = run.upload(vertices, "now", [=] { return begin(vertices); });
    auto then = run.upload(vertices, "then", [=] { return begin(vertices); });
    for (std::int32_t level = 0; level < setting(run, "levels"); ++level) {
      run.launch(ceil_div(vertices, run.width()),
                 BfsLevel{static_cast<std::int32_t>(vertices), level}, starts, columns, now, then);
      std::swap(now, then);
    }
    run.result(now);
  };
  const auto reference = [begin](const auto& in, const agpusim::RunConfig& run) {
    const auto n = static_cast<std::int64_t>(in.size());
    const auto starts = row_starts(n);
    const auto columns = columns_of(n);
    auto levels = begin(rows_of(n));
    for (std::int32_t level = 0; level < static_cast<std::int32_t>(setting(run, "levels"));
         ++level) {
      for (std::size_t vertex = 0; vertex < levels.size(); ++vertex) {
        if (levels[vertex] != level) continue;
        for (std::int32_t i = starts[vertex]; i < starts[vertex + 1]; ++i) {
          auto& other = levels[static_cast<std::size_t>(columns[static_cast<std::size_t>(i)])];
          other = std::min(other, level + 1);
        }
      }
    }
    return levels;
  };
  auto row = row_of<std::uint32_t>("bfs", "the first levels of a breadth-first search", program,
                                   reference);
  row.parameters = {parameter("levels", "levels, a launch for each", 6)};
  return row;
}

/// Keeps the elements below a bound, in order, at the front of each task's V places, and counts
/// them all in a global counter: votes inside warps, then the counts of warps in shared memory.
struct Filter {
  static constexpr const char* name = "filter";
  std::int32_t n;
  std::int32_t warps;

  [[nodiscard]] std::int64_t shared_bytes() const { return std::int64_t{4} * warps + 4; }

  template <class Mp, class View>
  AGPUSIM_FN void operator()(Mp& mp, View in, View out) const {
    const auto counts = mp.template shared<std::int32_t>(warps, "counts");
    const auto i = global_index(mp);
    const auto lane = mp.lane() % 32;
    auto key = mp.varying(0xffffffffu);
    mp.when(i < n, [&] { key = in.read(i); });
    const auto kept = key < 0x60000000u;
    const auto votes = mp.vote(kept);
    mp.when(lane == 0, [&] { counts.write(mp.lane() / 32, agpusim::popcount(votes)); });
    mp.sync();
    auto place = agpusim::popcount(votes & ((mp.varying(1u) << lane) - 1u));
    auto total = mp.varying(0);
    for (std::int32_t warp = 0; warp < warps; ++warp) {
      const auto count = counts.read(mp.varying(warp));
      place = place + agpusim::select(mp.lane() / 32 > warp, count, mp.varying(0));
      total = total + count;
    }
    const auto first = static_cast<std::int32_t>(mp.task() * mp.width());
    mp.when(kept, [&] { out.write(place + (first + 1), key); });
    mp.when(mp.lane() == 0,
            [&] { out.atomic_add(mp.varying(0), agpusim::cast<std::uint32_t>(total)); });
  }
};

[[nodiscard]] inline agpusim::OwnAlgorithm filter() {
  const auto program = [](auto& run) {
    const auto in = run.input();
    const std::int64_t places = run.n() + 1;  // the counter, then the elements
    const auto out = run.upload(places, "out", [places] { return zeros(places); });
    run.launch(run.tasks_of(run.width()), Filter{length(run), run.width() / 32}, in, out);
    run.result(out);
  };
  const auto reference = [](const auto& x, const agpusim::RunConfig& run) {
    const auto V = static_cast<std::size_t>(run.spec.width);
    auto out = zeros(run.n + 1);
    std::size_t place = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      if (i % V == 0) place = i;
      if (x[i] >= 0x60000000u) continue;
      out[++place] = x[i];
      ++out[0];
    }
    return out;
  };
  return row_of<std::uint32_t>("filter", "small elements at the front of each task", program,
                               reference, io_of("2n/b", 2));
}

}  // namespace zoo
