#pragma once

// Runs the ticks of several clocks at one point in time in parallel, on several host threads. A thread gets
// either a share of several ticks or no tick, because each share costs about 0.5 us, half the time of an SM's
// tick. The calling thread also runs the shares that helper threads have not begun. Therefore a helper thread
// that the operating system schedules late delays no other thread.

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
  void run(std::span<Ticking* const> ticks) { distribute({ticks, 0, 0}, ticks.size() / kTicksAThread); }
  /// Calls Ticking::run_to(base, end) of all clocks. Returns when all ticks have run. The ticks of one clock
  /// are enough work for a thread, so a thread may get a single clock. In contrast, run() uses one thread per
  /// kTicksAThread ticks.
  void run_to(std::span<Ticking* const> clocks, std::uint64_t base, std::uint64_t end) {
    distribute({clocks, base, end}, clocks.size());
  }

 private:
  enum class State : std::uint32_t { waits, sleeps, offered, taken, over };
  struct Helper;
  struct Share {
    std::span<Ticking* const> clocks;
    std::uint64_t base = 0, end = 0;  ///< arguments of Ticking::run_to; `end` 0: each clock runs one tick
  };

  void distribute(const Share& work, std::size_t most_shares);
  static void run_share(const Share& share);
  static void help(Helper& helper);
  void end();

  std::vector<std::unique_ptr<Helper>> helpers_;
};

}  // namespace heddle
