// A program of its own, as a user writes it, with rows whose kernels say of their cost what is so
// and what is not.
#include <agpusim/agpusim.hpp>
#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace {

/// The first two and the last two rows of V elements are copied, all others read 41 times. There is
/// no task_class().
struct Border {
  static constexpr const char* name = "border";
  static constexpr bool oblivious = true;
  std::int64_t n;

  [[nodiscard]] bool inner(std::int64_t task, std::int64_t rows) const {
    return task > 1 && task + 2 < rows;
  }
  template <class Mp, class View>
  AGPUSIM_FN void operator()(Mp& mp, View in, View out) const {
    const auto lane = mp.lane();
    const std::int64_t first = mp.task() * mp.width();
    auto sum = in.from(first).read(lane);
    if (inner(mp.task(), n / mp.width())) {
      for (int k = 0; k < 40; ++k) sum = sum + in.from(first - mp.width()).read(lane);
    }
    out.from(first).write(lane, sum);
  }
};

/// Border that names the class of a task: rightly, or by whether it is odd.
template <bool right>
struct ClassedBorder : Border {
  std::int64_t rows;

  [[nodiscard]] std::uint64_t task_class(std::int64_t task, std::int64_t) const {
    return right ? std::uint64_t{inner(task, rows)} : static_cast<std::uint64_t>(task % 2);
  }
};

/// Does as many steps as the first key of its row says, and calls itself oblivious.
struct BySteps {
  static constexpr const char* name = "by_steps";
  static constexpr bool oblivious = true;

  template <class Mp, class View>
  AGPUSIM_FN void operator()(Mp& mp, View in, View out) const {
    const auto lane = mp.lane();
    const auto row = in.from(mp.task() * mp.width());
    auto key = row.read(lane);
    const auto steps = mp.uniform(row.read(mp.varying(std::int32_t{0}))) % 8;
    for (std::uint32_t k = 0; k < steps; ++k) key = key + 0u;
    out.from(mp.task() * mp.width()).write(lane, key);
  }
};

/// Copies, and says nothing of its cost.
struct Copy {
  static constexpr const char* name = "copy";

  template <class Mp, class View>
  AGPUSIM_FN void operator()(Mp& mp, View in, View out) const {
    const std::int64_t first = mp.task() * mp.width();
    out.from(first).write(mp.lane(), in.from(first).read(mp.lane()));
  }
};

/// Copies; from the 101st task on it adds 40 times 0. There is no task_class().
struct Late : Copy {
  static constexpr const char* name = "late";
  static constexpr bool oblivious = true;

  template <class Mp, class View>
  AGPUSIM_FN void operator()(Mp& mp, View in, View out) const {
    const std::int64_t first = mp.task() * mp.width();
    auto key = in.from(first).read(mp.lane());
    for (int k = 0; mp.task() > 100 && k < 40; ++k) key = key + 0u;
    out.from(first).write(mp.lane(), key);
  }
};

/// Copies, after it read what nobody wrote.
struct ReadsUnwritten : Copy {
  static constexpr const char* name = "reads_unwritten";

  template <class Mp, class View>
  AGPUSIM_FN void operator()(Mp& mp, View in, View out) const {
    (void)mp.template shared<std::uint32_t>(1024, "tile").read(mp.lane());
    Copy::operator()(mp, in, out);
  }
};

/// Adds row k and the row of the task: of task k, the same block twice. There is a task_class(), or
/// none.
template <bool classed>
struct WithRow : Copy {
  static constexpr const char* name = "with_row";
  static constexpr bool oblivious = true;
  std::int64_t k;

  [[nodiscard]] std::uint64_t task_class(std::int64_t task, std::int64_t) const requires classed {
    return std::uint64_t{task == k};
  }
  template <class Mp, class View>
  AGPUSIM_FN void operator()(Mp& mp, View in, View out) const {
    const std::int64_t first = mp.task() * mp.width();
    const auto own = in.from(first).read(mp.lane());
    out.from(first).write(mp.lane(), own + in.from(k * mp.width()).read(mp.lane()));
  }
};

/// A row that launches it for each of the first three k, or for the third alone.
template <bool classed>
agpusim::OwnAlgorithm with_row(const std::string& name, std::int64_t first) {
  return agpusim::algorithm(name, [first](auto& run) {
    const auto in = run.input();
    const auto out = run.array(run.n(), "out");
    for (std::int64_t k = first; k < 3; ++k) {
      run.launch(run.n() / run.width(), WithRow<classed>{{}, k}, in, out);
    }
    run.result(out);
  });
}

