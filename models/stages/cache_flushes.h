#pragma once

// Flushes of a register cache. When a warp is descheduled, its cache lines are written back and freed. Warps
// are flushed one after another, in the order in which they were descheduled.

#include <utility>
#include <vector>

#include "models/stages/cache_store.h"

namespace heddle {

class CacheFlushes {
 public:
  explicit CacheFlushes(int warps) : unanswered_(static_cast<std::size_t>(warps)) {}

  bool any() const { return !all_.empty(); }
  void add(WarpId warp, const std::pair<std::size_t, std::size_t>& range) {
    all_.push_back({warp, range.first, range.second});
  }
  void forget(WarpId warp) {
    std::erase_if(all_, [warp](const Flush& flush) { return flush.warp == warp; });
  }
  /// written(): must be called for each of the warp's write-backs that the cache sends. answered(): must be
  /// called when the stage below has completed a write-back of the warp. A flush ends when all its write-backs
  /// are complete.
  void written(WarpId warp) { ++unanswered_[warp.value]; }
  void answered(WarpId warp) { --unanswered_[warp.value]; }

  /// Runs one cycle of all flushes. The caller's `empty(line, written)` writes the line back if necessary,
  /// adds each write-back to `written`, and returns true if the line can be freed. `done(warp)` is called
  /// when the flush of a warp has ended.
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
    std::size_t at, end;
  };
  std::vector<Flush> all_;
  std::vector<std::uint32_t> unanswered_;
};

}  // namespace heddle
