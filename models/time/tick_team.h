#pragma once

// Threads that run ticks of one time in parallel. A round costs some 0.5 us, about half a tick of an SM, so a
// thread gets several ticks or none.
//
// Each thread has a share of consecutive ticks. The thread that requested the round runs the first share, and
// every other share that its thread has not begun by then, so a thread that the host schedules late delays no
// other.

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

  /// `threads`: the caller's among them.
  explicit TickTeam(int threads);
  ~TickTeam();

  /// Runs the ticks, in any order; all have run when it returns.
  void run(std::span<Ticking* const> ticks);

 private:
  enum class State : std::uint32_t { waits, sleeps, offered, taken, over };
  struct Helper;

  static void run_share(std::span<Ticking* const> share);
  static void help(Helper& helper);

  std::vector<std::unique_ptr<Helper>> helpers_;
};

}  // namespace heddle
