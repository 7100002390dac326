#pragma once

// Models the balance counters of GPU-shrink (Jeon 2015, 8.1), which decide whether a CTA may take more physical
// registers. Each pool of registers (a bank of a partition) has a counter for each CTA. C is the largest number
// of entries that any resident CTA needs in the pool. k is the number of entries that have been charged to the
// CTA. The balance C - k is the number of entries that the CTA may still request.
//
// A state is safe if the free entries cover the balances of at least one CTA in all pools. This CTA can run
// to its end. It then frees its k entries, so that C entries are free, which is enough for any other CTA.
// Therefore the constraint `register-throttle` allows only changes after which the state is safe again.
//
// Jeon 2015 tests whether the smallest balance is less than the number of free registers. For one pool and one
// register at a time, this test gives the same result. With several pools, the smallest balances can belong to
// different CTAs. The test then does not prove that the free entries cover one and the same CTA in all pools.

#include <cstddef>
#include <span>
#include <vector>

#include "models/core/probe.h"

namespace heddle {

/// Probe point of each query about the register balances, for observers and Verilog blocks.
struct BalancePoint {
  struct Owner {
    int ctas = 0, pools = 0;
    int entries = 0;
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
    int requester = 0;
    std::span<const int> demand;
  };
  /// Answer to a query. For the query `safe`: a CTA that can run to its end, or -1. For all other queries: 1
  /// for true, 0 for false.
  using Answer = int;
};

class RegisterBalance {
 public:
  RegisterBalance() = default;
  RegisterBalance(int ctas, int pools, int entries) : size_{ctas, pools, entries} {}
  /// Copies the balances, but not the observers of the probe.
  RegisterBalance(const RegisterBalance& other)
      : free_(other.free_), whole_(other.whole_), ctas_(other.ctas_), size_(other.size_) {}
  RegisterBalance& operator=(const RegisterBalance&) = delete;

  ProbePoint& probe() { return probe_; }

  /// Sets the free entries and C (largest need of a resident CTA) of each pool. The spans must stay valid
  /// until the last query.
  void begin(std::span<const int> free, std::span<const int> whole) {
    free_ = free;
    whole_ = whole;
    ctas_.clear();
  }
  /// Adds a resident CTA. `charged`: entries of each pool that are charged to the CTA
  /// (RegisterClaims::charged()). A pool is a bank, or all banks.
  void add(int cta, std::span<const int> charged) { ctas_.push_back({cta, charged}); }

  /// Returns a CTA that can run to its end with the free entries, or -1. If there are several, returns the
  /// CTA that may request the fewest further entries, summed over all pools; among equals, the CTA that was
  /// added first.
  int safe_cta() const;
  /// True if there is a CTA for which, in every pool, more entries are free than the CTA may still request.
  /// In this case, all CTAs may issue (Jeon 2015, 8.1: "the number of available physical registers is greater
  /// than the minimum").
  bool has_headroom() const;
  /// True if at least one CTA can still run to its end after `cta` has taken `demand` entries (by pool).
  bool may_take(int cta, std::span<const int> demand) const;

  /// Applies the test as printed in Jeon 2015, 8.1, which does not distinguish pools: true if at least one
  /// CTA's balances, summed over all pools, are smaller than the number of free registers of all pools.
  bool scalar_has_headroom() const;
  int scalar_smallest() const;

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
