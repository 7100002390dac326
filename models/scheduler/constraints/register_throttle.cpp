// GPU-shrink's throttle (001, 8.1): with fewer physical registers than resident CTAs may ask for, CTAs are held
// back so that at least one of them can always end. Decides by register_balance.h, on what is claimed at this
// moment, issues of the same cycle included, over all partitions of the SM at once.
//
//  - A CTA joins when the state is safe with it; until then its warps wait. Its need counts the registers of
//    all its warps, ended ones too, until it ends: what it needs at most must not shrink below what the proof
//    has reckoned with.
//  - An instruction may claim registers only if some CTA is safe afterwards.
//  - While no CTA has less to ask for than is free, only the safe one issues.
//
// No dead-lock: some CTA is always safe; its warps are never held back here, what it claims it gets, and
// barriers are its own; when it ends all others are covered. A CTA that spins on another one is not covered.
// `test` "scalar" is 001's comparison of sums, which over several banks can run into a dead-lock.

#include <algorithm>
#include <optional>
#include <vector>

#include "models/core/registry.h"
#include "models/scheduler/constraints/register_balance.h"
#include "models/scheduler/i_issue_constraint.h"

namespace heddle {
namespace {

struct ThrottleParameters {
  std::string scope = "cta";
  std::string test = "vector";
  void fields(FieldVisitor& v) {
    v.field(
        "scope", scope, {"cta", "need"},
        "what waits while registers are short: all instructions of the other CTAs (001, 8.1), or those that "
        "need a register");
    v.field("test", test, {"vector", "scalar"},
            "what is compared: balances by bank, or their sums as printed (001, 8.1), which can dead-lock");
  }
};

class RegisterThrottle : public IssueConstraint {
 public:
  RegisterThrottle(const ThrottleParameters& p, Context& context)
      : need_only_(p.scope == "need"),
        scalar_(p.test == "scalar"),
        ctas_(static_cast<std::size_t>(context.ctas)),
        partitions_(context.partitions),
        schedulers_(context.schedulers) {}

  const char* own_reason() const override { return "registers"; }
  bool lasting() const override { return true; }
  ConstraintHears hears() const override { return {true, true, true}; }

  void assembled(std::span<const RegisterClaims* const> by_partition) override {
    for (const RegisterClaims* claims : by_partition)
      if (claims == nullptr) return;
    claims_.assign(by_partition.begin(), by_partition.end());
    std::size_t pools = 0;
    for (const RegisterClaims* claims : claims_) {
      first_pool_.push_back(pools);
      pools += claims->capacity().size();
    }
    balance_.emplace(static_cast<int>(ctas_.size()), static_cast<int>(pools));
  }
  void probes(const ProbeScope& scope) override {
    if (balance_ && !scalar_) scope.add(balance_->probe());
  }

  WarpSet blocked(const ConstraintView& view) override {
    if (!view.candidates || claims_.empty()) return 0;
    take_state();
    if (fresh_) join();
    if (roomy()) return view.candidates & outside_;
    WarpSet blocked;
    const bool plenty = scalar_ ? balance_->scalar_plenty() : balance_->plenty();
    const int chosen = plenty ? -1 : scalar_ ? balance_->scalar_smallest() : balance_->safe_cta();
    const RegisterClaims& claims = *claims_[static_cast<std::size_t>(view.partition)];
    const std::size_t first = first_pool_[static_cast<std::size_t>(view.partition)];
    for (const WarpId warp : view.candidates & ~view.bound) {
      const auto cta = static_cast<int>(view.warps[warp.value].cta.value);
      if (cta == chosen) continue;
      const RegisterSet words = claims.claims_of(warp, *view.instructions[warp.value]);
      if (outside_.contains(warp) || (!plenty && (!need_only_ || words.any())))
        blocked.add(warp);
      else if (!scalar_ && words.any() && !fits(claims, first, warp, cta, words))
        blocked.add(warp);
    }
    return blocked;
  }

  void cta_placed(CtaSlot slot, std::span<const WarpId> warps, std::uint32_t registers) override {
    Cta& cta = ctas_[slot.value];
    cta.warps.assign(warps.begin(), warps.end());
    cta.registers = registers;
    cta.resident = true;
    cta.joined = false;
    cta.placed = ++placed_;
    for (const WarpId warp : warps) outside_.add(warp);
    fresh_ = true;
  }
  void cta_ended(CtaSlot slot) override {
    ctas_[slot.value].resident = false;
    for (const WarpId warp : ctas_[slot.value].warps) outside_.remove(warp);
    renew_whole_ = true;
  }

