#pragma once

// Threads that run the ticks of one time in parallel. A round costs about 0.5 us, which is half a tick of an
// SM, so a thread gets several ticks or none.
//
// Each thread has a share of consecutive ticks. The calling thread runs the first share, and then every other
// share that its thread has not begun. A thread that the host schedules late therefore delays no other
// thread.

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

  /// `threads`: number of threads, including the caller's.
  explicit TickTeam(int threads);
  ~TickTeam();

  /// Runs the ticks in any order, and returns when all have run.
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
