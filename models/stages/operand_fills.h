#pragma once

// Models read allocation in an operand file by fills. A fill reads a source operand from the stage below and
// writes it into an entry. Later reads of this entry wait until the fill has ended.

#include <vector>

#include "models/core/cycle_set.h"
#include "models/core/object_pool.h"
#include "models/ports/register_stage.h"
#include "models/stages/operand_order.h"

namespace heddle {

class OperandFills {
 public:
  struct Fill {
    RegisterAccess access;
    RegisterAccess* original = nullptr;
    LaneVec values;
    std::uint64_t id = 0;
    std::uint32_t entry = 0;
    CycleFlag there;
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
  void undo_begin() {
    pool_.give_back(*under_way_.back());
    under_way_.pop_back();
  }

  /// Removes from `missing` the lanes that fills of the entry provide. Copies the values of finished fills
  /// into the read. Returns the lanes that unfinished fills will provide.
  LaneMask take_filled(const RegisterAccess& read, std::uint32_t entry, LaneMask& missing) const;
  void wait(RegisterAccess& read, std::uint32_t entry, LaneMask lanes, Cycle served) {
    waiters_.push_back({&read, entry, lanes, served});
  }
  /// Must be called when the values of a fill have arrived. Calls `done(read, served)` for each waiting read
  /// that now has all its lanes. `served`: the cycle that wait() received for this read.
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
  /// Copies the lanes of the fill into the waiting read. Returns true if the read has all its lanes now.
  static bool fill_waiter(const Fill& fill, Waiter& waiter);

  ObjectPool<Fill> pool_;
  std::vector<Fill*> under_way_;
  std::vector<Waiter> waiters_;
};

}  // namespace heddle