 private:
  struct Cta {
    bool resident = false, joined = false;
    std::uint64_t placed = 0;
    std::uint32_t registers = 0;
    std::vector<WarpId> warps;
    std::vector<int> need, charged;  ///< by pool of the SM
  };

  // What is free, over the pools of all partitions.
  void take_state() {
    free_.clear();
    for (const RegisterClaims* claims : claims_) {
      const std::span<const int> free = claims->unclaimed();
      free_.insert(free_.end(), free.begin(), free.end());
    }
    if (renew_whole_) renew_whole();
  }
  bool roomy() {
    if (whole_.size() == free_.size()) {
      bool more = true;
      for (std::size_t p = 0; p < free_.size(); ++p) more = more && free_[p] > whole_[p];
      if (more) return true;
    }
    balance_->begin(free_, whole_);
    for (std::size_t slot = 0; slot < ctas_.size(); ++slot)
      if (ctas_[slot].resident && ctas_[slot].joined) add(static_cast<int>(slot));
    return false;
  }
  void add(int slot) {
    Cta& cta = ctas_[static_cast<std::size_t>(slot)];
    cta.charged.clear();
    for (const RegisterClaims* claims : claims_) {
      const std::span<const int> charged = claims->charged(CtaSlot(static_cast<std::uint32_t>(slot)));
      cta.charged.insert(cta.charged.end(), charged.begin(), charged.end());
    }
    balance_->add(slot, cta.charged);
  }

  int partition(WarpId warp) const { return static_cast<int>(warp.value) % schedulers_ % partitions_; }
  // In the order of placement, each as soon as the state is safe with it.
  void join() {
    fresh_ = false;
    std::vector<std::size_t> waiting;
    for (std::size_t slot = 0; slot < ctas_.size(); ++slot)
      if (ctas_[slot].resident && !ctas_[slot].joined) waiting.push_back(slot);
    std::sort(waiting.begin(), waiting.end(),
              [this](std::size_t a, std::size_t b) { return ctas_[a].placed < ctas_[b].placed; });
    for (const std::size_t slot : waiting)
      if (!try_to_join(slot)) fresh_ = true;
  }
  bool try_to_join(std::size_t slot) {
    Cta& cta = ctas_[slot];
    cta.need.assign(free_.size(), 0);
    for (const WarpId warp : cta.warps) {
      const auto p = static_cast<std::size_t>(partition(warp));
      for (std::uint32_t r = 0; r < cta.registers; ++r)
        ++cta.need[first_pool_[p] + claims_[p]->pool_of(warp, RegId(r))];
    }
    std::vector<int> before = whole_;
    whole_.resize(free_.size());
    for (std::size_t p = 0; p < whole_.size(); ++p) whole_[p] = std::max(whole_[p], cta.need[p]);
    cta.joined = true;
    balance_->begin(free_, whole_);
    for (std::size_t s = 0; s < ctas_.size(); ++s)
      if (ctas_[s].resident && ctas_[s].joined) add(static_cast<int>(s));
    if (!scalar_ && balance_->safe_cta() < 0) {
      cta.joined = false;
      whole_ = before;
      return false;
    }
    for (const WarpId warp : cta.warps) outside_.remove(warp);
    return true;
  }
  void renew_whole() {
    renew_whole_ = false;
    whole_.assign(free_.size(), 0);
    for (const Cta& cta : ctas_)
      if (cta.resident && cta.joined)
        for (std::size_t p = 0; p < whole_.size(); ++p) whole_[p] = std::max(whole_[p], cta.need[p]);
  }
  bool fits(const RegisterClaims& claims, std::size_t first, WarpId warp, int cta, const RegisterSet& words) {
    demand_.assign(free_.size(), 0);
    words.for_each([&](std::uint32_t r) { ++demand_[first + claims.pool_of(warp, RegId(r))]; });
    return balance_->may_take(cta, demand_);
  }

  bool need_only_, scalar_;
  std::vector<Cta> ctas_;  ///< by slot
  int partitions_, schedulers_;
  std::optional<RegisterBalance> balance_;
  std::vector<const RegisterClaims*> claims_;  ///< by partition; none: registers are never short here
  std::vector<std::size_t> first_pool_;
  std::vector<int> free_, whole_, demand_;
  WarpSet outside_ = 0;  ///< of CTAs that have not joined
  bool fresh_ = false;   ///< some CTA has not
  bool renew_whole_ = false;
  std::uint64_t placed_ = 0;
};

const Registration<IssueConstraint, RegisterThrottle, ThrottleParameters> register_throttle_entry{
    "register-throttle", "one CTA can always get the registers that it may need (001, 8.1)"};

}  // namespace
}  // namespace heddle
