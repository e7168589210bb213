#include "agpusim/commands/sweep/terms.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>

namespace agpusim::sweep {
namespace {

/// A factor of terms and the symbols that it needs.
struct Factor {
  std::string text;
  std::vector<std::string> needs;
  Growth growth;
  int complexity = 0;
  std::function<double(const Symbols&)> value;
  bool on_pram = false;  ///< only where there is no machine of p cores
};

double lg(double x) { return std::log2(std::max(x, 1.0)); }

/// A logarithm that is rounded up to whole rounds: what rounding errors add is none.
double rounds(double x) { return std::ceil(x - 1e-9); }

/// log_base x for bases of at least 2.
double log_of(double base, double x) { return lg(x) / lg(std::max(base, 2.0)); }

double log_star(double n) {
  double steps = 0;
  for (double x = n; x > 1; x = std::log2(x)) ++steps;
  return steps;
}

/// Quantities that the rest is a multiple of.
const std::vector<Factor>& sizes() {
  const auto n = [](const Symbols& s) { return s.at("n"); };
  const auto ratio = [](double power, const std::string& below) {
    return [power, below](const Symbols& s) { return std::pow(s.at("n"), power) / s.at(below); };
  };
  const auto quotient = [](const std::string& above, const std::string& below) {
    return [above, below](const Symbols& s) { return s.at(above) / s.at(below); };
  };
  const auto power = [](double exponent) {
    return [exponent](const Symbols& s) { return std::pow(s.at("n"), exponent); };
  };
  static const std::vector<Factor> all = {
      {"1", {}, {0}, 0, [](const Symbols&) { return 1.0; }},
      {"k", {"k"}, {0}, 2, [](const Symbols& s) { return s.at("k"); }},
      {"k/b", {"k", "b"}, {0}, 3, quotient("k", "b")},
      {"V/b", {"V", "b"}, {0}, 3, quotient("V", "b")},
      {"tasks", {"tasks"}, {0}, 3, [](const Symbols& s) { return s.at("tasks"); }},
      {"range/p", {"range", "p"}, {0}, 4, quotient("range", "p")},
      {"range/b", {"range", "b"}, {0}, 4, quotient("range", "b")},
      {"k range/b",
       {"range", "b", "k"},
       {0},
       5,
       [](const Symbols& s) { return s.at("k") * s.at("range") / s.at("b"); }},
      {"sqrt(n)", {}, {0.5}, 2, power(0.5)},
      {"n", {}, {1}, 1, n},
      {"n/log* n",
       {},
       {1, 0, -0.1},
       4,
       [](const Symbols& s) { return s.at("n") / std::max(1.0, log_star(s.at("n"))); },
       true},
      {"n/p", {"p"}, {1}, 1, ratio(1, "p")},
      {"n/b", {"b"}, {1}, 1, ratio(1, "b")},
      {"n/k", {"k"}, {1}, 2, ratio(1, "k")},
      {"n/V", {"V"}, {1}, 3, ratio(1, "V")},
      {"n^(3/2)", {}, {1.5}, 3, power(1.5)},
      {"n^(3/2)/p", {"p"}, {1.5}, 3, ratio(1.5, "p")},
      {"n^(3/2)/(b sqrt(M))",
       {"b", "M"},
       {1.5},
       4,
       [](const Symbols& s) {
         return std::pow(s.at("n"), 1.5) / (s.at("b") * std::sqrt(s.at("M")));
       }},
      {"n^2", {}, {2}, 2, power(2)},
      {"n^2/p", {"p"}, {2}, 2, ratio(2, "p")},
      {"n^2/b", {"b"}, {2}, 2, ratio(2, "b")},
      {"n^2/b^2",
       {"b"},
       {2},
       3,
       [](const Symbols& s) { return s.at("n") * s.at("n") / (s.at("b") * s.at("b")); }},
      {"n^2/(bV)",
       {"b", "V"},
       {2},
       4,
       [](const Symbols& s) { return s.at("n") * s.at("n") / (s.at("b") * s.at("V")); }},
      {"n^3", {}, {3}, 3, power(3)},
      {"n^3/p", {"p"}, {3}, 3, ratio(3, "p")},
  };
  return all;
}

/// Factors of a size: logarithms and what sorting makes of them.
const std::vector<Factor>& logarithms() {
  static const std::vector<Factor> all = {
      {"", {}, {0, 0}, 0, [](const Symbols&) { return 1.0; }},
      {"lg lg n", {}, {0, 0, 1}, 3, [](const Symbols& s) { return lg(lg(s.at("n"))); }, true},
      {"log* n", {}, {0, 0, 0.1}, 3, [](const Symbols& s) { return log_star(s.at("n")); }, true},
      {"lg n", {}, {0, 1}, 1, [](const Symbols& s) { return lg(s.at("n")); }},
      {"lg^2 n", {}, {0, 2}, 2, [](const Symbols& s) { return std::pow(lg(s.at("n")), 2); }},
      {"lg b", {"b"}, {0, 0}, 2, [](const Symbols& s) { return lg(s.at("b")); }},
      {"lg^2 b", {"b"}, {0, 0}, 3, [](const Symbols& s) { return std::pow(lg(s.at("b")), 2); }},
      {"lg V", {"V"}, {0, 0}, 3, [](const Symbols& s) { return lg(s.at("V")); }},
      {"lg(n/b)", {"b"}, {0, 1}, 2, [](const Symbols& s) { return lg(s.at("n") / s.at("b")); }},
      {"lg b lg n",
       {"b"},
       {0, 1},
       3,
       [](const Symbols& s) { return lg(s.at("b")) * lg(s.at("n")); }},
      {"lg b lg(n/b)",
       {"b"},
       {0, 1},
       4,
       [](const Symbols& s) { return lg(s.at("b")) * lg(s.at("n") / s.at("b")); }},
      {"lg(n/M)", {"M"}, {0, 1}, 4, [](const Symbols& s) { return lg(s.at("n") / s.at("M")); }},
      {"lg^2(n/M)",
       {"M"},
       {0, 2},
       5,
       [](const Symbols& s) { return std::pow(lg(s.at("n") / s.at("M")), 2); }},
      {"lg^2(n/M)/lg(M/b)",
       {"M", "b"},
       {0, 2},
       6,
       [](const Symbols& s) {
         return std::pow(lg(s.at("n") / s.at("M")), 2) / lg(std::max(2.0, s.at("M") / s.at("b")));
       }},
      {"log_{M/b}(n/b)",
       {"M", "b"},
       {0, 1},
       4,
       [](const Symbols& s) { return log_of(s.at("M") / s.at("b"), s.at("n") / s.at("b")); }},
      {"ceil(log_{M/b}(n/b))",
       {"M", "b"},
       {0, 1},
       5,
       [](const Symbols& s) {
         return rounds(log_of(s.at("M") / s.at("b"), s.at("n") / s.at("b")));
       }},
      {"ceil(log_{M/b}(n/M))",
       {"M", "b"},
       {0, 1},
       5,
       [](const Symbols& s) {
         return rounds(log_of(s.at("M") / s.at("b"), s.at("n") / s.at("M")));
       }},
      {"lg(n/tile)",
       {"tile"},
       {0, 1},
       5,
       [](const Symbols& s) { return lg(s.at("n") / s.at("tile")); }},
      {"lg^2(n/tile)",
       {"tile"},
       {0, 2},
       6,
       [](const Symbols& s) { return std::pow(lg(s.at("n") / s.at("tile")), 2); }},
      {"lg^2 tile",
       {"tile"},
       {0, 0},
       5,
       [](const Symbols& s) { return std::pow(lg(s.at("tile")), 2); }},
      {"ceil(lg(n/tile))",
       {"tile"},
       {0, 1},
       6,
       [](const Symbols& s) { return rounds(lg(s.at("n") / s.at("tile"))); }},
      {"ceil(log_d(n/tile))",
       {"tile", "d"},
       {0, 1},
       6,
       [](const Symbols& s) { return rounds(log_of(s.at("d"), s.at("n") / s.at("tile"))); }},
  };
  return all;
}

/// Elements in whole groups, and the rounds in which k multiprocessors take them: a group has b or
/// V elements or as many as a parameter says.
std::vector<Factor> staircases(const Symbols& symbols) {
  static const std::set<std::string> no_groups = {"n", "p", "k", "M", "w"};
  std::vector<Factor> all;
  for (const auto& [name, size] : symbols) {
    if (no_groups.contains(name) || size < 2) continue;
    const auto groups = [name = name](const Symbols& s) {
      return name == "tasks" ? s.at(name) : std::ceil(s.at("n") / s.at(name));
    };
    const std::string text = name == "tasks" ? name : "n/" + name;
    if (name != "tasks") all.push_back({fmt::format("ceil({})", text), {}, {1}, 3, groups});
    const std::string below = name == "tasks" ? "tasks/k" : fmt::format("n/({} k)", name);
    all.push_back({fmt::format("ceil({})", below), {"k"}, {1}, 4, [groups](const Symbols& s) {
                     return std::ceil(groups(s) / s.at("k"));
                   }});
  }
  return all;
}

bool is_there(const Factor& factor, const Symbols& symbols) {
  if (factor.on_pram && symbols.contains("p")) return false;
  return std::all_of(factor.needs.begin(), factor.needs.end(),
                     [&](const std::string& name) { return symbols.contains(name); });
}

std::string text_of(const Factor& size, const Factor& log) {
  if (log.text.empty()) return size.text;
  if (size.text == "1") return log.text;
  const bool product = size.text.find_first_of("/ ") != std::string::npos;
  return product ? fmt::format("({}) {}", size.text, log.text) : size.text + " " + log.text;
}

}  // namespace

std::vector<Term> terms_of(const Symbols& symbols, const std::string& unit) {
  std::vector<Term> terms;
  std::vector<Factor> all = staircases(symbols);
  all.insert(all.begin(), sizes().begin(), sizes().end());
  for (const Factor& size : all) {
    if (!is_there(size, symbols)) continue;
    // What is no multiple of n, n/p or n/b takes no further factor.
    const bool base = size.text == "1" || (size.growth.power == 1 && size.complexity == 1);
    for (const Factor& log : logarithms()) {
      if (!is_there(log, symbols) || !(base || log.text.empty())) continue;
      terms.push_back(
          {text_of(size, log),
           {size.growth.power, log.growth.logs, log.growth.log_logs},
           2 * (size.complexity + log.complexity) - (size.text == unit ? 1 : 0),
           [size = size.value, log = log.value](const Symbols& s) { return size(s) * log(s); }});
    }
  }
  std::stable_sort(terms.begin(), terms.end(),
                   [](const Term& a, const Term& b) { return a.complexity < b.complexity; });
  return terms;
}

}  // namespace agpusim::sweep
