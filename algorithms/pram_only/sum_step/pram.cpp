#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "agpusim/algorithms/common/checksum.hpp"
#include "agpusim/algorithms/common/pram/bounds.hpp"
#include "agpusim/algorithms/common/pram/forms.hpp"
#include "agpusim/algorithms/common/pram/row.hpp"
#include "agpusim/algorithms/common/pram/words.hpp"
#include "agpusim/algorithms/registry.hpp"

// A step of a Sum-CRCW PRAM in which processor i adds x[n+i] to cell x[i] of n cells, which are 0.
namespace agpusim {
namespace {

using Numbers = std::vector<std::int64_t>;

/// uniform (addresses drawn), one_cell, distinct (n-1, n-2, ..., 0); values -9..9.
Numbers generate_writes(const RunConfig& config) {
  const auto n = static_cast<std::size_t>(config.n);
  Numbers x(2 * n);
  for (std::size_t i = 0; i < n; ++i) {
    x[i] = config.input == "uniform"    ? static_cast<std::int64_t>(random_bits(config.seed, i) % n)
           : config.input == "one_cell" ? config.n / 2
                                        : config.n - 1 - static_cast<std::int64_t>(i);
    x[n + i] = static_cast<std::int64_t>(random_bits(config.seed + 1, i) % 19) - 9;
  }
  return x;
}

Numbers reference(const Numbers& x) {
  const std::size_t n = x.size() / 2;
  Numbers y(n, 0);
  for (std::size_t i = 0; i < n; ++i) y[static_cast<std::size_t>(x[i])] += x[n + i];
  return y;
}

/// Processors of the simulation: a power of two, which Batcher's network sorts.
std::int64_t lanes_of(std::int64_t n) {
  return static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(n)));
}

/// Sorts the writes by address with Batcher's bitonic network, adds up those of one address by
/// doubling, and lets the last of each address write. No cell is accessed by two processors.
class Simulation {
 public:
  Simulation(Pram& pram, const PramArray& x, const PramArray& y)
      : pram_(pram),
        x_(x),
        y_(y),
        n_(y.size()),
        lanes_(lanes_of(n_)),
        addresses_(pram.array(lanes_, "addresses")),
        values_(pram.array(lanes_, "values")),
        address_(static_cast<std::size_t>(lanes_)),
        value_(address_.size()) {}

  void run() {
    load();
    for (std::int64_t size = 2; size <= lanes_; size *= 2) {
      for (std::int64_t stride = size / 2; stride > 0; stride /= 2) exchange(size, stride);
    }
    for (std::int64_t distance = 1; distance < lanes_; distance *= 2) add_from(distance);
    store();
  }

 private:
  static std::size_t self(const PramProcessor& p) { return static_cast<std::size_t>(p.id()); }

  /// Processors without a write get an address behind all others.
  void load() {
    pram_.step("load addresses", lanes_, [&](PramProcessor& p) {
      address_[self(p)] = p.id() < n_ ? p.read(x_, p.id()) : n_;
      p.write(addresses_, p.id(), address_[self(p)]);
    });
    pram_.step("load values", lanes_, [&](PramProcessor& p) {
      value_[self(p)] = p.id() < n_ ? p.read(x_, n_ + p.id()) : 0;
      p.write(values_, p.id(), value_[self(p)]);
    });
  }

  /// Every processor reads its partner and keeps the smaller or the larger address.
  void exchange(std::int64_t size, std::int64_t stride) {
    pram_.step("exchange addresses", lanes_, [&](PramProcessor& p) {
      const std::int64_t partner = p.id() ^ stride;
      const std::int64_t address = p.read(addresses_, partner);
      const std::int64_t value = p.read(values_, partner);
      const bool keeps_smaller = (p.id() < partner) == ((p.id() & size) == 0);
      if (keeps_smaller ? address < address_[self(p)] : address > address_[self(p)]) {
        address_[self(p)] = address;
        value_[self(p)] = value;
      }
      p.write(addresses_, p.id(), address_[self(p)]);
    });
    pram_.step("exchange values", lanes_,
               [&](PramProcessor& p) { p.write(values_, p.id(), value_[self(p)]); });
  }

  void add_from(std::int64_t distance) {
    pram_.step("add within an address", lanes_, [&](PramProcessor& p) {
      if (p.id() < distance) return;
      const std::int64_t address = p.read(addresses_, p.id() - distance);
      const std::int64_t value = p.read(values_, p.id() - distance);
      if (address == address_[self(p)]) value_[self(p)] = add_words(value_[self(p)], value);
      p.write(values_, p.id(), value_[self(p)]);
    });
  }

  void store() {
    pram_.step("write the sums", lanes_, [&](PramProcessor& p) {
      const bool last = p.id() == lanes_ - 1;
      const std::int64_t next = last ? -1 : p.read(addresses_, p.id() + 1);
      p.compute();
      if (address_[self(p)] < n_ && next != address_[self(p)]) {
        p.write(y_, address_[self(p)], value_[self(p)]);
      }
    });
  }

  Pram& pram_;
  PramArray x_;
  PramArray y_;
  std::int64_t n_;
  std::int64_t lanes_;
  PramArray addresses_;
  PramArray values_;
  Numbers address_;  // registers
  Numbers value_;
};

Numbers program(const RunConfig& config, Pram& pram, const PramArray& x) {
  if (config.n == 0) return {};
  const Numbers zeros(static_cast<std::size_t>(config.n), 0);
  const PramArray y = pram.array(zeros, "y");
  if (config.variant == "sum_crcw") {
    pram.step("write all", config.n, [&](PramProcessor& p) {
      p.write(y, p.read(x, p.id()), p.read(x, config.n + p.id()));
    });
  } else {
    Simulation(pram, x, y).run();
  }
  return pram.values(y);
}

PramForm closed_form(const RunConfig& config) {
  if (config.variant == "sum_crcw" || config.n == 0) return step_form(config.n);
  const std::int64_t lanes = lanes_of(config.n);
  const std::int64_t rounds = floor_lg(lanes);
  const std::int64_t full = 3 + rounds * (rounds + 1);  // steps of all processors
  return {full + rounds, lanes, full * lanes + rounds * lanes - (lanes - 1)};
}

}  // namespace

void register_pram_sum_step(Registry& registry) {
  PramSide row;
  row.summary = "n concurrent writes that a Sum-CRCW PRAM adds up in one step";
  row.variants = {
      pram_variant(
          "sum_crcw", "the step itself",
          growth::of_n("1 step, n processors", growth::one, growth::linear, growth::linear),
          "theory 2.3", {PramAccess::sum}),
      pram_variant("sorted",
                   "the writes are sorted by address and added up, by N = 2^r >= n processors",
                   growth::of_n("r^2 + 2r + 3 steps, N processors, work O(n log^2 n)",
                                growth::log_square, growth::linear, growth::m_log_square),
                   "theory 2.2; Batcher 1968", machines_of_erew())};
  row.inputs = {"uniform", "one_cell", "distinct"};
  row.check = [](const RunConfig& config) {
    refuse_count_reading(config);
    refuse_given_values(config, "it makes its writes itself, for example --input one_cell");
  };
  row.run = [](const RunConfig& config, const PramOptions& options) {
    return run_pram(
        config, options, 2 * config.n, generate_writes,
        [&](Pram& pram, const PramArray& x) { return program(config, pram, x); }, reference);
  };
  row.closed_form = closed_form;
  registry.add("sum_step", std::move(row));
}

}  // namespace agpusim
