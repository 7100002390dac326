#pragma once

// The lines of descheduled warps that a register cache gives up, warp after warp in the order of their descheduling.

#include <utility>
#include <vector>

#include "models/stages/cache_store.h"

namespace heddle {

class CacheFlushes {
 public:
  explicit CacheFlushes(int warps) : unanswered_(static_cast<std::size_t>(warps)) {}

  bool any() const { return !all_.empty(); }
  /// The warp's lines are among these (CacheStore::range_of).
  void add(WarpId warp, const std::pair<std::size_t, std::size_t>& range) {
    all_.push_back({warp, range.first, range.second});
  }
  void forget(WarpId warp) {
    std::erase_if(all_, [warp](const Flush& flush) { return flush.warp == warp; });
  }
  /// Write-backs of the warp on their way below: its flush ends after them.
  void written(WarpId warp) { ++unanswered_[warp.value]; }
  void answered(WarpId warp) { --unanswered_[warp.value]; }

  /// One cycle. `empty(line, written)`: whether the line can be given up, after so many write-backs of its warp in this cycle,
  /// which it counts; `done(warp)` for each whose flush
  /// has ended.
  template <class Empty, class Done>
  void step(CacheStore& store, Empty&& empty, Done&& done) {
    std::size_t kept = 0;
    for (Flush& flush : all_) {
      int written = 0;
      for (; flush.at < flush.end; ++flush.at) {
        CacheLine& line = store.line(flush.at);
        if (!line.used || line.warp != flush.warp) continue;
        if (!empty(line, written)) break;
        store.give_up(line);
      }
      if (flush.at < flush.end || unanswered_[flush.warp.value]) {
        all_[kept++] = flush;
        continue;
      }
      store.leave(flush.warp);
      done(flush.warp);
    }
    all_.resize(kept, Flush{WarpId{}, 0, 0});
  }

 private:
  struct Flush {
    WarpId warp;
    std::size_t at, end;  ///< lines still to look at
  };
  std::vector<Flush> all_;
  std::vector<std::uint32_t> unanswered_;  ///< by warp
};

}  // namespace heddle
