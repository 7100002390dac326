#pragma once

// Releases that the issue stage sends itself (Jeon 2015, 6.2). Collectors send all others.
// - Lists of registers at the start of a block are released when the first instruction of the block issues.
// - Flags of instructions without a collector are released at issue.
// - Registers that have been spilled to memory are released the same way
//   (scheduler/constraints/register_spiller.h).
//
// A register with a pending read or write is released when that has ended. Until the register path has
// accepted a release, no instruction may write the register, because the register counts as still being read.

#include <optional>
#include <string>
#include <vector>

#include "models/core/register_set.h"
#include "models/core/warp_set.h"
#include "models/operands/register_port.h"
#include "models/operands/release_dues.h"
#include "models/ports/life_channel.h"
#include "models/ports/warp_homes.h"

namespace heddle {

/// Pending reads and writes of an SM's instructions in flight.
class RegisterHolds {
 public:
  /// True if the register has a pending read or write.
  virtual bool pending(WarpId warp, std::uint32_t reg) const = 0;
  /// No instruction may write the register between hold() and end_hold().
  virtual void hold(WarpId warp, std::uint32_t reg) = 0;
  virtual void end_hold(WarpId warp, std::uint32_t reg) = 0;
  /// Threads of the warp that have not exited.
  virtual LaneMask live(WarpId warp) const = 0;
  virtual bool any_warp() const = 0;

 protected:
  ~RegisterHolds() = default;
};

class RegisterReleases final : public LifeListener {
 public:
  RegisterReleases(const Clock& clock, RegisterHolds& holds, WarpHomes homes, int warps)
      : clock_(&clock),
        holds_(holds),
        homes_(homes),
        ports_(homes.partitions),
        deferred_(static_cast<std::size_t>(warps)) {}

  void connect(std::size_t partition, RegisterPort& port);
  /// Called when every partition is connected. `receives_flags`: the front end attaches flags, and every release
  /// is counted.
  void subscribe(LifeChannel& life, bool receives_flags);
  /// True if a stage of some partition wants the releases that flags name.
  bool by_flags() const { return by_flags_; }

  /// True if registers are released, by flags or because they have been spilled.
  bool any() const { return any_; }

  /// Must be called before the scoreboard processes the instruction.
  void issued(const InFlight& item) override;
  /// Must be called after the scoreboard: an operation of the warp has ended.
  void reads_held(const InFlight& item) override { freed(item.warp()); }
  void completed(const InFlight& item) override { freed(item.warp()); }
  void warp_ends(WarpId warp) override;

  /// Releases a register that has been spilled to memory.
  void release_saved(WarpId warp, std::uint32_t reg) {
    if (dues_) dues_->add();
    release(warp, reg);
  }
  void freed(WarpId warp) {
    if (waiting_.contains(warp)) look(warp);
  }
  bool has_sent() const {
    if (!any_) return false;
    for (const RegisterPort* port : ports_)
      if (port && port->has_sent_releases()) return true;
    return false;
  }
  /// Processes the releases that the register paths accepted in earlier cycles. Returns their warps, whose
  /// registers can be written again.
  WarpSet take_sent();
  /// If no warp is resident: throws InternalError if a due release is missing.
  void check_conservation(const std::string& owner) const;

 private:
  /// Releases the register at once, or when its pending reads and writes have ended.
  void release(WarpId warp, std::uint32_t reg);
  void look(WarpId warp);
  void send(WarpId warp, std::uint32_t reg);

  RegisterPort* port_of(WarpId warp) const { return ports_[homes_.partition(warp)]; }

  const Clock* clock_;
  RegisterHolds& holds_;
  WarpHomes homes_;
  std::vector<RegisterPort*> ports_;   ///< by partition; nullptr: no releases
  std::vector<RegisterSet> deferred_;  ///< by warp: registers that wait for pending reads and writes
  WarpSet waiting_ = 0;                ///< warps with such registers
  std::optional<ReleaseDues> dues_;
  bool by_flags_ = false, any_ = false;
};

}  // namespace heddle
