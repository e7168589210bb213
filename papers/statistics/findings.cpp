#include <cstdint>
#include <map>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "agpusim/papers/common/paper_json.hpp"
#include "agpusim/papers/statistics/experiment.hpp"

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

Times times_of(const CrossFit& fit) {
  Times times;
  for (const AccountRow& row : fit.rows) times[{row.problem, row.n}] = row.measured_us;
  return times;
}

std::vector<Device> devices_of(const Account& account, const contest::Contest& panels) {
  std::vector<Device> devices;
  for (const CardAccount& card : account.cards) {
    devices.push_back(
        {card.card.name, card.card.machine, times_of(card.single_by_n), times_of(card.lg)});
  }
  Device& measured = devices.emplace_back();
  measured.name = panels.environment.device;
  for (const auto& [event, run] : contest::lines_of(panels.events)) {
    if (event->panel.type != "i32" || !run->measured) continue;  // the numbers of the paper
    const std::string problem = event->panel.name.substr(0, event->panel.name.find('-'));
    const double us = run->measured->ms * 1e3;
    if (run->contestant.variant == "one_lane") measured.single[{problem, event->n}] = us;
    if (run->contestant.variant == "copy") measured.parallel[{problem, event->n}] = us;
  }
  return devices;
}

const Times& times_named(const Json& finding, const char* member, const Device& device) {
  const auto name = field<std::string>(finding, member);
  if (name == "Ts") return device.single;
  if (name == "Tm") return device.parallel;
  throw JsonError(fmt::format("field '{}' is neither Ts nor Tm", member));
}

/// Nothing where a time is missing.
std::optional<double> ratio(const Times& above, const Times& below, const std::string& problem,
                            std::int64_t n_above, std::int64_t n_below) {
  const auto a = above.find({problem, n_above});
  const auto b = below.find({problem, n_below});
  if (a == above.end() || b == below.end()) return std::nullopt;
  return a->second / b->second;
}

/// What a finding says of a device, which may differ from its statement; false: a time is missing.
using Judge = bool (*)(const Json& finding, const Device& device, Finding& judged);

/// From one N to another the times grow nearer to `factor` times than to `other_factor` times; on
/// the machines of `but` they do not.
bool grows_like(const Json& finding, const Device& device, Finding& judged) {
  const Times& times = times_named(finding, "times", device);
  const auto from = field<std::int64_t>(finding, "from");
  const auto to = field<std::int64_t>(finding, "to");
  const auto factor = field<double>(finding, "factor");
  const auto other_factor = field<double>(finding, "other_factor");
  bool near = true;
  std::vector<std::string> numbers;
  for (const char* const problem : paper_problems) {
    const auto growth = ratio(times, times, problem, to, from);
    if (!growth) return false;
    near = near && *growth * *growth < factor * other_factor;
    numbers.push_back(fmt::format("{} {:.2f} times", problem, *growth));
  }
  const Json& but = agpusim::detail::member(finding, "but");
  const bool is_other = but.contains(device.machine);
  if (is_other) judged.statement = field<std::string>(but, device.machine);
  judged.holds = near != is_other;
  judged.numbers = fmt::format("{} from N = {}, nearer to {} ({} times)", fmt::join(numbers, ", "),
                               from, field<std::string>(finding, near ? "like" : "than"),
                               near ? factor : other_factor);
  return true;
}

/// The times `above` over those `below` fall with every tenfold N, on the machines of `from_of`
/// from another N on.
bool ratio_falls(const Json& finding, const Device& device, Finding& judged) {
  const Times& above = times_named(finding, "above", device);
  const Times& below = times_named(finding, "below", device);
  const Json& from_of = agpusim::detail::member(finding, "from_of");
  const bool is_other = from_of.contains(device.machine);
  const auto from =
      field<std::int64_t>(is_other ? from_of : finding, is_other ? device.machine : "from");
  const auto to = field<std::int64_t>(finding, "to");
  judged.holds = true;
  std::vector<std::string> numbers;
  for (const char* const problem : paper_problems) {
    std::vector<double> ratios;
    for (std::int64_t n = from; n <= to; n *= 10) {
      const auto at = ratio(above, below, problem, n, n);
      if (!at) return false;
      judged.holds = judged.holds && (ratios.empty() || *at < ratios.back());
      ratios.push_back(*at);
    }
    numbers.push_back(fmt::format("{} {:.2f}", problem, fmt::join(ratios, ", ")));
  }
  judged.numbers =
      fmt::format("from N = {}: {}", detail::integer_text(from), fmt::join(numbers, "; "));
  return true;
}

}  // namespace

std::vector<Finding> findings_of(const Account& account, const contest::Contest& panels) {
  static const std::map<std::string, agpusim::detail::JudgeKind<Judge>> kinds = {
      {"grows_like",
       {{"but", "times", "from", "to", "like", "factor", "than", "other_factor"}, grows_like}},
      {"ratio_falls", {{"above", "below", "from", "from_of", "to"}, ratio_falls}}};
  const std::vector<Device> devices = devices_of(account, panels);
  std::vector<Finding> findings;
  agpusim::detail::for_each_finding(agpusim::paper_file("statistics/findings.json"), kinds,
                                    [&](const Json& finding, Judge judge) {
                                      for (const Device& device : devices) {
                                        Finding judged{field<std::string>(finding, "section"),
                                                       field<std::string>(finding, "statement"),
                                                       device.name, false, ""};
                                        if (judge(finding, device, judged))
                                          findings.push_back(std::move(judged));
                                      }
                                    });
  return findings;
}

}  // namespace agpusim::statistics_experiment
