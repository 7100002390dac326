#pragma once

// The Verilated blocks of rtl/ behind interfaces of our own: nothing else includes what Verilator writes.
//
// A block's cycle: eval() with the inputs of the cycle, outputs are read, clock() is the edge at its end; the
// next eval() belongs to the next cycle.

#include <array>
#include <cstdint>
#include <memory>
#include <string>

#include "models/core/power_state.h"

namespace heddle::cosim {

/// rtl/gating_unit.v.
class RtlGating {
 public:
  enum class Mode : std::uint8_t { conventional = 0, naive = 1, coordinated = 2 };
  struct Settings {
    Mode mode = Mode::conventional;
    bool adaptive = false;
    int idle_detect = 5, idle_detect_low = 5, idle_detect_high = 10;
    int break_even = 14, wake_up = 3;
    int epoch_cycles = 1000, threshold = 5, calm_epochs = 4;
  };
  struct Inputs {
    DomainSet in_use = 0;
    int waiting = 0, demand = 0;
  };
  virtual ~RtlGating() = default;

  /// Power-on with these settings, which stay as they are.
  virtual void reset(const Settings& settings) = 0;
  /// `begins`: a kernel begins with the edge at the end of this cycle.
  virtual void eval(const Inputs& inputs, bool begins) = 0;
  virtual void clock() = 0;

  virtual DomainSet sleep() const = 0;
  virtual DomainSet wake() const = 0;
  virtual PowerState state(int domain) const = 0;
  virtual int timer(int domain) const = 0;       ///< cycles left of the state, this one included
  virtual int idle_count(int domain) const = 0;  ///< idle cycles before this one
  virtual int idle_detect() const = 0;
  virtual int epoch_count() const = 0;
  virtual int critical_count() const = 0;
};

/// rtl/gates_unit.v.
class RtlGates {
 public:
  static constexpr int kSlots = 4;
  struct Settings {
    bool switch_on_blackout = true;
    int max_switch_cycles = 0;
  };
  struct Counts {
    std::array<int, 2> active{};  ///< INT, FP
    std::array<int, 4> ready{};   ///< INT, FP, SFU, LDST
  };
  struct Inputs {
    int slots = 1;
    unsigned awake = 0;     ///< bit u: type u
    unsigned blackout = 0;  ///< bit 0 INT, bit 1 FP
  };
  virtual ~RtlGates() = default;

  virtual void reset(const Settings& settings) = 0;
  virtual void eval(const Inputs& inputs) = 0;
  /// The edge at the end of the cycle, in which so many warps enter and leave the counters.
  virtual void clock(const Counts& enter, const Counts& leave) = 0;

  virtual bool fp_highest() const = 0;
  virtual unsigned slots_used() const = 0;  ///< bit s
  virtual int slot_type(int slot) const = 0;
  virtual int active(int type) const = 0;
  virtual int ready(int type) const = 0;
};

/// What makes the blocks. Tests put blocks of their own in place of the Verilated ones.
struct RtlMakers {
  /// For a group of so many domains; nullptr if none has been Verilated.
  std::unique_ptr<RtlGating> (*gating)(int domains);
  std::unique_ptr<RtlGates> (*gates)();
};
RtlMakers& rtl_makers();

/// Numbers of domains for which there is a block, for messages.
std::string rtl_gating_sizes();

}  // namespace heddle::cosim
