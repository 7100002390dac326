#pragma once

// Balance counters of GPU-shrink (Jeon 2015, 8.1) in vectors: one number for each pool of physical registers
// of the SM (a bank of a partition). With C the most that any resident CTA needs in a pool and k what a CTA
// has been charged for, its balance C - k is what it may still ask for. Plain.
//
// A state is safe if some CTA's balances are all covered by what is free: that CTA can take whatever it may
// still ask for and end, and gives back k, so that C is free then, which covers every other CTA. Hence the
// rule: from a safe state into a safe one only. Jeon 2015's test, minimum of the balances < free, is the same
// for one pool and one register at a time; over several pools a minimum for each of them alone proves
// nothing.

#include <cstddef>
#include <span>
#include <vector>

#include "models/core/probe.h"

namespace heddle {

/// A query to the balances, in the state after begin() and add().
struct BalancePoint {
  struct Owner {
    int ctas = 0, pools = 0;
    int entries = 0;  ///< of the largest pool: no number of registers is larger
  };
  struct Cta {
    int number;
    std::span<const int> charged;
  };
  struct View {
    enum What : std::uint8_t { safe, plenty, may_take };
    What what = safe;
    std::span<const int> free, whole;
    std::span<const Cta> ctas;
    int asks = 0;  ///< may_take: the CTA, and its request
    std::span<const int> demand;
  };
  using Answer = int;  ///< safe: the CTA, -1 if none is; else 0 or 1
};

class RegisterBalance {
 public:
  RegisterBalance() = default;
  /// Where something is to look on: how many CTAs and pools there are, and entries in the largest pool.
  RegisterBalance(int ctas, int pools, int entries) : size_{ctas, pools, entries} {}
  /// The state alone: copies have no observer.
  RegisterBalance(const RegisterBalance& other)
      : free_(other.free_), whole_(other.whole_), ctas_(other.ctas_), size_(other.size_) {}
  RegisterBalance& operator=(const RegisterBalance&) = delete;

  ProbePoint& probe() { return probe_; }

  /// The state of this moment: free entries by pool, C by pool.
  void begin(std::span<const int> free, std::span<const int> whole) {
    free_ = free;
    whole_ = whole;
    ctas_.clear();
  }
  /// A resident CTA by its number, and what it has been charged for by pool.
  void add(int cta, std::span<const int> charged) { ctas_.push_back({cta, charged}); }

  /// The CTA that can end with what is free: the one with the smallest sum of balances, then the first added.
  /// -1: none.
  int safe_cta() const;
  /// Some CTA may still request less than is free, in every pool: others may issue (Jeon 2015: "the number of
  /// available physical registers is greater than the minimum").
  bool plenty() const;
  /// The CTA may take `demand` entries: afterwards some CTA is safe.
  bool may_take(int cta, std::span<const int> demand) const;

  /// Jeon 2015 as printed, on sums: free registers are more than the smallest balance.
  bool scalar_plenty() const;
  int scalar_smallest() const;  ///< the CTA with the smallest balance; -1 if there is none

 private:
  using Cta = BalancePoint::Cta;
  int asked(BalancePoint::View::What what, int asks, std::span<const int> demand, int answer) const;
  int balance(const Cta& cta, std::size_t pool) const { return whole_[pool] - cta.charged[pool]; }
  int sum(const Cta& cta) const;
  bool covered(const Cta& cta, std::span<const int> demand) const;

  std::span<const int> free_, whole_;
  std::vector<Cta> ctas_;
  BalancePoint::Owner size_;
  Probe<BalancePoint> probe_{size_};
};

}  // namespace heddle
