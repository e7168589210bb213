#pragma once

#include "common.hpp"

namespace zoo {

/// The probability that a normal number is below d: Abramowitz and Stegun, 26.2.17.
template <class V>
[[nodiscard]] AGPUSIM_FN V normal_below(const V& d) {
  const V size = agpusim::abs(d);
  const V k = 1.0F / (size * 0.2316419F + 1.0F);
  const V tail = ((((k * 1.330274F - 1.821256F) * k + 1.781478F) * k - 0.356564F) * k + 0.319382F) *
                 k * agpusim::exp(d * d * -0.5F) * 0.3989423F;
  return agpusim::select(d > 0.0F, 1.0F - tail, tail);
}
/// The price of a call on a share that costs 10 + 90 x: strike 50, a year, 2 % interest.
template <class V>
[[nodiscard]] AGPUSIM_FN V call_price(const V& x) {
  const V share = x * 90.0F + 10.0F;
  const V d = (agpusim::log(share * 0.02F) + 0.065F) / 0.3F;
  return share * normal_below(d) - normal_below(d - 0.3F) * 49.00993F;
}

struct BlackScholes {
  static constexpr const char* name = "black_scholes";
  static constexpr bool oblivious = true;
  std::int32_t n;

  template <class Mp, class View>
  AGPUSIM_FN void operator()(Mp& mp, View in, View out) const {
    const auto i = global_index(mp);
    mp.when(i < n, [&] { out.write(i, call_price(in.read(i))); });
  }
};

[[nodiscard]] inline agpusim::OwnAlgorithm black_scholes() {
  const auto program = each_lane<BlackScholes>("prices");
  const auto reference = each_element([](float x) { return call_price(x); });
  auto row = row_of<float>("black_scholes", "prices of options", program, reference);
  row.inputs = {"uniform"};  // shares cost more than nothing
  row.io = io_of("2n/b", 2);
  return row;
}

/// log(e^x + e^y + ...) of 16 numbers a lane, V apart; numbers beyond the end count nothing.
struct LogSum {
  static constexpr const char* name = "log_sum";
  static constexpr bool oblivious = true;
  std::int32_t n;

  template <class Mp, class View>
  AGPUSIM_FN void operator()(Mp& mp, View in, View out) const {
    const auto first = mp.lane() + static_cast<std::int32_t>(mp.task()) * 16 * mp.width();
    auto sum = mp.varying(0.0F);
    for (std::int32_t k = 0; k < 16; ++k) {
      const auto i = first + k * mp.width();
      mp.when(i < n, [&] { sum = sum + agpusim::exp(in.read(i)); });
    }
    mp.when(first < n, [&] { out.write(global_index(mp), agpusim::log(sum)); });
  }
};

[[nodiscard]] inline agpusim::OwnAlgorithm log_sum() {
  const auto size_of = [](std::int64_t n, std::int64_t V) {
    return n / (16 * V) * V + std::min(n % (16 * V), V);
  };
  const auto program = [size_of](auto& run) {
    const auto in = run.input();
    const auto out = run.array(size_of(run.n(), run.width()), "logs");
    run.launch(run.tasks_of(std::int64_t{16} * run.width()), LogSum{length(run)}, in, out);
    run.result(out);
  };
  const auto reference = [size_of](const auto& in, const agpusim::RunConfig& run) {
    const auto V = static_cast<std::size_t>(run.spec.width);
    return vector_of(size_of(run.n, run.spec.width), [&](std::int64_t i) {
      const auto lane = static_cast<std::size_t>(i);
      float sum = 0.0F;
      for (std::size_t k = 0; k < 16; ++k) {
        const std::size_t at = (lane / V * 16 + k) * V + lane % V;
        if (at < in.size()) sum += agpusim::exp(in[at]);
      }
      return agpusim::log(sum);
    });
  };
  auto row = row_of<float>("log_sum", "logarithms of sums of exponentials", program, reference);
  row.inputs = {"uniform"};  // exponentials of larger numbers overflow
  row.io = io_of("n/b", 1);
  return row;
}

/// Turns the point (1, 1/2) by each angle: out[i] and out[n + i].
struct Rotation {
  static constexpr const char* name = "rotation";
  static constexpr bool oblivious = true;
  std::int32_t n;

  template <class Mp, class View>
  AGPUSIM_FN void operator()(Mp& mp, View in, View out) const {
    const auto i = global_index(mp);
    mp.when(i < n, [&] {
      const auto angle = in.read(i) * 6.2831853F;
      const auto sine = agpusim::sin(angle);
      const auto cosine = agpusim::cos(angle);
      out.write(i, cosine - sine * 0.5F);
      out.write(i + n, sine + cosine * 0.5F);
    });
  }
};

[[nodiscard]] inline agpusim::OwnAlgorithm rotation() {
  const auto program = [](auto& run) {
    const auto in = run.input();
    const auto out = run.array(2 * run.n(), "points");
    run.launch(run.tasks_of(run.width()), Rotation{length(run)}, in, out);
    run.result(out);
  };
  const auto reference = [](const auto& in) {
    std::vector<float> out(2 * in.size());
    for (std::size_t i = 0; i < in.size(); ++i) {
      const float sine = agpusim::sin(in[i] * 6.2831853F);
      const float cosine = agpusim::cos(in[i] * 6.2831853F);
      out[i] = cosine - sine * 0.5F;
      out[in.size() + i] = sine + cosine * 0.5F;
    }
    return out;
  };
  auto row = row_of<float>("rotation", "a point turned by each angle", program, reference);
  row.inputs = {"uniform"};  // angles up to 30,000
  row.io = io_of("3n/b", 3);
  return row;
}

}  // namespace zoo
