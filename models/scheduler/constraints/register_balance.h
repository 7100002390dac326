#pragma once

// Models the balance counters of GPU-shrink (Jeon 2015, 8.1) as vectors with one number for each pool of
// physical registers. A pool is a bank of a partition. C is the most that any resident CTA needs in a pool,
// and k is what a CTA has been charged for. The balance C - k is what the CTA may still request. Plain C++.
//
// A state is safe if the free entries cover all balances of at least one CTA. This CTA can take all entries
// that it may still request, and can end. It then frees k entries, so that C are free, which covers every
// other CTA. The rule is therefore to go only from a safe state to a safe state.
//
// Jeon 2015 tests whether the smallest balance is less than the free registers. For one pool and one register
// at a time, both tests are the same. Over several pools, a minimum for each pool alone does not prove that
// one CTA is covered in all pools.

#include <cstddef>
#include <span>
#include <vector>

#include "models/core/probe.h"

namespace heddle {

/// Probe point of each query, in the state after begin() and add().
struct BalancePoint {
  struct Owner {
    int ctas = 0, pools = 0;
    int entries = 0;  ///< entries of the largest pool, an upper limit of all numbers of registers
  };
  struct Cta {
    int number;
    std::span<const int> charged;
  };
  struct View {
    enum What : std::uint8_t { safe, headroom, may_take };
    What what = safe;
    std::span<const int> free, whole;
    std::span<const Cta> ctas;
    int requester = 0;  ///< for may_take: the CTA, which requests `demand`
    std::span<const int> demand;
  };
  using Answer = int;  ///< query `safe`: a safe CTA, or -1 if there is none; other queries: 0 or 1
};

class RegisterBalance {
 public:
  RegisterBalance() = default;
  /// With a probe point, whose observers need the number of CTAs and pools, and the entries of the largest
  /// pool.
  RegisterBalance(int ctas, int pools, int entries) : size_{ctas, pools, entries} {}
  /// Copies the state. The copy has no observer.
  RegisterBalance(const RegisterBalance& other)
      : free_(other.free_), whole_(other.whole_), ctas_(other.ctas_), size_(other.size_) {}
  RegisterBalance& operator=(const RegisterBalance&) = delete;

  ProbePoint& probe() { return probe_; }

  /// Sets the state: free entries by pool, and C by pool. The spans must stay valid until the last query.
  void begin(std::span<const int> free, std::span<const int> whole) {
    free_ = free;
    whole_ = whole;
    ctas_.clear();
  }
  /// Adds a resident CTA with its number and the entries that it has been charged for, by pool.
  void add(int cta, std::span<const int> charged) { ctas_.push_back({cta, charged}); }

  /// Returns a CTA that can end with the free entries: the CTA with the smallest sum of balances, then the
  /// one added first. Returns -1 if there is none.
  int safe_cta() const;
  /// True if some CTA may request fewer entries than are free, in every pool. Other CTAs may then issue (Jeon
  /// 2015: "the number of available physical registers is greater than the minimum").
  bool has_headroom() const;
  /// True if some CTA is safe after the CTA has taken `demand` entries by pool.
  bool may_take(int cta, std::span<const int> demand) const;

  /// The test as printed in Jeon 2015, on sums over all pools: more registers are free than the smallest
  /// balance.
  bool scalar_has_headroom() const;
  int scalar_smallest() const;  ///< the CTA with the smallest balance, or -1 if there is none

 private:
  using Cta = BalancePoint::Cta;
  int observed(BalancePoint::View::What what, int requester, std::span<const int> demand, int answer) const;
  int balance(const Cta& cta, std::size_t pool) const { return whole_[pool] - cta.charged[pool]; }
  int sum(const Cta& cta) const;
  bool covered(const Cta& cta, std::span<const int> demand) const;

  std::span<const int> free_, whole_;
  std::vector<Cta> ctas_;
  BalancePoint::Owner size_;
  Probe<BalancePoint> probe_{size_};
};

}  // namespace heddle
