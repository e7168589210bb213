#include "agpusim/cli/interrupt.hpp"

#include <csignal>
#include <ctime>
#include <unistd.h>

namespace agpusim {
namespace {

volatile std::sig_atomic_t interrupt_seen = 0;

timespec first_seen;

extern "C" void leave(int signal) {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  // timeout(1) tells a process, and then the group that it is in.
  const double seconds = static_cast<double>(now.tv_sec - first_seen.tv_sec) +
                         1e-9 * static_cast<double>(now.tv_nsec - first_seen.tv_nsec);
  const bool is_told_twice = signal == SIGTERM && seconds < 0.5;
  if (!is_told_twice) _exit(interrupted_exit_code);
}

extern "C" void remember(int signal) {
  interrupt_seen = signal;
  clock_gettime(CLOCK_MONOTONIC, &first_seen);
  std::signal(signal, leave);
}

}  // namespace

void exit_on_interrupt() { std::signal(SIGINT, leave); }

void defer_interrupt() { std::signal(SIGINT, remember); }

void defer_termination() { std::signal(SIGTERM, remember); }

bool interrupted() { return interrupt_seen != 0; }

int interrupt_signal() { return interrupt_seen; }

void exit_if_interrupted() {
  exit_on_interrupt();
  if (interrupted()) _exit(interrupted_exit_code);
}

void ignore_write_signals() {
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
}

}  // namespace agpusim
