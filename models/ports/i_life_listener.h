#pragma once

// Events in the life of kernels, CTAs, warps and instructions, for subscribers: register-file stages, issue
// constraints, releases, observers. Events are the fourth kind of connection between the modules of an SM
// (docs/modules.md): they carry no values and need no answer. Interfaces that need an answer in the cycle
// belong to the register path (register_stage.h).
//
// Order, for one warp: warp_begins, then for each instruction issued -> prepared -> reads_held -> dispatched
// -> left -> completed, then warp_ends and, in the next cycle, warp_gone. Instructions overlap. Control
// instructions, and those guarded off in every lane, have only the event issued. Memory instructions have no
// event left. A barrier's result (bar.red) has completed without a second issued.

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
  issued,    ///< every instruction, control and guarded-off ones included
  prepared,  ///< it was given a collector, and the register path has taken its announcement, if it wants one
  reads_held,  ///< the collector holds every source
  dispatched,  ///< it left its collector
  left,        ///< its result left the INT, FP or SFU pipeline
  completed,   ///< every result is visible
  released,    ///< the register path has taken the release of a register
  warp_ends,   ///< it has exited, and nothing of it is in flight
  warp_gone,   ///< the cycle after, before any module runs in it: what parts hold of the warp is given up
  cta_ends,
  count_
};

/// A set of these.
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
  Cycle cycle = 0;  ///< the first of the launch
  std::uint32_t cta_warps = 1;
};

/// Its warps have begun, in this cycle.
struct CtaBegins {
  CtaSlot slot{};
  std::uint32_t cta = 0;            ///< linear index in the grid
  std::span<const WarpId> warps{};  ///< their slots
  std::uint32_t registers = 0;      ///< of each warp
};

/// A warp was placed; nothing of it has been issued.
struct WarpBegins {
  WarpId warp{};
  KernelId kernel{};
  const isa::Program* program = nullptr;
  std::uint32_t registers = 0;  ///< architected registers 0 .. registers - 1
  LaneMask lanes = kAllLanes;   ///< lanes that hold a thread
  CtaSlot cta_slot{};
};

/// Events come at any time of a cycle: what they bring takes effect in the next one. Records of instructions are valid
/// during the call.
class LifeListener {
 public:
  /// Subscriptions; called once, when the SM is built. An event without a subscriber costs nothing.
  virtual LifeSet hears() const { return {}; }

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
