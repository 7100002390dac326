#pragma once

// Read allocation of an operand file: sources that are read from below and put into an entry, and the reads of entries that
// wait for them.

#include <vector>

#include "models/core/cycle_set.h"
#include "models/core/object_pool.h"
#include "models/ports/register_stage.h"
#include "models/stages/operand_order.h"

namespace heddle {

class OperandFills {
 public:
  struct Fill {
    RegisterAccess access;  ///< of the stage's own
    RegisterAccess* original = nullptr;
    LaneVec values;
    std::uint64_t id = 0;  ///< OperandOrder::Write; 0: its warp is gone
    std::uint32_t entry = 0;
    CycleFlag there;  ///< the values have come
  };

  Fill& begin(RegisterAccess& original, const OperandOrder::Write& write, const RegisterStage& stage) {
    Fill& fill = pool_.take();
    fill.access = original;
    fill.access.values = &fill.values;
    fill.access.stage = &stage;
    fill.access.owner = &fill;
    fill.original = &original;
    fill.id = write.id;
    fill.entry = write.entry;
    fill.there.lower();
    under_way_.push_back(&fill);
    return fill;
  }
  /// The stage below has refused the fill that began last.
  void undo_begin() {
    pool_.give_back(*under_way_.back());
    under_way_.pop_back();
  }

  /// Takes lanes that fills of the entry have brought already out of `missing`, and those that they have still to bring, which it
  /// returns.
  LaneMask take_brought(const RegisterAccess& read, std::uint32_t entry, LaneMask& missing) const;
  /// The read waits for these lanes; its storage is read in cycle `served`.
  void wait(RegisterAccess& read, std::uint32_t entry, LaneMask lanes, Cycle served) {
    waiters_.push_back({&read, entry, lanes, served});
  }
  /// The values of a fill have arrived, for the read that requested it; calls `done(read, served)` for each
  /// waiting read that is complete.
  template <class Done>
  void finish(Cycle now, Fill& fill, Done&& done) {
    fill.there.raise(now);
    *fill.original->values = fill.values;
    fill.original->data_at = fill.access.data_at;
    for (std::size_t i = 0; i < waiters_.size();) {
      if (!bring(fill, waiters_[i])) {
        ++i;
        continue;
      }
      const Waiter waiter = waiters_[i];
      waiters_.erase(waiters_.begin() + static_cast<std::ptrdiff_t>(i));
      waiter.read->data_at = fill.access.data_at;
      done(*waiter.read, waiter.served);
    }
  }
  /// f(fill) for those whose values came in an earlier cycle, in order of acceptance.
  template <class F>
  void take_finished(Cycle now, F&& f) {
    std::size_t kept = 0;
    for (Fill* fill : under_way_) {
      if (!fill->there.seen(now)) {
        under_way_[kept++] = fill;
        continue;
      }
      f(*fill);
      pool_.give_back(*fill);
    }
    under_way_.resize(kept);
  }
  /// The warp is gone.
  void forget(WarpId warp) {
    for (Fill* fill : under_way_)
      if (fill->access.warp == warp) fill->id = 0;
  }

 private:
  struct Waiter {
    RegisterAccess* read;
    std::uint32_t entry;
    LaneMask missing;
    Cycle served;
  };
  /// True if the waiter has all lanes now.
  static bool bring(const Fill& fill, Waiter& waiter);

  ObjectPool<Fill> pool_;
  std::vector<Fill*> under_way_;  ///< in order of acceptance
  std::vector<Waiter> waiters_;
};

}  // namespace heddle
