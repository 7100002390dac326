#pragma once

// Runs the ticks of several clocks at one point in time in parallel, on several host threads. Distributing
// the ticks costs about 0.5 us, half a tick of an SM, so a thread gets several ticks or none. The calling
// thread also runs every share of ticks that its helper thread has not begun. A thread that the operating
// system schedules late therefore delays no other thread.

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "models/time/ticking.h"

namespace heddle {

class TickTeam {
 public:
  static constexpr std::size_t kTicksAThread = 4;

  explicit TickTeam(int threads);
  ~TickTeam();

  /// Runs the ticks in any order and on any thread. Returns when all have run.
  void run(std::span<Ticking* const> ticks);

 private:
  enum class State : std::uint32_t { waits, sleeps, offered, taken, over };
  struct Helper;

  static void run_share(std::span<Ticking* const> share);
  static void help(Helper& helper);
  void end();

  std::vector<std::unique_ptr<Helper>> helpers_;
};

}  // namespace heddle
