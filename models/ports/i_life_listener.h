#pragma once

// Defines the events in the life of kernels, CTAs, warps and instructions on an SM. Register-file stages,
// issue constraints, the release logic and observers subscribe to these events. An event returns nothing to
// its sender (docs/modules.md). Modules that need a reply in the same cycle use the register path instead
// (register_stage.h).
//
// A warp has the events warp_begins, then the events of its instructions, then warp_ends and, in the next
// cycle, warp_gone. An instruction has the events fetched, issued, prepared, reads_held, dispatched, left and
// completed, in this order. Instructions of one warp overlap. Exceptions:
// - A fetched instruction does not issue if a branch or an exit issues before it. It is dropped.
// - Control instructions, and instructions whose guard is false in every lane, have only the event issued.
// - Memory instructions do not have the event left.
// - When the result of a barrier (bar.red) is written, the event completed occurs without another event
//   issued.

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
  /// The front end has fetched and decoded consecutive instructions of a warp. The event of an instruction
  /// comes before its event issued.
  fetched,
  /// An instruction issues. The event also occurs for control instructions, and for instructions whose guard
  /// is false in every lane.
  issued,
  /// The instruction has an operand collector. If the register path needs an announcement of the
  /// instruction's registers, the path has accepted the announcement.
  prepared,
  reads_held,  ///< the operand collector holds every source of the instruction
  dispatched,  ///< the instruction has left its operand collector
  left,        ///< the instruction's result has left the INT, FP or SFU pipeline
  completed,   ///< all results of the instruction are written and visible to later instructions
  released,    ///< the register path has accepted the release of a register
  warp_ends,   ///< the warp has exited, and none of its instructions is in flight
  /// Occurs in the cycle after warp_ends, before any module runs. All modules then free what they hold for
  /// the warp.
  warp_gone,
  cta_ends,
  count_
};

/// Set of life events (of kernels, CTAs, warps and instructions).
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
  Cycle cycle = 0;  ///< first cycle of the kernel launch
  std::uint32_t cta_warps = 1;
};

/// Data of the event cta_begins: the warps of a CTA have started in this cycle.
struct CtaBegins {
  CtaSlot slot{};
  std::uint32_t cta = 0;            ///< linear index of the CTA in the grid
  std::span<const WarpId> warps{};  ///< warp slots of the CTA's warps
  std::uint32_t registers = 0;      ///< number of registers of each warp of the CTA
};

/// Data of the event warp_begins: a warp has been placed on the SM, and none of its instructions has issued.
struct WarpBegins {
  WarpId warp{};
  KernelId kernel{};
  const isa::Program* program = nullptr;
  std::uint32_t registers = 0;  ///< number of the warp's architected registers
  LaneMask lanes = kAllLanes;   ///< lanes of the warp that hold a thread
  CtaSlot cta_slot{};
};

/// Base class of subscribers to life events. An event may come at any time within a cycle, so its effect on
/// the subscriber must start in the next cycle. References to instruction records are valid only during the
/// call.
class LifeListener {
 public:
  /// Returns the events to which the listener subscribes. The SM calls the function once, while it is built.
  /// An event without a subscriber costs no host time.
  virtual LifeSet subscriptions() const { return {}; }

  virtual void kernel_begins(const KernelBegins&) {}
  virtual void cta_begins(const CtaBegins&) {}
  virtual void warp_begins(const WarpBegins&) {}
  /// `run`: the fetched instructions, the cycle from which they may issue, and their epoch.
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
