#pragma once

// Handles the register releases that the issue stage and the register spiller request (Jeon 2015, 6.2):
// - The compiler's list of dead registers at the beginning of a basic block: these registers are released
//   when the first instruction of the block issues.
// - The release flags of an instruction that uses no collector are applied at issue.
// - Registers are released when the register spiller has written them to memory
//   (scheduler/constraints/register_spiller.h).
//
// The operand collectors request all other releases. A register that still has a pending read or write is
// released when this read or write has ended. Until the register path has accepted a release, no instruction
// may write the register.

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

class RegisterHolds {
 public:
  virtual bool pending(WarpId warp, std::uint32_t reg) const = 0;
  /// Between hold() and end_hold(), instructions that write the register must not issue.
  virtual void hold(WarpId warp, std::uint32_t reg) = 0;
  virtual void end_hold(WarpId warp, std::uint32_t reg) = 0;
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
  /// Must be called when all partitions are connected. `receives_flags`: true if the front end attaches
  /// release flags to instructions.
  void subscribe(LifeChannel& life, bool receives_flags);
  bool by_flags() const { return by_flags_; }

  /// Returns true if this object releases registers, because of release flags or spills.
  bool any() const { return any_; }

  void issued(const InFlight& item) override;
  void reads_held(const InFlight& item) override { freed(item.warp()); }
  void completed(const InFlight& item) override { freed(item.warp()); }
  void warp_ends(WarpId warp) override;

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
  /// Returns the warps with releases that the register path accepted in earlier cycles. Instructions of these
  /// warps may write the released registers again.
  WarpSet take_sent();
  /// Throws InternalError if the number of completed releases differs from the number that the program
  /// requires. Must be called while no warp is resident.
  void check_conservation(const std::string& owner) const;

 private:
  void release(WarpId warp, std::uint32_t reg);
  void look(WarpId warp);
  void send(WarpId warp, std::uint32_t reg);

  RegisterPort* port_of(WarpId warp) const { return ports_[homes_.partition(warp)]; }

  const Clock* clock_;
  RegisterHolds& holds_;
  WarpHomes homes_;
  std::vector<RegisterPort*> ports_;
  std::vector<RegisterSet> deferred_;
  WarpSet waiting_ = 0;
  std::optional<ReleaseDues> dues_;
  bool by_flags_ = false, any_ = false;
};

}  // namespace heddle
