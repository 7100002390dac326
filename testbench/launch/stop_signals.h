#pragma once

// Handles signals that end a command early: INT, TERM, and HUP (the terminal closes). The command can then
// write the results so far.

#include <array>
#include <csignal>

namespace heddle::launch {

using StopActions = std::array<struct sigaction, 3>;

/// Installs `handler`. An ignored HUP (nohup) stays ignored. Returns the previous handlers.
StopActions catch_stop_signals(void (*handler)(int));
void restore_stop_signals(const StopActions& before);
/// For a child process: restores the default effect of the signals, except an ignored HUP.
void let_stop_signals_end();

}  // namespace heddle::launch
