#pragma once

// What warps have claimed of the entries of a register file that gives them out as they are written. A
// register is claimed at issue of an instruction that writes it and until it is released, so that a write,
// from whatever stage above, finds an entry; what is on its way back is charged until it can be given again.
// Mapped <= claimed <= entries of a pool. Plain.
//
// Instructions claim by program_claims.h. What a strand has claimed and not written is given up after its end; a strand that
// begins without an end in front of it, as where the sides of a branch meet, goes on with the claims of the one before.

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
  /// Effect of refresh().
  void set_refresh(std::function<void()> refresh) { refresh_ = std::move(refresh); }

  /// As ProgramClaims.
  void set_kept_above(bool kept) { program_.set_kept_above(kept); }
  /// A result with this annotation takes an entry.
  bool takes_entry(const isa::OperandAnnotation& destination) const {
    return program_.comes_down(destination);
  }
  void program_begins(const isa::Program& program) { program_.begin(program); }
  const isa::Program* program() const { return program_.program(); }
  /// Entries by bank that cannot be claimed: the lowest `registers` of each warp lie there.
  void pin(std::span<const std::uint32_t> reserved, std::uint32_t registers);
  void warp_begins(WarpId warp, CtaSlot cta);

  /// The instruction was issued, for the lanes of `mask`.
  void issued(WarpId warp, const isa::Instruction& instruction, LaneMask mask);
  void claim(WarpId warp, RegId reg);
  /// The register is given up. What it is charged for ends by credit(), if this says so: else its strand
  /// claims it on.
  bool release(WarpId warp, RegId reg);
  /// Everything of the warp that holds no entry is given up, and free.
  void warp_ends(WarpId warp, const RegisterSet& mapped);
  CtaSlot cta_of(WarpId warp) const { return warps_[warp.value].cta; }
  /// An entry of the pool that was charged to the CTA can be given again.
  void credit(CtaSlot cta, std::size_t pool) {
    changed();
    ++unclaimed_[pool];
    --charged_[cta.value * unclaimed_.size() + pool];
  }

 private:
  struct Warp {
    RegisterSet claimed;
    RegisterSet strand;  ///< what the strand may write
    RegisterSet unused;  ///< of these, claimed for the strand alone so far
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
