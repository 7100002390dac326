#pragma once

// Events in the life of kernels, CTAs, warps and instructions. Subscribers are register-file stages, issue
// constraints, releases and observers. An event carries no value and needs no answer (docs/modules.md).
// Interfaces that need an answer in the same cycle belong to the register path (register_stage.h).
//
// Order for one warp: warp_begins, then the events of its instructions, then warp_ends and, in the next
// cycle, warp_gone. Order for one instruction: issued -> prepared -> reads_held -> dispatched -> left ->
// completed. The instructions of a warp overlap. Control instructions, and instructions guarded off in every
// lane, have only the event issued. Memory instructions have no event left. The result of a barrier (bar.red)
// has the event completed without a second issued.

#include <cstdint>
#include <initializer_list>
#include <span>

#include "models/core/ids.h"
#include "models/core/lanes.h"
#include "models/isa/program.h"
#include "models/ports/in_flight.h"

namespace heddle {

enum class Life : std::uint8_t {
  kernel_begins,
  cta_begins,
  warp_begins,
  issued,  ///< an instruction issues, control and guarded-off instructions included
  /// The instruction has a collector, and the register path has accepted its announcement if it wants one.
  prepared,
  reads_held,  ///< the collector holds every source of the instruction
  dispatched,  ///< the instruction left its collector
  left,        ///< the instruction's result left the INT, FP or SFU pipeline
  completed,   ///< every result of the instruction is visible
  released,    ///< the register path has accepted the release of a register
  warp_ends,   ///< the warp has exited, and none of its instructions is in flight
  warp_gone,   ///< the next cycle, before any module runs: all parts free what they hold of the warp
  cta_ends,
  count_
};

/// A set of events.
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
  Cycle cycle = 0;  ///< first cycle of the launch
  std::uint32_t cta_warps = 1;
};

/// The CTA's warps began in this cycle.
struct CtaBegins {
  CtaSlot slot{};
  std::uint32_t cta = 0;            ///< linear index in the grid
  std::span<const WarpId> warps{};  ///< warp slots of the CTA
  std::uint32_t registers = 0;      ///< registers of each warp
};

/// A warp was placed. None of its instructions has issued.
struct WarpBegins {
  WarpId warp{};
  KernelId kernel{};
  const isa::Program* program = nullptr;
  std::uint32_t registers = 0;  ///< number of architected registers
  LaneMask lanes = kAllLanes;   ///< lanes that hold a thread
  CtaSlot cta_slot{};
};

/// Base of subscribers. An event may come at any time of a cycle. A listener must let it take effect in the
/// next cycle. Records of instructions are valid only during the call.
class LifeListener {
 public:
  /// The events to which the listener subscribes. Called once, when the SM is built. An event without a
  /// subscriber costs no time.
  virtual LifeSet subscriptions() const { return {}; }

  virtual void kernel_begins(const KernelBegins&) {}
  virtual void cta_begins(const CtaBegins&) {}
  virtual void warp_begins(const WarpBegins&) {}
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
