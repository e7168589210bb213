#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace agpusim {

/// A new command of `app`. Defined apart, since every file that makes a CLI::App compiles most of
/// the library again.
CLI::App* add_command(CLI::App& app, const std::string& name, const std::string& description);

/// The commands that people call; the others are for programs.
std::vector<const CLI::App*> listed_commands(const CLI::App& app);

/// Each adds one command of `agpusim` to `app`, which must outlive it, and does its work when the
/// command line names it.
void setup_list(CLI::App& app);
void setup_help(CLI::App& app);  // its subcommands are topics
void setup_run(CLI::App& app);
void setup_step(CLI::App& app);
void setup_ptx(CLI::App& app);
void setup_exec(CLI::App& app);
void setup_build(CLI::App& app);
void setup_cc(CLI::App& app);
void setup_compare(CLI::App& app);
void setup_sweep(CLI::App& app);
void setup_merge(CLI::App& app);
void setup_count(CLI::App& app);
void setup_pram(CLI::App& app);
void setup_bounds(CLI::App& app);
void setup_pipeline(CLI::App& app);
void setup_analyze(CLI::App& app);
void setup_validate(CLI::App& app);
void setup_why(CLI::App& app);
void setup_experiment(CLI::App& app);
void setup_measure(CLI::App& app);
void setup_import_counters(CLI::App& app);
void setup_calibrate(CLI::App& app);
void setup_schema(CLI::App& app);
void setup_exercise(CLI::App& app);
void setup_new(CLI::App& app);
void setup_compile(CLI::App& app);
void setup_complete(CLI::App& app);

}  // namespace agpusim
