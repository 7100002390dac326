#include "models/time/tick_team.h"

#include <algorithm>
#include <thread>

#include "models/time/spin_lock.h"

namespace heddle {
namespace {

// A helper thread spins 4096 times (20 to 200 us) for more ticks before it sleeps. The calling thread spins
// as often for the end of running ticks, and then yields its processor.
constexpr int kSpins = 4096;

}  // namespace

// A helper thread, with its data on a separate cache line. `share` (the ticks to run) is written while the
// thread waits or sleeps. The thread that takes the share reads it.
struct alignas(64) TickTeam::Helper {
  std::atomic<State> state{State::waits};
  std::span<Ticking* const> share;
  std::thread thread;

  bool take() {
    State offered = State::offered;
    return state.compare_exchange_strong(offered, State::taken, std::memory_order_acq_rel);
  }
  void give(State next) {
    if (state.exchange(next, std::memory_order_acq_rel) == State::sleeps) state.notify_one();
  }
};

TickTeam::TickTeam(int threads) {
  for (int i = 1; i < threads; ++i) {
    Helper& helper = *helpers_.emplace_back(std::make_unique<Helper>());
    try {
      helper.thread = std::thread([&helper] { help(helper); });
    } catch (...) {
      helpers_.pop_back();
      end();
      throw;
    }
  }
}

TickTeam::~TickTeam() { end(); }

void TickTeam::end() {
  for (const auto& helper : helpers_) helper->give(State::over);
  for (const auto& helper : helpers_) helper->thread.join();
}

void TickTeam::run_share(std::span<Ticking* const> share) {
  for (Ticking* const ticking : share) ticking->run_tick();
}

// Runs ticks on all threads. Each helper thread gets a share. The calling thread runs its own share, then the
// shares that no helper thread has begun.
void TickTeam::run(std::span<Ticking* const> ticks) {
  const std::size_t shares = std::clamp<std::size_t>(ticks.size() / kTicksAThread, 1, helpers_.size() + 1);
  const auto begin = [&](std::size_t share) { return ticks.size() * share / shares; };
  for (std::size_t i = 1; i < shares; ++i) {
    helpers_[i - 1]->share = ticks.subspan(begin(i), begin(i + 1) - begin(i));
    helpers_[i - 1]->give(State::offered);
  }
  run_share(ticks.first(begin(1)));
  for (std::size_t i = 1; i < shares; ++i) {
    Helper& helper = *helpers_[i - 1];
    if (!helper.take()) continue;
    run_share(helper.share);
    helper.state.store(State::waits, std::memory_order_release);
  }
  for (std::size_t i = 1; i < shares; ++i)
    for (int spins = 0; helpers_[i - 1]->state.load(std::memory_order_acquire) == State::taken; ++spins)
      spins < kSpins ? spin() : std::this_thread::yield();
}

void TickTeam::help(Helper& helper) {
  for (int spins = 0;;) {
    State state = helper.state.load(std::memory_order_acquire);
    if (state == State::over) return;
    if (helper.take()) {
      run_share(helper.share);
      helper.state.store(State::waits, std::memory_order_release);
      spins = 0;
    } else if (++spins < kSpins) {
      spin();
    } else {
      state = State::waits;
      if (helper.state.compare_exchange_strong(state, State::sleeps, std::memory_order_acq_rel))
        helper.state.wait(State::sleeps, std::memory_order_acquire);
      spins = 0;
    }
  }
}

}  // namespace heddle
