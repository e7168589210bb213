#include "agpusim/ptx/lower/program.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "agpusim/ptx/lower/operands.hpp"

namespace agpusim::ptx {

CalledLine Program::where(std::uint32_t statement) const {
  const Source& source = sources[statement];
  if (source.site == 0) return {{module->name(), source.line}};
  return sites.line(*module, source.site);
}

std::shared_ptr<const Program> Program::compile(std::shared_ptr<const Module> module,
                                                std::string_view kernel) {
  const Function* const function = module->function(kernel);
  if (function == nullptr || !function->is_kernel) {
    throw UsageError(fmt::format("{} has no kernel {}; it has {}", module->name(), kernel,
                                 fmt::join(module->kernels(), ", ")));
  }
  auto program = std::make_shared<Program>();
  program->module = module;
  program->kernel = function->name;
  if (function->max_threads > 0) program->max_threads = function->max_threads;
  if (function->exact_threads) program->required_threads = function->threads;
  Flow flow(*module, *function);
  for (std::uint32_t i = 0; i < function->parameters; ++i) {
    const Variable& variable = function->variables[i];
    const std::uint32_t offset = flow.parameters[i].offset;
    const auto bytes = static_cast<std::uint32_t>(variable.bytes);
    program->parameters.push_back({variable.name, variable.type, offset, bytes});
    program->parameter_bytes = std::max(program->parameter_bytes, offset + bytes);
  }
  program->is_ordered = depends_on_order(flow);
  program->targets = targets_of(flow);
  decode(*program, flow);
  program->sites = std::move(flow.sites);
  program->shared_arrays = std::move(flow.shared_arrays);
  program->mark_regions();
  program->mark_issues();
  return program;
}

}  // namespace agpusim::ptx
