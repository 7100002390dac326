#include "models/time/tick_team.h"

#include <algorithm>
#include <thread>

#include "models/time/spin_lock.h"

namespace heddle {
namespace {

// A helper thread spins 4096 times (20 to 200 us) for more ticks, and then sleeps. The calling thread waits
// for the helper threads: it also spins up to 4096 times, and then yields its processor.
constexpr int kSpins = 4096;

}  // namespace

// A helper thread, with its data on a separate cache line. `share`: ticks to run, which the calling thread
// writes while the helper waits or sleeps.
struct alignas(64) TickTeam::Helper {
  std::atomic<State> state{State::waits};
  Share share;
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

void TickTeam::run_share(const Share& share) {
  for (Ticking* const ticking : share.clocks)
    if (share.end)
      ticking->run_to(share.base, share.end);
    else
      ticking->run_tick();
}

// Runs the ticks on all threads:
//  1. Distribute the ticks as shares to the helper threads.
//  2. Run the share of the calling thread.
//  3. Run shares that their helper threads have not begun.
//  4. Wait until the helper threads have finished.
void TickTeam::distribute(const Share& work, std::size_t most_shares) {
  const std::size_t ticks = work.clocks.size(),
                    shares = std::clamp<std::size_t>(most_shares, 1, helpers_.size() + 1);
  const auto share = [&](std::size_t i) {
    const std::size_t begin = ticks * i / shares;
    return Share{work.clocks.subspan(begin, ticks * (i + 1) / shares - begin), work.base, work.end};
  };
  for (std::size_t i = 1; i < shares; ++i) {
    helpers_[i - 1]->share = share(i);
    helpers_[i - 1]->give(State::offered);
  }
  run_share(share(0));
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
