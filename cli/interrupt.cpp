#include "agpusim/cli/interrupt.hpp"

#include <csignal>
#include <unistd.h>

namespace agpusim {
namespace {

volatile std::sig_atomic_t interrupt_seen = 0;

extern "C" void leave(int /*signal*/) { _exit(interrupted_exit_code); }

extern "C" void remember(int signal) {
  interrupt_seen = signal;
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
