#pragma once

// RtlGating over any Verilated gating_unit, whatever its number of clusters: included by rtl_blocks.cpp, and
// by tests for their mutants.

#include <verilated.h>

#include <memory>
#include <type_traits>

#include "testbench/cosim/rtl_blocks.h"

namespace heddle::cosim {

/// Bits [low, low + width) of a port of up to 64 bits.
template <class Port>
unsigned field_of(const Port& port, int low, int width) {
  static_assert(std::is_integral_v<Port>, "a port of more than 64 bits");
  return static_cast<unsigned>((static_cast<std::uint64_t>(port) >> low) & ((std::uint64_t{1} << width) - 1));
}

template <class Verilated>
class VerilatedGating : public RtlGating {
 public:
  static constexpr int kIdleBits = 10, kTimeBits = 10;  // as in CMakeLists.txt

  void reset(const Settings& s) override {
    v_->mode = static_cast<std::uint8_t>(s.mode);
    v_->adaptive = s.adaptive;
    v_->idle_detect_initial = static_cast<std::uint16_t>(s.idle_detect);
    v_->idle_detect_low = static_cast<std::uint16_t>(s.idle_detect_low);
    v_->idle_detect_high = static_cast<std::uint16_t>(s.idle_detect_high);
    v_->break_even = static_cast<std::uint16_t>(s.break_even);
    v_->wake_up_time = static_cast<std::uint16_t>(s.wake_up);
    v_->epoch_cycles = static_cast<std::uint32_t>(s.epoch_cycles);
    v_->threshold = static_cast<std::uint32_t>(s.threshold);
    v_->calm_epochs = static_cast<std::uint8_t>(s.calm_epochs);
    v_->rst = 1;
    eval({}, false);
    clock();
    v_->rst = 0;
  }
  void eval(const Inputs& inputs, bool begins) override {
    v_->clk = 0;
    v_->begin_kernel = begins;
    v_->in_use = static_cast<std::remove_cvref_t<decltype(v_->in_use)>>(inputs.in_use);
    v_->waiting = static_cast<std::uint8_t>(inputs.waiting);
    v_->demand = static_cast<std::uint8_t>(inputs.demand);
    v_->eval();
  }
  void clock() override {
    v_->clk = 1;
    v_->eval();
  }

  DomainSet sleep() const override { return v_->sleep; }
  DomainSet wake() const override { return v_->wake; }
  PowerState state(int i) const override { return static_cast<PowerState>(field_of(v_->state, 2 * i, 2)); }
  int timer(int i) const override { return int_of(v_->timer, kTimeBits * i, kTimeBits); }
  int idle_count(int i) const override { return int_of(v_->idle_count, kIdleBits * i, kIdleBits); }
  int idle_detect() const override { return v_->idle_detect; }
  int epoch_count() const override { return static_cast<int>(v_->epoch_count); }
  int critical_count() const override { return static_cast<int>(v_->critical_count); }

 private:
  template <class Port>
  static int int_of(const Port& port, int low, int width) {
    return static_cast<int>(field_of(port, low, width));
  }
  VerilatedContext context_;
  std::unique_ptr<Verilated> v_ = std::make_unique<Verilated>(&context_);
};

template <class Verilated>
class VerilatedGates : public RtlGates {
 public:
  void reset(const Settings& s) override {
    v_->switch_on_blackout = s.switch_on_blackout;
    v_->max_switch_cycles = static_cast<std::uint32_t>(s.max_switch_cycles);
    v_->rst = 1;
    eval({});
    clock({}, {});
    v_->rst = 0;
    eval({});
  }
  void eval(const Inputs& inputs) override {
    v_->clk = 0;
    v_->slots = static_cast<std::uint8_t>(inputs.slots);
    v_->awake = static_cast<std::uint8_t>(inputs.awake);
    v_->blackout = static_cast<std::uint8_t>(inputs.blackout);
    v_->eval();
  }
  void clock(const Counts& enter, const Counts& leave) override {
    v_->active_enter = static_cast<std::uint16_t>(packed(enter.active));
    v_->active_leave = static_cast<std::uint16_t>(packed(leave.active));
    v_->ready_enter = packed(enter.ready);
    v_->ready_leave = packed(leave.ready);
    v_->clk = 1;
    v_->eval();
  }
  bool fp_highest() const override { return v_->fp_highest; }
  unsigned slots_used() const override { return v_->slot_used; }
  int slot_type(int slot) const override { return static_cast<int>(field_of(v_->slot_type, 2 * slot, 2)); }
  int active(int type) const override { return static_cast<int>(field_of(v_->active, kBits * type, kBits)); }
  int ready(int type) const override { return static_cast<int>(field_of(v_->ready, kBits * type, kBits)); }

 private:
  static constexpr int kBits = 7;  // as in CMakeLists.txt
  template <std::size_t n>
  static std::uint32_t packed(const std::array<int, n>& counts) {
    std::uint32_t bits = 0;
    for (std::size_t i = 0; i < n; ++i) bits |= static_cast<std::uint32_t>(counts[i]) << (kBits * i);
    return bits;
  }
  VerilatedContext context_;
  std::unique_ptr<Verilated> v_ = std::make_unique<Verilated>(&context_);
};

}  // namespace heddle::cosim
