#pragma once

// Runs the ticks of several clocks at one point in time in parallel, on several host threads. Each thread
// gets several ticks or none, because distributing them costs about 0.5 us, half the time of an SM's tick.
// The calling thread also runs every share of ticks that its helper thread has not begun. A helper thread
// that the operating system schedules late therefore delays no other thread.

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
  /// Runs all ticks of the clocks up to the times of Ticking::run_to. A thread may get any number of clocks.
  void run_to(std::span<Ticking* const> clocks, std::uint64_t base, std::uint64_t end) {
    distribute({clocks, base, end}, clocks.size());
  }

 private:
  enum class State : std::uint32_t { waits, sleeps, offered, taken, over };
  struct Helper;
  struct Share {
    std::span<Ticking* const> clocks;
    std::uint64_t base = 0, end = 0;  ///< times of Ticking::run_to; one tick of each clock if `end` is 0
  };

  void distribute(const Share& work, std::size_t most_shares);
  static void run_share(const Share& share);
  static void help(Helper& helper);
  void end();

  std::vector<std::unique_ptr<Helper>> helpers_;
};

}  // namespace heddle
