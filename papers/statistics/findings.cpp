#include "agpusim/papers/statistics/findings.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "agpusim/papers/common/findings_json.hpp"

namespace agpusim::statistics_experiment {
namespace {

using agpusim::detail::field;
using agpusim::detail::Json;
using agpusim::detail::JsonError;

/// Microseconds by problem and N.
using Times = std::map<std::pair<std::string, std::int64_t>, double>;

struct Device {
  std::string name;
  std::string machine;  ///< abstract machine of a card of the paper
  Times single;         ///< Ts
  Times parallel;       ///< Tm
};

void add(Times& times, const CrossFit& fit) {
  for (const AccountRow& row : fit.rows) times[{row.problem, row.n}] = row.measured_us;
}

std::vector<Device> devices_of(const Account& account, const Panels& panels) {
  std::vector<Device> devices;
  for (const CardAccount& card : account.cards) {
    Device& device = devices.emplace_back();
    device.name = card.card.name;
    device.machine = card.card.machine;
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

/// What a judge says; nothing where a time is missing.
struct Judged {
  bool holds = false;
  std::string numbers;
  std::string statement = {};  ///< where the paper says another thing of the device
};
using Judge = std::function<std::optional<Judged>(const Device&)>;

using TimesOf = Times Device::*;

TimesOf times_named(const Json& finding, const char* member) {
  const auto name = field<std::string>(finding, member);
  if (name == "Ts") return &Device::single;
  if (name == "Tm") return &Device::parallel;
  throw JsonError(fmt::format("field '{}' is neither Ts nor Tm", member));
}

/// From one N to another the times grow nearer to `factor` times than to `other_factor` times; on
/// the machines of `but` they do not.
Judge grows_like(const Json& finding) {
  std::map<std::string, std::string> but;
  for (const auto& item : agpusim::detail::member(finding, "but").items()) {
    but[item.key()] = field<std::string>(finding.at("but"), item.key());
  }
  return [but, times = times_named(finding, "times"), from = field<std::int64_t>(finding, "from"),
          to = field<std::int64_t>(finding, "to"), like = field<std::string>(finding, "like"),
          factor = field<double>(finding, "factor"), than = field<std::string>(finding, "than"),
          other_factor = field<double>(finding, "other_factor")](
             const Device& device) -> std::optional<Judged> {
    bool near = true;
    std::vector<std::string> numbers;
    for (const char* const problem : paper_problems) {
      const auto growth = ratio(device.*times, device.*times, problem, to, from);
      if (!growth) return std::nullopt;
      near = near && *growth * *growth < factor * other_factor;
      numbers.push_back(fmt::format("{} {:.2f} times", problem, *growth));
    }
    const auto other = but.find(device.machine);
    return Judged{near == (other == but.end()),
                  fmt::format("{} from N = {}, nearer to {} ({} times)", fmt::join(numbers, ", "),
                              from, near ? like : than, near ? factor : other_factor),
                  other == but.end() ? "" : other->second};
  };
}

/// The times `above` over those `below` are less at one N than at another.
Judge ratio_falls(const Json& finding) {
  return [above = times_named(finding, "above"), below = times_named(finding, "below"),
          from = field<std::int64_t>(finding, "from"),
          to = field<std::int64_t>(finding, "to")](const Device& device) -> std::optional<Judged> {
    bool falls = true;
    std::vector<std::string> numbers;
    for (const char* const problem : paper_problems) {
      const auto before = ratio(device.*above, device.*below, problem, from, from);
      const auto after = ratio(device.*above, device.*below, problem, to, to);
      if (!before || !after) return std::nullopt;
      falls = falls && *after < *before;
      numbers.push_back(fmt::format("{} {:.2f}, then {:.2f}", problem, *before, *after));
    }
    return Judged{falls, fmt::format("{}", fmt::join(numbers, "; "))};
  };
}

}  // namespace

std::vector<Finding> findings_of(const Account& account, const Panels& panels) {
  static const auto stated = agpusim::detail::load_findings<Judge>(
      agpusim::detail::findings_file("statistics"),
      {{"grows_like",
        {{"but", "times", "from", "to", "like", "factor", "than", "other_factor"}, grows_like}},
       {"ratio_falls", {{"above", "below", "from", "to"}, ratio_falls}}});
  const std::vector<Device> devices = devices_of(account, panels);
  std::vector<Finding> findings;
  for (const auto& [section, statement, judge] : stated) {
    for (const Device& device : devices) {
      const std::optional<Judged> judged = judge(device);
      if (!judged) continue;
      findings.push_back({section, judged->statement.empty() ? statement : judged->statement,
                          device.name, judged->holds, judged->numbers});
    }
  }
  return findings;
}

}  // namespace agpusim::statistics_experiment
