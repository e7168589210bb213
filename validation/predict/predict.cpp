#include "agpusim/validation/predict/predict.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>
#include <utility>

namespace agpusim {
namespace {

struct Part {
  const char* limit;
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

Prediction combine(const std::vector<PhaseTerms>& phases, const DeviceFile& device,
                   const FittedConstants& fitted) {
  if (phases.empty()) throw std::invalid_argument("prediction of a program without phases");
  Prediction prediction;
  const auto charge = [&](const std::string& limit, double nanoseconds) {
    if (nanoseconds <= 0) return;
    prediction.parts[limit] += nanoseconds * 1e-6;
    prediction.milliseconds += nanoseconds * 1e-6;
  };
  const double filled = std::min(1.0, phases.front().ctas / device.value("multiprocessors"));
  charge("launch", 1e3 * (fitted.first_launch + fitted.cold_start * filled +
                          fitted.further_launch * static_cast<double>(phases.size() - 1)));
  for (const PhaseTerms& terms : phases) {
    const auto exponent = [&](double resident) {
      return std::max(1.0, fitted.overlap + fitted.overlap_growth * std::log2(resident));
    };
    const double of_others = 1 - 1 / terms.warps;
    const double issue_of_others = 1 - std::min(schedulers, terms.warps) / terms.warps;
    std::array<Part, 3> core = {{{"issue", terms.issue * issue_of_others},
                                 {"shared", terms.shared * of_others},
                                 {"latency", terms.latency}}};
    const double of_core = overlapped(core, exponent(terms.tasks));
    const bool atomics = terms.atomics > terms.bandwidth;
    std::array<Part, 2> all = {
        {{"core", of_core},
         {atomics ? "atomics" : "bandwidth", std::max(terms.atomics, terms.bandwidth)}}};
    overlapped(all, exponent(terms.warps));
    charge(all[1].limit, all[1].nanoseconds);
    for (const Part& part : core) {
      if (of_core > 0) charge(part.limit, part.nanoseconds * all[0].nanoseconds / of_core);
    }
  }
  prediction.limit =
      std::max_element(prediction.parts.begin(), prediction.parts.end(),
                       [](const auto& a, const auto& b) { return a.second < b.second; })
          ->first;
  return prediction;
}

Prediction predict(const AgpuSpec& spec, const std::vector<PhaseReport>& phases,
                   const DeviceFile& device) {
  const FittedConstants fitted = FittedConstants::of(device);
  return combine(terms_of(spec, phases, device, fitted), device, fitted);
}

}  // namespace agpusim
