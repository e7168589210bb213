#include "agpusim/validation/experiments/statistics/findings.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace agpusim::statistics_experiment {
namespace {

constexpr const char* paper_problems[] = {"minmax", "statistics"};

/// Microseconds by problem and N.
using Times = std::map<std::pair<std::string, std::int64_t>, double>;

struct Device {
  std::string name;
  bool straight = true;  ///< whether the paper calls its Tm straight over log N
  Times single;          ///< Ts
  Times parallel;        ///< Tm
};

void add(Times& times, const CrossFit& fit) {
  for (const AccountRow& row : fit.rows) times[{row.problem, row.n}] = row.measured_us;
}

std::vector<Device> devices_of(const Account& account, const Panels& panels) {
  std::vector<Device> devices;
  for (const CardAccount& card : account.cards) {
    Device& device = devices.emplace_back();
    device.name = card.card.name;
    device.straight = card.card.machine != "9400gt";
    add(device.parallel, card.lg);
    add(device.single, card.single_by_n);
  }
  Device& measured = devices.emplace_back();
  measured.name = panels.environment.device;
  for (const PanelResult& panel : panels.panels) {
    if (panel.panel.type != "i32") continue;  // the numbers of the paper
    const std::string problem = panel.panel.name.substr(0, panel.panel.name.find('-'));
    for (const PanelRow& row : panel.rows) {
      for (const PanelEntry& entry : row.entries) {
        if (!entry.measured) continue;
        const double us = entry.measured->ms * 1e3;
        if (entry.contestant.variant == "one_lane") measured.single[{problem, row.n}] = us;
        if (entry.contestant.variant == "copy") measured.parallel[{problem, row.n}] = us;
      }
    }
  }
  return devices;
}

/// Nothing where a time is missing.
std::optional<double> ratio(const Times& above, const Times& below, const std::string& problem,
                            std::int64_t n_above, std::int64_t n_below) {
  const auto a = above.find({problem, n_above});
  const auto b = below.find({problem, n_below});
  if (a == above.end() || b == below.end()) return std::nullopt;
  return a->second / b->second;
}

/// Tm from N = 100 to 1,000, where log N grows 1.5 and N 10 times: nearer to which of them?
std::optional<Finding> straight_over_log(const Device& device) {
  constexpr double log_growth = 1.5;
  constexpr double linear_growth = 10;
  bool near_log = true;
  std::vector<std::string> numbers;
  for (const char* const problem : paper_problems) {
    const auto growth = ratio(device.parallel, device.parallel, problem, 1'000, 100);
    if (!growth) return std::nullopt;
    near_log = near_log && *growth * *growth < log_growth * linear_growth;
    numbers.push_back(fmt::format("{} {:.2f} times", problem, *growth));
  }
  return Finding{
      "4.2, 4.3",
      fmt::format("to N = 1,000 Tm is {}straight over log N", device.straight ? "" : "not "),
      device.name, near_log == device.straight,
      fmt::format("{} from N = 100, nearer to {}", fmt::join(numbers, ", "),
                  near_log ? "log N (1.5 times)" : "N (10 times)")};
}

/// The speed-up at N = 10^5 and at 10^6.
std::optional<Finding> speed_up_falls(const Device& device) {
  bool falls = true;
  std::vector<std::string> numbers;
  for (const char* const problem : paper_problems) {
    const auto before = ratio(device.single, device.parallel, problem, 100'000, 100'000);
    const auto after = ratio(device.single, device.parallel, problem, 1'000'000, 1'000'000);
    if (!before || !after) return std::nullopt;
    falls = falls && *after < *before;
    numbers.push_back(fmt::format("{} {:.2f}, then {:.2f}", problem, *before, *after));
  }
  return Finding{"4.2, 4.3", "from N = 10^5 to 10^6 Ts/Tm falls, since cores are finite",
                 device.name, falls, fmt::format("{}", fmt::join(numbers, "; "))};
}

}  // namespace

std::vector<Finding> findings_of(const Account& account, const Panels& panels) {
  const std::vector<Device> devices = devices_of(account, panels);
  std::vector<Finding> findings;
  for (const auto judge : {straight_over_log, speed_up_falls}) {
    for (const Device& device : devices) {
      if (auto finding = judge(device)) findings.push_back(*std::move(finding));
    }
  }
  return findings;
}

}  // namespace agpusim::statistics_experiment
