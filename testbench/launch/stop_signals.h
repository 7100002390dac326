#pragma once

// Handles signals that end a command early: INT, TERM, and HUP (when the terminal closes). The command can
// then write its results so far before it ends.

#include <array>
#include <csignal>

namespace heddle::launch {

using StopActions = std::array<struct sigaction, 3>;

/// Installs `handler` for these signals and returns the previous handlers. A HUP that is ignored (nohup)
/// stays ignored.
StopActions catch_stop_signals(void (*handler)(int));
void restore_stop_signals(const StopActions& before);
/// For a child process: gives the signals their default effect again. A HUP that is ignored stays ignored.
void let_stop_signals_end();

}  // namespace heddle::launch
