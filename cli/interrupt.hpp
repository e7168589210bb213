#pragma once

namespace agpusim {

/// Exit code after Ctrl-C, as shells report it (128 + SIGINT).
inline constexpr int interrupted_exit_code = 130;

/// Thrown when Ctrl-C ended what the process waited for.
struct Interrupted {};

/// From here on Ctrl-C ends the process at once with exit code 130: for work that writes no file.
void exit_on_interrupt();

/// From here on Ctrl-C is remembered, so that the work at hand can be completed; a second one ends
/// the process.
void defer_interrupt();

/// From here on SIGTERM, which mpirun sends at Ctrl-C, is remembered as Ctrl-C is: also exit codes
/// are the same.
void defer_termination();

/// Whether Ctrl-C was pressed since defer_interrupt().
[[nodiscard]] bool interrupted();

/// The signal that said so, SIGINT or SIGTERM; 0 where none did.
[[nodiscard]] int interrupt_signal();

/// Ends the process with exit code 130 when interrupted(); else Ctrl-C ends it at once again.
void exit_if_interrupted();

/// A pipe whose reader went away and a file at its size limit (ulimit -f) show as failed writes
/// instead of signals.
void ignore_write_signals();

}  // namespace agpusim
