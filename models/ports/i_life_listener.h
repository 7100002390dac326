#pragma once

// Defines the events in the life of kernels, CTAs, warps and instructions on an SM. Modules of the SM, and
// observers, subscribe to these events. An event returns nothing to its sender.
//
// A warp has the event `warp_begins`, the events of its instructions, `warp_ends` and, in the next cycle,
// `warp_gone`. An instruction has the events `fetched`, `issued`, `prepared`, `reads_held`, `dispatched`,
// `left` and `completed`, in this order. Instructions of one warp overlap. Exceptions:
// - If a branch or an exit redirects the warp's fetch or ends the warp, instructions that were fetched but
//   have not issued are dropped.
// - Control instructions, and instructions whose guard is false in every lane, have no event after `issued`.
// - Memory instructions do not have the event `left`.
// - When the result of a barrier (bar.red) is written, the SM sends the event `completed` without an earlier
//   event `issued`.

#include <cstdint>
#include <initializer_list>
#include <span>

#include "models/core/ids.h"
#include "models/core/lanes.h"
#include "models/isa/program.h"
#include "models/ports/in_flight.h"

namespace heddle {

struct DecodedInstruction;

enum class Life : std::uint8_t {
  kernel_begins,
  cta_begins,
  warp_begins,
  /// The front end has fetched and decoded consecutive instructions of a warp. These instructions have not
  /// issued yet.
  fetched,
  /// An instruction has issued. Also sent for control instructions, and if the guard is false in every lane.
  issued,
  /// The instruction has an operand collector. If a stage of the register path needs an announcement of the
  /// instruction's registers, the register path has accepted the announcement.
  prepared,
  reads_held,
  dispatched,  ///< the instruction has left its operand collector
  left,        ///< the instruction's result has left the INT, FP or SFU pipeline
  completed,   ///< all results of the instruction are written and visible to later instructions
  released,    ///< the register path has accepted the release of a register
  warp_ends,   ///< the warp has exited, and none of its instructions is in flight
  /// Sent in the cycle after warp_ends, before any module runs. All modules then free their storage for the
  /// warp.
  warp_gone,
  cta_ends,
  count_
};

class LifeSet {
 public:
  constexpr LifeSet(std::initializer_list<Life> events = {}) {
    for (const Life event : events) bits_ |= 1u << static_cast<unsigned>(event);
  }
  constexpr bool has(Life event) const { return bits_ >> static_cast<unsigned>(event) & 1; }
  constexpr bool has_any(LifeSet events) const { return (bits_ & events.bits_) != 0; }
  constexpr LifeSet operator|(LifeSet other) const {
    other.bits_ |= bits_;
    return other;
  }

 private:
  std::uint32_t bits_ = 0;
};

inline constexpr LifeSet kAllLife = [] {
  LifeSet all;
  for (unsigned e = 0; e < static_cast<unsigned>(Life::count_); ++e)
    all = all | LifeSet{static_cast<Life>(e)};
  return all;
}();

struct KernelBegins {
  KernelId kernel{};
  const isa::Program* program = nullptr;
  Cycle cycle = 0;
  std::uint32_t cta_warps = 1;
};

struct CtaBegins {
  CtaSlot slot{};
  std::uint32_t cta = 0;
  std::span<const WarpId> warps{};
  std::uint32_t registers = 0;
};

struct WarpBegins {
  WarpId warp{};
  KernelId kernel{};
  const isa::Program* program = nullptr;
  std::uint32_t registers = 0;
  LaneMask lanes = kAllLanes;  ///< lanes of the warp that hold a thread
  CtaSlot cta_slot{};
};

/// Base class of subscribers to life events. An event may come at any time within a cycle, so a subscriber must
/// act on the event only from the next cycle on. References to instruction records are valid only during the
/// call.
class LifeListener {
 public:
  /// Returns the events to which the listener subscribes. Called once, while the SM is built. Other events
  /// cost no host time.
  virtual LifeSet subscriptions() const { return {}; }

  virtual void kernel_begins(const KernelBegins&) {}
  virtual void cta_begins(const CtaBegins&) {}
  virtual void warp_begins(const WarpBegins&) {}
  /// The front end has fetched the consecutive instructions `run`. `run` also gives the cycle from which they
  /// may issue, and their epoch (number of earlier redirects of the warp).
  virtual void fetched(WarpId, const DecodedInstruction& /*run*/) {}
  virtual void issued(const InFlight&) {}
  virtual void prepared(const InFlight&) {}
  virtual void reads_held(const InFlight&) {}
  virtual void dispatched(const InFlight&) {}
  virtual void left(const InFlight&) {}
  virtual void completed(const InFlight&) {}
  virtual void register_released(WarpId, RegId) {}
  virtual void warp_ends(WarpId) {}
  virtual void warp_gone(WarpId) {}
  virtual void cta_ends(CtaSlot) {}

 protected:
  ~LifeListener() = default;
};

}  // namespace heddle
