#pragma once

// What an SM has left of its resources, as families show them to each other.

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

/// What warps have claimed of a partition's physical registers, where these are given to architected ones as
/// they are written. A register is claimed from the issue of the first instruction that writes it to its
/// release; what is on its way back is charged until it can be given again. Entries are counted by pool: a
/// pool is a bank, or, where a register may lie in any bank, all of them. Where nobody follows the claims
/// (ConstraintNeeds::holdings), all entries stay unclaimed here.
class RegisterClaims {
 public:
  virtual ~RegisterClaims() = default;
  /// Brings what is said here to the present cycle: what came back in earlier ones is free.
  virtual void refresh() const {}
  /// Grows whenever unclaimed() or charged() may say something else, by one for each entry at least.
  std::uint64_t changes() const { return changes_; }
  /// By pool: entries that nobody has claimed and that can be given; of all warps of a CTA, those charged.
  virtual std::span<const int> unclaimed() const = 0;
  virtual std::span<const int> charged(CtaSlot cta) const = 0;
  virtual std::span<const int> capacity() const = 0;
  virtual std::size_t pool_of(WarpId warp, RegId reg) const = 0;
  /// So many of the lowest registers of every warp have entries of their own while the kernel runs: they are never claimed or
  /// charged, and their entries are not among the unclaimed ones.
  virtual std::uint32_t pinned() const { return 0; }
  /// What the warp would claim anew by issuing the instruction.
  virtual RegisterSet claims_of(WarpId warp, const isa::Instruction& instruction) const = 0;
  /// What the warp has claimed.
  virtual const RegisterSet& claimed_by(WarpId warp) const = 0;
  /// No instruction of the resident warps claims more.
  virtual int most_claims() const { return std::numeric_limits<int>::max(); }

 protected:
  void changed() { ++changes_; }

 private:
  std::uint64_t changes_ = 0;
};

/// Physical warp-wide register entries of one partition, by bank.
struct RegisterBudget {
  std::vector<int> free;
  std::vector<int> capacity;
  const RegisterClaims* holdings = nullptr;  ///< nullptr: every register of a resident warp has its entry
};

struct ResourceView {
  std::vector<RegisterBudget> registers;  ///< by partition
};

}  // namespace heddle
