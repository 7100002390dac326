#pragma once

// Stands in for a register file in tests of the issue constraint "register-throttle". It stores which
// registers simulated warps have claimed.

#include <array>
#include <span>
#include <vector>

#include "models/ports/resource_view.h"
#include "models/scheduler/i_issue_constraint.h"

namespace heddle::throttle_rig {

constexpr std::uint32_t kRegisters = 4, kWarps = 16, kCtas = 6;
constexpr int kBanks = 2;

/// One partition's physical registers. Register r of warp w lies in bank (w + r) mod kBanks.
class Claims : public RegisterClaims {
 public:
  explicit Claims(int entries) : capacity_(kBanks, entries), free_(capacity_), charged_(kCtas * kBanks) {}
  std::span<const int> unclaimed() const override { return free_; }
  std::span<const int> charged(CtaSlot cta) const override { return {&charged_[cta.value * kBanks], kBanks}; }
  std::span<const int> capacity() const override { return capacity_; }
  std::size_t pool_of(WarpId warp, RegId reg) const override { return (warp.value + reg.value) % kBanks; }
  RegisterSet claims_of(WarpId warp, const isa::Instruction& i) const override {
    RegisterSet words;
    for (const isa::Operand& o : i.destinations()) words.set(o.reg.value);
    return words.without(held[warp.value]);
  }
  int most_claims() const override { return 2; }
  const RegisterSet& claimed_by(WarpId warp) const override { return held[warp.value]; }
  bool take(WarpId warp, CtaSlot cta, const RegisterSet& words) {
    bool there = true;
    words.for_each([&](std::uint32_t r) {
      changed();
      const std::size_t pool = pool_of(warp, RegId(r));
      there = --free_[pool] >= 0 && there;
      ++charged_[cta.value * kBanks + pool];
    });
    held[warp.value].merge(words);
    return there;
  }
  void give(WarpId warp, CtaSlot cta, std::uint32_t r) {
    changed();
    const std::size_t pool = pool_of(warp, RegId(r));
    ++free_[pool];
    --charged_[cta.value * kBanks + pool];
    held[warp.value].clear(r);
  }

  std::array<RegisterSet, kWarps> held;

 private:
  std::vector<int> capacity_, free_, charged_;
};

inline isa::Instruction writing(std::uint32_t first, std::uint32_t count) {
  isa::Instruction i;
  i.op = isa::Opcode::add;
  for (std::uint32_t n = 0; n < count; ++n)
    i.add_dst(isa::Operand::make_reg(RegId((first + n) % kRegisters), 32));
  return i;
}

}  // namespace heddle::throttle_rig
