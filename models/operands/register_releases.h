#pragma once

// Releases that the issue stage makes itself (Jeon 2015, 6.2): lists of registers at the start of a block,
// which act when its first instruction issues, and flags of instructions that take no collector. (Collectors
// make all others.) A register with a pending read or write is released when that ends. Until the register
// path has taken a release, no instruction may write the register: it counts as one that is still read.
// Registers that have been spilled to memory are released the same way
// (scheduler/constraints/register_spiller.h).

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
  /// The register has a pending read or write.
  virtual bool pending(WarpId warp, std::uint32_t reg) const = 0;
  /// No instruction may write it until the hold ends.
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
  /// Every partition is connected. `hears_flags`: the front end attaches them, and every release is counted.
  void subscribe(LifeChannel& life, bool hears_flags);
  /// Stages of some partition want the releases that flags name.
  bool by_flags() const { return by_flags_; }

  /// Some registers are released, by flags or because they have been written out.
  bool any() const { return any_; }

  /// Before the scoreboard knows of the instruction.
  void issued(const InFlight& item) override;
  /// After the scoreboard: something that the warp had in flight has ended.
  void reads_held(const InFlight& item) override { freed(item.warp()); }
  void completed(const InFlight& item) override { freed(item.warp()); }
  void warp_ends(WarpId warp) override;

  /// Releases the registers that have been spilled to memory.
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
  /// Releases that the register paths took in earlier cycles: their warps have registers that can be written
  /// again.
  WarpSet take_sent();
  /// Where no warp is resident: InternalError if a release that was due is missing.
  void check_conservation(const std::string& owner) const;

 private:
  /// At once or when pending reads and writes of the register have ended.
  void release(WarpId warp, std::uint32_t reg);
  void look(WarpId warp);
  void send(WarpId warp, std::uint32_t reg);

  RegisterPort* port_of(WarpId warp) const { return ports_[homes_.partition(warp)]; }

  const Clock* clock_;
  RegisterHolds& holds_;
  WarpHomes homes_;
  std::vector<RegisterPort*> ports_;   ///< by partition; nullptr where there are no releases
  std::vector<RegisterSet> deferred_;  ///< by warp
  WarpSet waiting_ = 0;                ///< with deferred ones
  std::optional<ReleaseDues> dues_;
  bool by_flags_ = false, any_ = false;
};

}  // namespace heddle
