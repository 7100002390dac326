#pragma once

// Counts the warps' claims on register-file entries, for a register file that allocates an entry when a
// register is written. A claim is a warp's right to an entry that is not allocated yet. The claim begins when
// an instruction that writes the register issues, and lasts until the register's release. Every write therefore
// finds an entry. After the release, the entry counts as claimed until it can be allocated again. In every pool
// (a bank, or all banks of a partition), mapped entries <= claimed entries <= all entries.
//
// program_claims.h defines which registers an instruction claims. When a warp reaches the end of a strand,
// the warp's claims for registers that the strand did not write also end. If the warp enters another strand
// without reaching this end, the claims stay.

#include <functional>
#include <span>
#include <vector>

#include "models/ports/register_file_parameters.h"
#include "models/ports/resource_view.h"
#include "models/stages/program_claims.h"

namespace heddle {

class ClaimBook final : public RegisterClaims {
 public:
  /// `pooled`: true if a register may lie in any bank, so that all banks are one pool.
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
  void set_refresh(std::function<void()> refresh) { refresh_ = std::move(refresh); }

  void set_kept_above(bool kept) { program_.set_kept_above(kept); }
  /// True if a result reaches the renaming stage and needs an entry. `destination`: compiler's annotation of
  /// the result, which names the levels to which the result is written.
  bool takes_entry(const isa::OperandAnnotation& destination) const {
    return program_.comes_down(destination);
  }
  void program_begins(const isa::Program& program) { program_.begin(program); }
  const isa::Program* program() const { return program_.program(); }
  /// Excludes entries from claims, for registers that have fixed entries. `reserved`: number of excluded
  /// entries of each bank. `registers`: number of registers of each warp, from register 0 on, that use these
  /// entries.
  void pin(std::span<const std::uint32_t> reserved, std::uint32_t registers);
  void warp_begins(WarpId warp, CtaSlot cta);

  void issued(WarpId warp, const isa::Instruction& instruction, LaneMask mask);
  void claim(WarpId warp, RegId reg);
  /// Ends the claim of the register. Returns true if the caller must call credit() when the entry is free.
  /// Returns false if the register was not claimed, or if the claim must last until the warp may be
  /// descheduled.
  bool release(WarpId warp, RegId reg);
  /// Ends all claims of the warp. For registers that have no entry yet, other warps can claim the entries at
  /// once. For registers with an entry (`mapped`), the caller must call credit() when the entry is free.
  void warp_ends(WarpId warp, const RegisterSet& mapped);
  CtaSlot cta_of(WarpId warp) const { return warps_[warp.value].cta; }
  /// Ends the claim of an entry after its release, so that another warp can claim the entry. `pool`: number
  /// of the entry's pool (a bank, or all banks of a partition). `cta`: CTA to which the entry was charged.
  void credit(CtaSlot cta, std::size_t pool) {
    changed();
    ++unclaimed_[pool];
    --charged_[cta.value * unclaimed_.size() + pool];
  }

 private:
  struct Warp {
    RegisterSet claimed;
    RegisterSet strand;  ///< registers that the warp may write before the warp may be descheduled
    RegisterSet unused;
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
  std::vector<int> charged_;
  std::vector<int> reserved_;
  std::uint32_t pinned_registers_ = 0;
  std::vector<Warp> warps_;
  ProgramClaims program_;
  std::function<void()> refresh_;
};

}  // namespace heddle
