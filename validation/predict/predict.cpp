#include "agpusim/validation/predict/predict.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

namespace agpusim {
namespace {

enum Limit { launch, code, issue, shared, bandwidth, atomics, dispatch, latency, limits };
constexpr std::array<const char*, limits> names = {"launch",    "code",    "issue",    "shared",
                                                   "bandwidth", "atomics", "dispatch", "latency"};

struct Part {
  Limit limit;
  double nanoseconds;
};

/// The p-norm of `parts`, each of which becomes its share of it.
template <std::size_t count>
double overlapped(std::array<Part, count>& parts, double p) {
  double longest = 0;
  for (const Part& part : parts) longest = std::max(longest, part.nanoseconds);
  if (longest <= 0) return 0;
  double sum = 0;
  for (Part& part : parts) {
    const double ratio = part.nanoseconds / longest;
    part.nanoseconds = ratio == 1 ? 1 : std::pow(ratio, p);
    sum += part.nanoseconds;
  }
  const double norm = longest * std::pow(sum, 1 / p);
  for (Part& part : parts) part.nanoseconds = norm * part.nanoseconds / sum;
  return norm;
}

}  // namespace

Prediction combine(const std::vector<PhaseTerms>& phases, const FittedConstants& fitted) {
  if (phases.empty()) throw std::invalid_argument("prediction of a program without phases");
  Prediction prediction;
  std::array<double, limits> parts{};
  const auto charge = [&](Limit limit, double nanoseconds) {
    if (nanoseconds <= 0) return;
    parts[limit] += nanoseconds * 1e-6;
    prediction.milliseconds += nanoseconds * 1e-6;
  };
  charge(launch, 1e3 * (fitted.first_launch + fitted.cold_start * phases.front().filled));
  // Presumably the second launch is prepared while the first phase reads what no cache holds.
  double launches = 0;
  for (const PhaseTerms& terms : phases) launches += terms.phases;
  if (launches > 1) {
    charge(launch, 1e3 * (fitted.second_launch + fitted.further_launch * (launches - 2)));
  }
  for (const PhaseTerms& terms : phases) {
    const auto exponent = [&](double resident) {
      return std::max(1.0, fitted.overlap + fitted.overlap_growth * std::log2(resident));
    };
    const double of_others = 1 - 1 / terms.warps;
    const double issue_of_others = 1 - terms.issuing / terms.warps;
    const double fill = std::min(terms.fill, terms.latency);
    charge(code, terms.phases * terms.code);
    charge(latency, terms.phases * fill);
    std::array<Part, 3> core = {{{issue, terms.issue * issue_of_others},
                                 {shared, terms.shared * of_others},
                                 {latency, terms.latency - fill}}};
    const double of_core = overlapped(core, exponent(terms.tasks));
    const Part outside =
        std::max({Part{bandwidth, terms.bandwidth}, Part{atomics, terms.atomics},
                  Part{dispatch, terms.dispatch}},
                 [](const Part& a, const Part& b) { return a.nanoseconds < b.nanoseconds; });
    std::array<Part, 2> all = {{outside, {limits, of_core}}};
    overlapped(all, exponent(terms.warps));
    charge(all[0].limit, terms.phases * all[0].nanoseconds);
    for (const Part& part : core) {
      if (of_core > 0)
        charge(part.limit, terms.phases * part.nanoseconds * all[1].nanoseconds / of_core);
    }
  }
  for (std::size_t i = 0; i < limits; ++i) {
    if (parts[i] > 0) prediction.parts.emplace(names[i], parts[i]);
  }
  prediction.limit =
      std::max_element(prediction.parts.begin(), prediction.parts.end(),
                       [](const auto& a, const auto& b) { return a.second < b.second; })
          ->first;
  return prediction;
}

std::vector<PhaseTerms> merged(const std::vector<PhaseTerms>& phases) {
  std::vector<PhaseTerms> result;
  for (PhaseTerms terms : phases) {
    const double times = std::exchange(terms.phases, 1);
    const auto known = std::find_if(result.begin(), result.end(), [&](PhaseTerms other) {
      other.phases = 1;
      return other == terms;
    });
    if (known != result.end()) {
      known->phases += times;
    } else {
      terms.phases = times;
      result.push_back(terms);
    }
  }
  return result;
}

FittedConstants constants_for(const DeviceFile& device, TimedBy timed_by) {
  FittedConstants fitted = FittedConstants::of(device);
  if (timed_by == TimedBy::kernel && device.has("kernel_start")) {
    fitted.first_launch = fitted.second_launch = fitted.further_launch =
        device.value("kernel_start");
    fitted.cold_start = 0;
  }
  return fitted;
}

Prediction predict(const AgpuSpec& spec, const std::vector<PhaseReport>& phases,
                   const DeviceFile& device, TimedBy timed_by) {
  const FittedConstants fitted = constants_for(device, timed_by);
  return combine(terms_of(spec, phases, device, fitted), fitted);
}

}  // namespace agpusim
