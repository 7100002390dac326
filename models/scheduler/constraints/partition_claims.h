#pragma once

// Combines the register claims of all partitions of an SM for issue constraints. A claim is a warp's right to
// a register entry that is not allocated yet. A pool is a set of entries among which a register may be
// placed, for example a bank. Pools are numbered over all partitions.

#include <algorithm>
#include <limits>
#include <span>
#include <vector>

#include "models/ports/resource_view.h"

namespace heddle {

class PartitionClaims {
 public:
  /// Sets the register claims of each partition. nullptr: the registers of the partition have fixed entries,
  /// so no warp needs claims. If a partition has nullptr, this object stays empty.
  void assembled(std::span<const RegisterClaims* const> by_partition) {
    for (const RegisterClaims* claims : by_partition)
      if (claims == nullptr) return;
    all_.assign(by_partition.begin(), by_partition.end());
    for (const RegisterClaims* claims : all_) {
      first_pool_.push_back(pools_);
      pools_ += claims->capacity().size();
    }
  }

  bool any() const { return !all_.empty(); }
  std::span<const RegisterClaims* const> all() const { return all_; }
  const RegisterClaims& of(std::size_t partition) const { return *all_[partition]; }
  std::size_t pools() const { return pools_; }
  std::size_t pool_of(std::size_t partition, WarpId warp, RegId reg) const {
    return first_pool_[partition] + all_[partition]->pool_of(warp, reg);
  }
  int largest_pool() const {
    int most = 0;
    for (const RegisterClaims* claims : all_)
      for (const int entries : claims->capacity()) most = std::max(most, entries);
    return most;
  }
  bool exceeded_by(std::span<const int> need) const {
    std::size_t pool = 0;
    for (const RegisterClaims* claims : all_)
      for (const int entries : claims->capacity())
        if (need[pool++] > entries) return true;
    return false;
  }

  /// Updates the register claims of all partitions, unless this was already done in cycle `now`. With `now` =
  /// kNever, updates them in each call.
  void refresh(Cycle now) {
    if (now != kNever && now == refreshed_) return;
    refreshed_ = now;
    for (const RegisterClaims* claims : all_) claims->refresh();
  }
  bool is_refreshed(Cycle now) const { return now == refreshed_; }
  std::uint64_t changes() const {
    std::uint64_t changes = 0;
    for (const RegisterClaims* claims : all_) changes += claims->changes();
    return changes;
  }
  int most_claims() const {
    int most = 1;
    for (const RegisterClaims* claims : all_) most = std::max(most, claims->most_claims());
    return most;
  }
  void unclaimed(std::vector<int>& into) const {
    into.clear();
    for (const RegisterClaims* claims : all_) {
      const std::span<const int> free = claims->unclaimed();
      into.insert(into.end(), free.begin(), free.end());
    }
  }
  void charged(CtaSlot cta, std::vector<int>& into) const {
    into.clear();
    for (const RegisterClaims* claims : all_) {
      const std::span<const int> charged = claims->charged(cta);
      into.insert(into.end(), charged.begin(), charged.end());
    }
  }
  /// Returns the smallest headroom of the CTA over all pools (a pool is a bank, or all banks): unclaimed
  /// entries minus the entries that the CTA may still request. `whole`: the CTA's largest need in each pool.
  int margin(CtaSlot cta, std::span<const int> whole) const {
    int least = std::numeric_limits<int>::max();
    for (std::size_t p = 0; p < all_.size(); ++p) {
      const std::span<const int> free = all_[p]->unclaimed();
      const int* const charged = all_[p]->charged(cta).data();
      for (std::size_t i = 0; i < free.size(); ++i)
        least = std::min(least, free[i] + charged[i] - whole[first_pool_[p] + i]);
    }
    return least;
  }

 private:
  std::vector<const RegisterClaims*> all_;
  std::vector<std::size_t> first_pool_;
  std::size_t pools_ = 0;
  Cycle refreshed_ = kNever;
};

}  // namespace heddle
