#include "agpusim/cli/team.hpp"

#include <chrono>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "agpusim/cli/interrupt.hpp"
#include "agpusim/cli/options.hpp"
#include "agpusim/cli/terminal.hpp"
#include "agpusim/model/error.hpp"

namespace agpusim {

void add_team_options(CLI::App& command, TeamOptions& options) {
  add_threads(command, options.threads);
  command.add_flag("--mpi", options.mpi,
                   "share the runs among the ranks of mpirun; rank 0 hands them out and writes");
  add_size(command, "--rank-timeout", options.rank_timeout,
           "with --mpi: a rank that is silent for so long is taken for dead, and its runs are "
           "handed out again",
           {.example = "10"})
      ->type_name("SECONDS");
}

Team::Team(TeamOptions options) : options_(std::move(options)) {
  if (options_.mpi) job_.emplace();
}

ranks::Conduct Team::conduct() const {
  return {.patience = std::chrono::seconds(options_.rank_timeout),
          .say = [](const std::string& text) { message("agpusim: " + text); }};
}

std::vector<std::string> Team::share(const ranks::Work& work, const ranks::Collector& collector) {
  if (!leads()) ranks::work_for_rank_0(*job_, work, conduct());
  if (job_) {
    defer_termination();
    std::vector<std::string> given_up;
    for (const std::size_t task : ranks::hand_out(*job_, work, collector, conduct())) {
      given_up.push_back(work.name(task));
    }
    return given_up;
  }
  for (const std::size_t task : work.order) {
    if (collector.stop && collector.stop()) break;
    if (collector.enough && collector.enough()) break;
    if (collector.begin) collector.begin(task);
    collector.take(task, work.run(task, collector.known ? collector.known(task) : ""));
  }
  return {};
}

void Team::exit_if_interrupted() {
  if (job_ && interrupted()) {
    job_->set_incomplete(true);  // mpirun has ended the others, where it was asked to
    job_.reset();
  }
  agpusim::exit_if_interrupted();
}

void Team::fail(const std::exception& error) { ranks::fail_for_rank_0(*job_, error); }

void with_team(const TeamOptions& options, const std::function<void(Team&)>& command) {
  Team team(options);
  if (team.leads()) {
    command(team);
    return;
  }
  try {
    command(team);
  } catch (const std::exception& error) {
    team.fail(error);
  }
  team.fail(std::logic_error("this rank was given nothing to share"));
}

void require_none_given_up(const std::vector<std::string>& given_up, std::size_t tasks) {
  if (given_up.empty()) return;
  throw Unavailable(fmt::format(
      "{} of {} runs were given up, since three ranks died with each, the first {}: a rank may "
      "lack memory (start fewer on a node); the same command counts them again",
      given_up.size(), tasks, given_up.front()));
}

}  // namespace agpusim
