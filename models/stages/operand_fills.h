#pragma once

// Read allocation of an operand file: sources that are read from below and written into an entry, and reads
// that wait for these entries.

#include <vector>

#include "models/core/cycle_set.h"
#include "models/core/object_pool.h"
#include "models/ports/register_stage.h"
#include "models/stages/operand_order.h"

namespace heddle {

class OperandFills {
 public:
  struct Fill {
    RegisterAccess access;  ///< access of this stage
    RegisterAccess* original = nullptr;
    LaneVec values;
    std::uint64_t id = 0;  ///< OperandOrder::Write; 0: the warp is gone
    std::uint32_t entry = 0;
    CycleFlag there;  ///< the values have arrived
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
  /// The stage below has refused the fill of the last begin().
  void undo_begin() {
    pool_.give_back(*under_way_.back());
    under_way_.pop_back();
  }

  /// Splits the lanes of `missing` that fills of the entry provide: lanes that have arrived are written to
  /// the read's values. Returns the lanes that have still to arrive. Both are removed from `missing`.
  LaneMask take_filled(const RegisterAccess& read, std::uint32_t entry, LaneMask& missing) const;
  /// The read waits for these lanes. Its entry is read in cycle `served`.
  void wait(RegisterAccess& read, std::uint32_t entry, LaneMask lanes, Cycle served) {
    waiters_.push_back({&read, entry, lanes, served});
  }
  /// The values of a fill have arrived. Completes the read that caused the fill, and calls `done(read,
  /// served)` for each waiting read that is complete.
  template <class Done>
  void finish(Cycle now, Fill& fill, Done&& done) {
    fill.there.raise(now);
    *fill.original->values = fill.values;
    fill.original->data_at = fill.access.data_at;
    for (std::size_t i = 0; i < waiters_.size();) {
      if (!fill_waiter(fill, waiters_[i])) {
        ++i;
        continue;
      }
      const Waiter waiter = waiters_[i];
      waiters_.erase(waiters_.begin() + static_cast<std::ptrdiff_t>(i));
      waiter.read->data_at = fill.access.data_at;
      done(*waiter.read, waiter.served);
    }
  }
  /// Calls f(fill) for the fills whose values arrived in an earlier cycle, in order of acceptance.
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
  /// The warp is gone, so its fills write no entry.
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
  /// Copies the fill's lanes to a waiting read. Returns true if the read is now complete.
  static bool fill_waiter(const Fill& fill, Waiter& waiter);

  ObjectPool<Fill> pool_;
  std::vector<Fill*> under_way_;  ///< in order of acceptance
  std::vector<Waiter> waiters_;
};

}  // namespace heddle