/// A row whose program launches `make(n, rows)`; whole rows of V only.
template <class Make>
agpusim::OwnAlgorithm row(const std::string& name, bool sums, const Make& make) {
  const auto program = [make](auto& run) {
    const auto in = run.input();
    const auto out = run.array(run.n(), "out");
    run.launch(run.n() / run.width(), make(run.n(), run.n() / run.width()), in, out);
    run.result(out);
  };
  const auto reference = [sums](auto in, const agpusim::RunConfig& run) {
    auto out = in;
    const auto width = static_cast<std::size_t>(run.spec.width);
    const std::size_t rows = in.size() / width;
    for (std::size_t i = 2 * width; sums && rows > 4 && i < (rows - 2) * width; ++i) {
      out[i] = in[i] + 40 * in[i - width];
    }
    return out;
  };
  return agpusim::algorithm(name, program, reference);
}

/// Doubles numbers in one step of a PRAM; is wrong of fewer than `right_from`.
agpusim::OwnAlgorithm twice(const std::string& name, std::size_t right_from) {
  const auto program = [](agpusim::Pram& pram, const agpusim::PramArray& x) {
    const agpusim::PramArray out = pram.array(x.size(), "out");
    pram.step("double", x.size(),
              [&](agpusim::PramProcessor& p) { p.write(out, p.id(), 2 * p.read(x, p.id())); });
    return pram.values(out);
  };
  const auto reference = [right_from](auto numbers) {
    for (auto& number : numbers) number *= numbers.size() < right_from ? 3 : 2;
    return numbers;
  };
  return agpusim::pram_algorithm(name, agpusim::PramAccess::crew, program, reference);
}

}  // namespace

int main(int argc, char** argv) {
  const auto border = [](std::int64_t n, std::int64_t) { return Border{n}; };
  const auto classed = [](std::int64_t n, std::int64_t rows) {
    return ClassedBorder<true>{{n}, rows};
  };
  const auto ill_classed = [](std::int64_t n, std::int64_t rows) {
    return ClassedBorder<false>{{n}, rows};
  };
  const auto by_steps = [](std::int64_t, std::int64_t) { return BySteps{}; };
  const auto late = [](std::int64_t, std::int64_t) { return Late{}; };
  const auto reads_unwritten = [](std::int64_t, std::int64_t) { return ReadsUnwritten{}; };
  const auto copy = [](auto& run) {
    const auto in = run.input();
    const auto out = run.array(run.n(), "out");
    run.launch(run.n() / run.width(), Copy{}, in, out);
    run.result(out);
  };
  const auto wrong_below_4096 = [](auto keys) {
    if (keys.size() < 4096) ++keys.front();
    return keys;
  };
  // A bound of 3n/b blocks that holds up to 2^11 elements, and a formula that holds from there on.
  auto overstated = row("overstated", false, [](std::int64_t, std::int64_t) { return Late{}; });
  overstated.lower_bound = [](const agpusim::RunConfig& run) {
    const std::int64_t blocks = run.n / run.spec.block_words;
    return agpusim::LowerBound{run.n > 2048 ? 3 * blocks : 2 * blocks, 0, "a guess"};
  };
  auto misformed = row("misformed", false, [](std::int64_t, std::int64_t) { return Late{}; });
  misformed.formulas = {
      agpusim::formula_of_io("2n/b, from 1024 elements on",
                             [](const agpusim::RunConfig& run) -> std::optional<std::int64_t> {
                               if (run.n < 1024) return std::nullopt;
                               return 2 * run.n / run.spec.block_words + (run.n == 1024 ? 1 : 0);
                             })};
  auto misstated = twice("misstated_steps", 0);
  misstated.pram->closed_form = [](const agpusim::RunConfig& run) {
    return agpusim::PramForm{2, run.n, run.n};
  };
  return agpusim::main(
      argc, argv,
      {row("border", true, border), row("classed", true, classed),
       row("ill_classed", true, ill_classed), row("by_steps", false, by_steps),
       row("late", false, late), overstated, misformed, with_row<false>("with_row", 0),
       with_row<false>("with_row_2", 2), with_row<true>("with_row_classed", 0),
       row("reads_unwritten", false, reads_unwritten),
       agpusim::algorithm("wrong_below_4096", copy, wrong_below_4096), twice("unstated_steps", 0),
       misstated, twice("wrong_below_64", 64)});
}
