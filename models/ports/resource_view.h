#pragma once

// Free resources of an SM, as families see them.

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

/// Claims of warps on a partition's physical registers, if registers get entries when they are written. A
/// register is claimed from the issue of the first instruction that writes it to its release. A register that
/// is being freed is charged until its entry can be allocated again. Entries are counted by pool: a pool is a
/// bank, or all banks if a register may lie in any bank. Without a subscriber to claims
/// (ConstraintNeeds::holdings), all entries stay unclaimed here.
class RegisterClaims {
 public:
  virtual ~RegisterClaims() = default;
  /// Updates the state to the current cycle: entries that were freed in earlier cycles become unclaimed.
  virtual void refresh() const {}
  /// Increases whenever unclaimed() or charged() may have changed, by at least one for each entry.
  std::uint64_t changes() const { return changes_; }
  /// By pool. unclaimed(): entries that are unclaimed and can be allocated. charged(): entries that are
  /// charged to all warps of a CTA.
  virtual std::span<const int> unclaimed() const = 0;
  virtual std::span<const int> charged(CtaSlot cta) const = 0;
  virtual std::span<const int> capacity() const = 0;
  virtual std::size_t pool_of(WarpId warp, RegId reg) const = 0;
  /// Number of the lowest registers of every warp that have entries of their own while the kernel runs. These
  /// registers are never claimed or charged, and their entries do not count as unclaimed.
  virtual std::uint32_t pinned() const { return 0; }
  /// Registers that the warp would claim by issuing the instruction.
  virtual RegisterSet claims_of(WarpId warp, const isa::Instruction& instruction) const = 0;
  /// Registers that the warp has claimed.
  virtual const RegisterSet& claimed_by(WarpId warp) const = 0;
  /// Upper limit of the claims of one instruction, over all instructions of the resident warps.
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
