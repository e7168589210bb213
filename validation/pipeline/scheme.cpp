#include "agpusim/validation/pipeline/scheme.hpp"

#include <stdexcept>
#include <utility>

#include "agpusim/model/agpu/trigonometry.hpp"
#include "agpusim/validation/pipeline/programs.hpp"

namespace agpusim::out_of_core {

Scheme scheme_of(const std::string& task, std::string name, std::string help,
                 std::function<double(const Chunks&, const Settings&)> operations) {
  Scheme scheme;
  scheme.name = std::move(name);
  scheme.help = std::move(help);
  scheme.operations = std::move(operations);
  programs::for_each_program([&](const char* of_task, const char* of_scheme, const auto& program) {
    if (task != of_task || scheme.name != of_scheme) return;
    scheme.plan = program;
    scheme.simulate = program;
  });
  if (!scheme.plan) throw std::logic_error(task + " has no program " + scheme.name);
  return scheme;
}

}  // namespace agpusim::out_of_core
