#include "agpusim/validation/report/machine_rules.hpp"

#include <fmt/format.h>

namespace agpusim {

std::string rules_text(const AgpuSpec& spec) {
  const AgpuSpec usual;
  std::string text;
  if (spec.bank_mode != usual.bank_mode)
    text += fmt::format(" bank-mode={}", to_string(spec.bank_mode));
  if (spec.assignment != usual.assignment)
    text += fmt::format(" assignment={}", to_string(spec.assignment));
  if (spec.next_fit_cap != usual.next_fit_cap) text += fmt::format(" cap={}", spec.next_fit_cap);
  if (spec.skip_empty != usual.skip_empty) text += " no-skip-empty";
  return text.empty() ? text : text.substr(1);
}

}  // namespace agpusim
