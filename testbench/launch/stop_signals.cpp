#include "testbench/launch/stop_signals.h"

namespace heddle::launch {
namespace {

constexpr std::array kSignals = {SIGINT, SIGTERM, SIGHUP};

}  // namespace

StopActions catch_stop_signals(void (*handler)(int)) {
  StopActions before{};
  struct sigaction action {};
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;
  for (std::size_t i = 0; i < kSignals.size(); ++i) {
    ::sigaction(kSignals[i], nullptr, &before[i]);
    if (kSignals[i] != SIGHUP || before[i].sa_handler != SIG_IGN) ::sigaction(kSignals[i], &action, nullptr);
  }
  return before;
}

void restore_stop_signals(const StopActions& before) {
  for (std::size_t i = 0; i < kSignals.size(); ++i) ::sigaction(kSignals[i], &before[i], nullptr);
}

void let_stop_signals_end() { catch_stop_signals(SIG_DFL); }

}  // namespace heddle::launch
