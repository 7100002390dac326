#pragma once

// Counts the claims of warps on the entries of a register file that allocates entries when registers are
// written. A claim is a warp's right to an entry that is not allocated yet. A register is claimed from the
// issue of an instruction that writes it to its release, so that every write finds an entry. After the
// release, the entry stays charged until it can be allocated again. In every pool, mapped <= claimed <=
// entries. Plain C++.
//
// program_claims.h defines what an instruction claims. Registers that a strand has claimed and not written
// are freed after its end. A strand may begin without an end before it, for example where the sides of a
// branch meet. It then continues with the claims of the earlier strand.

#include <functional>
#include <span>
#include <vector>

#include "models/ports/register_file_parameters.h"
#include "models/ports/resource_view.h"
#include "models/stages/program_claims.h"

namespace heddle {

class ClaimBook final : public RegisterClaims {
 public:
  /// `pooled`: a register may lie in any bank.
  ClaimBook(const BankParameters& banks, int warps, bool pooled);

  std::span<const int> unclaimed() const override { return unclaimed_; }
  std::span<const int> charged(CtaSlot cta) const override;
  std::span<const int> capacity() const override { return capacity_; }
  std::uint32_t pinned() const override { return pinned_registers_; }
  std::size_t pool_of(WarpId warp, RegId reg) const override {
    return pooled_ ? 0 : layout_.bank_of(warp, reg);
  }
  RegisterSet claims_of(WarpId warp, const isa::Instruction& instruction) const override;
  const RegisterSet& claimed_by(WarpId warp) const override { return warps_[warp.value].claimed; }
  int most_claims() const override { return program_.most(); }
  void refresh() const override {
    if (refresh_) refresh_();
  }
  /// Sets the function that refresh() calls.
  void set_refresh(std::function<void()> refresh) { refresh_ = std::move(refresh); }

  /// See ProgramClaims::set_kept_above.
  void set_kept_above(bool kept) { program_.set_kept_above(kept); }
  /// True if a result with this annotation needs an entry.
  bool takes_entry(const isa::OperandAnnotation& destination) const {
    return program_.comes_down(destination);
  }
  void program_begins(const isa::Program& program) { program_.begin(program); }
  const isa::Program* program() const { return program_.program(); }
  /// Excludes entries from claims: `reserved` by bank, for the lowest `registers` registers of each warp.
  void pin(std::span<const std::uint32_t> reserved, std::uint32_t registers);
  void warp_begins(WarpId warp, CtaSlot cta);

  /// The instruction was issued for the lanes of `mask`.
  void issued(WarpId warp, const isa::Instruction& instruction, LaneMask mask);
  void claim(WarpId warp, RegId reg);
  /// Ends the claim of the register. Returns true if the caller must call credit() when the entry is free;
  /// false if the strand keeps the claim, or there was none.
  bool release(WarpId warp, RegId reg);
  /// Ends all claims of the warp. Claims of registers without an entry become free at once.
  void warp_ends(WarpId warp, const RegisterSet& mapped);
  CtaSlot cta_of(WarpId warp) const { return warps_[warp.value].cta; }
  /// An entry of the pool that was charged to the CTA can be allocated again.
  void credit(CtaSlot cta, std::size_t pool) {
    changed();
    ++unclaimed_[pool];
    --charged_[cta.value * unclaimed_.size() + pool];
  }

 private:
  struct Warp {
    RegisterSet claimed;
    RegisterSet strand;  ///< registers that the current strand may write
    RegisterSet unused;  ///< registers of `strand` that are claimed only for the strand so far
    bool in_strand = false;
    CtaSlot cta{};
  };
  void charge(WarpId warp, const RegisterSet& words);
  void charge(WarpId id, Warp& warp, std::uint32_t reg) {
    changed();
    warp.claimed.set(reg);
    const std::size_t pool = pool_of(id, RegId(reg));
    --unclaimed_[pool];
    ++charged_[warp.cta.value * unclaimed_.size() + pool];
  }
  void issued_in_strand(WarpId id, const isa::Instruction& instruction, LaneMask mask);
  void end_strand(WarpId id);

  BankLayout layout_;
  bool pooled_;
  std::vector<int> capacity_, unclaimed_;
  std::vector<int> charged_;  ///< by CTA slot and pool
  std::vector<int> reserved_;
  std::uint32_t pinned_registers_ = 0;
  std::vector<Warp> warps_;
  ProgramClaims program_;
  std::function<void()> refresh_;
};

}  // namespace heddle
