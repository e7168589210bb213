#include "agpusim/cli/run_options.hpp"

#include "agpusim/cli/catalog.hpp"
#include "agpusim/cli/options.hpp"

namespace agpusim {

void add_config_options(CLI::App& command, RunOptions& options, std::vector<std::int64_t>* sizes,
                        const std::set<std::string>& lists) {
  command.add_option("algorithm", options.algorithm, "see `agpusim list`")->required();
  const std::string names = "-n,--n";
  const std::string help = "elements of the input (see `agpusim help sizes`)";
  const SizeRange range{.min = 0};
  (sizes == nullptr ? add_size(command, names, options.n, help, range)
                    : add_sizes(command, names, *sizes, help, range))
      ->type_name("SIZE");
  add_machine_options(command, options.machine, lists);
  command.add_option("--variant", options.variant, "form of the algorithm")->type_name("NAME");
  command.add_option("--type", options.type, "element type")->type_name("NAME");
  command.add_option("--input", options.input, "kind of input; also values:3,3,1,7 or file:NAME")
      ->type_name("NAME");
  add_seed(command, options.seed, "seed of the input");
  add_set(command, options.set, "parameter of the algorithm; may be repeated");
  command.add_flag("--no-checks", options.no_checks, "do not enforce the rules of the machine");
}

RunConfig make_config(const RunOptions& options) {
  const Algorithm& algorithm = find_algorithm(options.algorithm);
  RunConfig config;
  config.algorithm = algorithm.name;
  config.n = input_size(options.n, options.input,
                        options.type.empty() ? algorithm.types.front() : options.type);
  config.spec = make_spec(options.machine);
  config.variant = options.variant;
  config.type = options.type;
  config.input = options.input;
  config.seed = options.seed;
  require_settable(algorithm.name, settable(algorithm), options.set);
  config.parameters = options.set;
  return resolve(algorithm, config);
}

}  // namespace agpusim
