#include "agpusim/algorithms/common/pram/forms.hpp"

#include <algorithm>

namespace agpusim {

PramForm step_form(std::int64_t processors) { return step_form(processors, processors); }

PramForm step_form(std::int64_t processors, std::int64_t active) {
  return processors == 0 ? PramForm{} : PramForm{1, processors, active};
}

PramForm sequence_form(std::initializer_list<PramForm> parts) {
  PramForm form;
  for (const PramForm& part : parts) append_form(form, part);
  return form;
}

void append_form(PramForm& form, const PramForm& next) {
  form.steps += next.steps;
  form.processors = std::max(form.processors, next.processors);
  form.work += next.work;
}

}  // namespace agpusim
