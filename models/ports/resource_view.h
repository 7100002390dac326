#pragma once

// Free registers of an SM by bank, for issue constraints and CTA admission.

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "models/core/ids.h"
#include "models/core/register_set.h"

namespace heddle {

namespace isa {
struct Instruction;
}

/// Register claims of warps in one partition, for register files in which a register gets an entry at its
/// first write. A claim is a warp's right to an entry. A claim begins when the first instruction that writes
/// the register issues, and ends when the register is released. Entries are counted by pool: a pool is a
/// bank, or all banks if a register may lie in any bank. A released register is still charged to its CTA
/// until its entry can be allocated again.
class RegisterClaims {
 public:
  virtual ~RegisterClaims() = default;
  virtual void refresh() const {}
  /// Returns a number that grows when unclaimed() or charged() may have changed: by at least 1 for each
  /// element that may have changed. Callers use this number to detect changes.
  std::uint64_t changes() const { return changes_; }
  /// unclaimed(): entries of each pool that are not claimed and can be allocated. charged(): entries of each
  /// pool that are charged to the warps of a CTA.
  virtual std::span<const int> unclaimed() const = 0;
  virtual std::span<const int> charged(CtaSlot cta) const = 0;
  virtual std::span<const int> capacity() const = 0;
  virtual std::size_t pool_of(WarpId warp, RegId reg) const = 0;
  /// Returns a number n. Registers 0 to n - 1 of every warp have a fixed entry while the kernel runs. No
  /// instruction claims these registers, and unclaimed() and charged() do not count their entries.
  virtual std::uint32_t pinned() const { return 0; }
  /// Returns the registers that the warp would claim by issuing the instruction.
  virtual RegisterSet claims_of(WarpId warp, const isa::Instruction& instruction) const = 0;
  virtual const RegisterSet& claimed_by(WarpId warp) const = 0;
  /// Returns an upper limit of the number of registers that a single instruction of the resident warps can
  /// claim.
  virtual int most_claims() const { return std::numeric_limits<int>::max(); }

 protected:
  void changed() { ++changes_; }

 private:
  std::uint64_t changes_ = 0;
};

/// Numbers of register entries of one partition, by bank. Each entry holds one register of a warp (32 lanes).
struct RegisterBudget {
  std::vector<int> free;
  std::vector<int> capacity;
  /// Claims on entries; nullptr: every register of a resident warp has its own entry.
  const RegisterClaims* holdings = nullptr;
};

struct ResourceView {
  std::vector<RegisterBudget> registers;
};

}  // namespace heddle
