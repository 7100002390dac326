#pragma once

// Signals that end a command early, with the results so far: INT, TERM, and HUP of a terminal that closes.

#include <array>
#include <csignal>

namespace heddle::launch {

using StopActions = std::array<struct sigaction, 3>;

/// `handler` takes the signals from here on; a HUP that is ignored (nohup) stays ignored. Returns what took them
/// before.
StopActions catch_stop_signals(void (*handler)(int));
void restore_stop_signals(const StopActions& before);
/// In a child: the signals end it, except for an ignored HUP.
void let_stop_signals_end();

}  // namespace heddle::launch
