#include "agpusim/algorithms/merge_sort/bounds.hpp"

#include "agpusim/algorithms/common/symbols.hpp"
#include "agpusim/algorithms/merge_sort/pivots_shape.hpp"

namespace agpusim::multiway_merge_sort {
namespace {

/// lg d, rounded up; a row without the parameter merges two runs.
double levels(const Symbols& s) {
  const auto d = s.config.parameters.find("d");
  return d == s.config.parameters.end() ? 1 : std::ceil(lg(static_cast<double>(d->second)));
}

double merges(const Symbols& s) { return std::max(0.0, std::ceil(std::log2(s.n / s["tile"]))); }

double rounds(const Symbols& s) { return std::ceil(merges(s) / levels(s)); }

/// Time of a merge of two buffers, per row of b keys. What does not depend on their length
/// costs as much as a few stages of the network.
double merge_time(const Symbols& s) { return 4 + lg(s["rows"] * s.width); }

/// T of an even distribution over the multiprocessors.
double even_time(const Symbols& s) {
  const double base = lg(s["tile"]) * (lg(s["tile"]) + 1) / 2;
  return s.n / s.p * (base + merge_time(s) * merges(s));
}

/// Blocks that the search for the cuts of a region reads in a round.
double cut_blocks(const Symbols& s) { return std::exp2(levels(s)) * lg(s["region"]); }

double regions(const Symbols& s) { return s.n / s["region"]; }

/// The runs that are cut at pivots and the regions that these make; one of each where none is cut.
Distribution cut_of(const Symbols& s) {
  const auto distribution = distribution_of(s.config);
  return distribution ? *distribution : Distribution{s.config.n, 0, 1, 0, 0, 0};
}
double pieces(const Distribution& cut) { return double(cut.regions()) * cut.runs; }

double io(const Symbols& s) { return 2 * s.n / s.b * (1 + rounds(s)); }

}  // namespace

Bound time_of_groups() {
  return {"Theta((n/p)(log^2 S + log(rV) log(n/S)) + (n/b) log(rV) log d)",
          [](const Symbols& s) { return even_time(s) + s.n / s.b * merge_time(s) * levels(s); }};
}

Bound io_of_groups() { return {"(2n/b)(1 + ceil(log_d(n/S)))", io}; }

Bound time_of_regions() {
  return {
      "Theta((n/p)(log^2 S + log(rV) log(n/S)) + log_d(n/S) (n/g) d log(g) / k)",
      [](const Symbols& s) { return even_time(s) + rounds(s) * regions(s) * cut_blocks(s) / s.k; }};
}

Bound io_of_regions() {
  return {"(2n/b)(1 + ceil(log_d(n/S))) + O(log_d(n/S) (n/g) d log(g))",
          [](const Symbols& s) { return io(s) + rounds(s) * regions(s) * cut_blocks(s); }};
}

Bound time_of_pivots() {
  return {
      "Theta((n/p)(log^2 S + log(rV) log(n/S)) + log(rV) log d (n/(bl) + ul/k + u/b)), u = l "
      "pivots + 1 under --assignment list",
      [](const Symbols& s) {
        const Distribution cut = cut_of(s);
        // A piece has two ends, each a fetch of few keys.
        constexpr double ends = 2;
        const double distribution =
            s.n / (s.b * cut.runs) + ends * pieces(cut) / s.k + cut.regions() / s.b;
        return even_time(s) + merge_time(s) * levels(s) * distribution;
      }};
}

Bound io_of_pivots() {
  return {"(2n/b)(1 + ceil(log_d(n/(Sl))) + ceil(log_d l)) + n/b + O(ul), u = l pivots + 1",
          [](const Symbols& s) {
            const Distribution cut = cut_of(s);
            const auto half = [&](double runs) {
              return std::ceil(std::max(0.0, std::ceil(std::log2(runs))) / levels(s));
            };
            // Two cuts of a piece are read, and two blocks at its ends that it shares.
            constexpr double blocks = 4;
            const double rounds = half(s.n / s["tile"] / cut.runs) + half(cut.runs);
            return s.n / s.b * (2 * (1 + rounds) + (cut.runs > 1 ? 1 : 0)) + blocks * pieces(cut);
          }};
}

}  // namespace agpusim::multiway_merge_sort
