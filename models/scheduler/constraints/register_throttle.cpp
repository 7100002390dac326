// Models the throttle of GPU-shrink (Jeon 2015, 8.1). An SM has fewer physical registers than its resident
// CTAs may request. The throttle blocks instructions so that at least one CTA can always run to its end. The
// throttle applies the tests of register_balance.h to the claims of all partitions of the SM. A pool is a
// bank of a partition.
//
// - A CTA is admitted if the state stays safe with this CTA: at least one CTA can still run to its end. Until a
//   CTA is admitted, its warps do not issue. The need of a CTA counts the registers of all its warps until the
//   CTA ends. Pinned registers do not count, because they have entries of their own.
// - An instruction may claim registers only if the state is safe afterwards.
// - A CTA has headroom if each pool has more free entries than the CTA may still request. While no CTA has
//   headroom, only one CTA issues: a CTA that can run to its end.
//
// The throttle causes no deadlock. Some CTA can always run to its end, and its claims are granted. Every CTA
// counts with the largest need of all resident CTAs. When the CTA ends, at least this number of entries is
// free, which is enough for any other CTA. This proof does not cover a CTA that spins until another CTA has
// acted.
//
// With `test` = "scalar", the throttle compares sums over all banks, as Jeon 2015 does. With several banks this
// comparison can deadlock.
//
// A CTA may need more entries of a pool than exist. Such a CTA runs alone on the SM. spill_choice.h then
// decides which of its warps are spilled to memory. With `on_shortage` = "refuse", such a CTA is not
// admitted.

#include <algorithm>
#include <optional>
#include <vector>

#include "models/core/part_arrays.h"
#include "models/core/registry.h"
#include "models/ports/warp_homes.h"
#include "models/scheduler/constraints/partition_claims.h"
#include "models/scheduler/constraints/register_balance.h"
#include "models/scheduler/constraints/spilling_cta.h"
#include "models/scheduler/i_issue_constraint.h"

namespace heddle {
namespace {

struct ThrottleParameters {
  std::string scope = "cta";
  std::string test = "vector";
  std::string on_shortage = "refuse";
  void fields(FieldVisitor& v) {
    v.field("scope", scope, {"cta", "need"},
            "instructions that wait while registers are short: all of the other CTAs (Jeon 2015, 8.1), or "
            "only those that need a register");
    v.field("test", test, {"vector", "scalar"},
            "values that are compared: balances by bank, or their sums as printed (Jeon 2015, 8.1), which "
            "can dead-lock");
    v.field("on_shortage", on_shortage, {"spill", "refuse"},
            "treatment of a CTA that may need more registers than exist: its waiting warps are spilled to "
            "memory and read back (Jeon 2015, 8.1), or the CTA is not admitted");
  }
};

}  // namespace

class RegisterThrottle final : public IssueConstraint, public SpillDecision {
 public:
  RegisterThrottle(const ThrottleParameters& p, Context& context)
      : need_only_(p.scope == "need"),
        scalar_(p.test == "scalar"),
        spills_(p.on_shortage == "spill"),
        ctas_(static_cast<std::size_t>(context.ctas)),
        homes_{static_cast<std::uint32_t>(context.schedulers),
               static_cast<std::uint32_t>(context.partitions)} {
    if (spills_ && context.host)
      spilling_.moves_by({context.host, this, homes_, context.warps, context.stats->scope("spiller")});
  }

  const char* own_reason() const override { return "registers"; }
  bool lasting() const override { return true; }
  ConstraintNeeds needs() const override { return {.issues = true, .changes = true, .holdings = true}; }
  LifeSet subscriptions() const override { return {Life::cta_begins, Life::cta_ends}; }

  std::uint64_t changes(Cycle now) override {
    if (claims_.any()) look(now);
    if (over_capacity_ >= 0) ++changes_;
    return changes_;
  }

  WarpResidency* residency() override { return spilling_.spiller(); }

  void assembled(std::span<const RegisterClaims* const> by_partition) override {
    claims_.assembled(by_partition);
    if (!claims_.any()) return;
    whole_.assign(claims_.pools(), 0);
    spilling_.assembled(claims_.all());
    balance_.emplace(static_cast<int>(ctas_.size()), static_cast<int>(claims_.pools()),
                     claims_.largest_pool());
  }
  void probes(const ProbeScope& scope) override {
    if (balance_ && !scalar_) scope.add(balance_->probe());
  }

  WarpSet blocked(const ConstraintView& view) override {
    return has_ample_headroom(view) ? view.candidates & ~view.bound & unadmitted_ : find_blocked(view);
  }

  SpillOrders order_spills(const SpillView& view) override {
    if (!claims_.any()) return {};
    look(kNever);
    return over_capacity_ >= 0 ? spilling_.order(view) : SpillOrders{};
  }

  void cta_begins(const CtaBegins& begins) override {
    Cta& cta = ctas_[begins.slot.value];
    cta.warps.assign(begins.warps.begin(), begins.warps.end());
    cta.registers = begins.registers;
    cta.resident = true;
    cta.admitted = false;
    cta.placed = ++placed_;
    for (const WarpId warp : begins.warps) unadmitted_.add(warp);
    has_waiting_ctas_ = ctas_changed_ = true;
  }
  void cta_ends(CtaSlot slot) override {
    ctas_[slot.value].resident = false;
    for (const WarpId warp : ctas_[slot.value].warps) unadmitted_.remove(warp);
    if (over_capacity_ == static_cast<int>(slot.value)) over_capacity_ = -1;
    renew_whole_ = ctas_changed_ = true;
  }

 private:
  struct Cta {
    bool resident = false, admitted = false;
    std::uint64_t placed = 0;
    std::uint32_t registers = 0;
    std::vector<WarpId> warps;
    std::vector<int> need, charged;
  };

  WarpSet find_blocked(const ConstraintView& view);
  bool has_ample_headroom(const ConstraintView& view) const {
    return has_headroom_ && over_capacity_ < 0 && !ctas_changed_ && claims_.is_refreshed(view.now) &&
           claims_.changes() == seen_changes_ &&
           margin_ >= claims_.of(static_cast<std::size_t>(view.partition)).most_claims();
  }

  // Updates the throttle's state: admits waiting CTAs, and searches for a CTA with headroom (each pool has
  // more free entries than the CTA may still request). The search starts with the CTA that the last call
  // found. If this CTA still has headroom, no other CTA need be checked.
  void look(Cycle now) {
    claims_.refresh(now);
    const std::uint64_t changes = claims_.changes();
    if (changes != seen_changes_ || ctas_changed_) evaluate(changes);
  }
  void evaluate(std::uint64_t changes) {
    const std::uint64_t passed = changes - seen_changes_;
    seen_changes_ = changes;
    if (keeps_ample_headroom(passed)) return;
    ++changes_;
    ctas_changed_ = gathered_ = false;
    if (renew_whole_) renew_whole();
    if (has_waiting_ctas_) admit_waiting();
    if (over_capacity_ >= 0) return;
    only_cta_ = -1;
    if (!scalar_ && is_admitted(headroom_cta_) && (margin_ = margin(headroom_cta_)) > 0) {
      has_headroom_ = true;
      return;
    }
    gather();
    has_headroom_ = scalar_ ? balance_->scalar_has_headroom() : balance_->has_headroom();
    margin_ = 0;
    if (!has_headroom_) only_cta_ = scalar_ ? balance_->scalar_smallest() : balance_->safe_cta();
    for (std::size_t slot = 0; has_headroom_ && !scalar_ && slot < ctas_.size(); ++slot)
      if (is_admitted(slot) && margin(slot) > margin_) margin_ = margin(headroom_cta_ = slot);
  }
  // True if the free entries certainly cover the claims of one more instruction. `changes`: number of changes
  // of claims since margin_ was computed. A change takes at most one entry, so at least margin_ - changes
  // entries are free.
  bool keeps_ample_headroom(std::uint64_t changes) {
    if (ctas_changed_ || has_waiting_ctas_ || scalar_ || over_capacity_ >= 0 || !has_headroom_) return false;
    if (changes > static_cast<std::uint64_t>(margin_) ||
        margin_ - static_cast<int>(changes) < claims_.most_claims())
      return false;
    margin_ -= static_cast<int>(changes);
    gathered_ = false;
    return true;
  }
  bool is_admitted(std::size_t slot) const { return ctas_[slot].resident && ctas_[slot].admitted; }
  int margin(std::size_t slot) const {
    return claims_.margin(CtaSlot(static_cast<std::uint32_t>(slot)), whole_);
  }
  void gather() {
    gathered_ = true;
    claims_.unclaimed(free_);
    balance_->begin(free_, whole_);
    for (std::size_t slot = 0; slot < ctas_.size(); ++slot) {
      if (!is_admitted(slot)) continue;
      claims_.charged(CtaSlot(static_cast<std::uint32_t>(slot)), ctas_[slot].charged);
      balance_->add(static_cast<int>(slot), ctas_[slot].charged);
    }
  }

  // Admits waiting CTAs in the order of their placement, as long as at least one CTA can run to its end
  // afterwards.
  void admit_waiting() {
    has_waiting_ctas_ = false;
    std::vector<std::size_t> waiting;
    for (std::size_t slot = 0; slot < ctas_.size(); ++slot)
      if (ctas_[slot].resident && !ctas_[slot].admitted) waiting.push_back(slot);
    std::sort(waiting.begin(), waiting.end(),
              [this](std::size_t a, std::size_t b) { return ctas_[a].placed < ctas_[b].placed; });
    for (const std::size_t slot : waiting) {
      (try_to_admit(slot) ? ctas_changed_ : has_waiting_ctas_) = true;
      if (!ctas_[slot].admitted && exceeds_capacity(ctas_[slot])) return;
    }
  }
  bool try_to_admit(std::size_t slot) {
    Cta& cta = ctas_[slot];
    cta.need.assign(whole_.size(), 0);
    for (const WarpId warp : cta.warps) {
      const auto p = std::size_t{homes_.partition(warp)};
      for (std::uint32_t r = claims_.of(p).pinned(); r < cta.registers; ++r)
        ++cta.need[claims_.pool_of(p, warp, RegId(r))];
    }
    if (over_capacity_ >= 0) return false;
    if (spills_ && exceeds_capacity(cta)) return admit_alone(slot);
    std::vector<int> before = whole_;
    for (std::size_t p = 0; p < whole_.size(); ++p) whole_[p] = std::max(whole_[p], cta.need[p]);
    cta.admitted = true;
    gather();
    if (!scalar_ && balance_->safe_cta() < 0) {
      cta.admitted = false;
      whole_ = before;
      return false;
    }
    for (const WarpId warp : cta.warps) unadmitted_.remove(warp);
    return true;
  }
  // True if the CTA needs more entries of some pool than exist. The caller must have set cta.need.
  bool exceeds_capacity(const Cta& cta) const { return claims_.exceeded_by(cta.need); }
  bool admit_alone(std::size_t slot) {
    if (std::any_of(ctas_.begin(), ctas_.end(), [](const Cta& c) { return c.resident && c.admitted; }))
      return false;
    ctas_[slot].admitted = true;
    over_capacity_ = static_cast<int>(slot);
    const auto partition_of = [this](WarpId warp) { return std::size_t{homes_.partition(warp)}; };
    spilling_.begin(ctas_[slot].warps, ctas_[slot].registers, partition_of);
    for (const WarpId warp : ctas_[slot].warps) unadmitted_.remove(warp);
    return true;
  }
  void renew_whole() {
    renew_whole_ = false;
    std::fill(whole_.begin(), whole_.end(), 0);
    for (const Cta& cta : ctas_)
      if (cta.resident && cta.admitted && !exceeds_capacity(cta))
        for (std::size_t p = 0; p < whole_.size(); ++p) whole_[p] = std::max(whole_[p], cta.need[p]);
  }
  bool fits(int partition_number, WarpId warp, int cta, const RegisterSet& words) {
    const auto p = static_cast<std::size_t>(partition_number);
    if (words.count() <= margin_) return true;
    if (!gathered_) gather();
    demand_.assign(free_.size(), 0);
    words.for_each([&](std::uint32_t r) { ++demand_[claims_.pool_of(p, warp, RegId(r))]; });
    return balance_->may_take(cta, demand_);
  }

  bool need_only_, scalar_, spills_;
  std::vector<Cta> ctas_;
  WarpHomes homes_;
  std::optional<RegisterBalance> balance_;
  PartitionClaims claims_;
  std::vector<int> whole_;
  std::vector<int> free_, demand_;
  WarpSet unadmitted_ = 0;
  bool has_waiting_ctas_ = false;
  bool renew_whole_ = false;
  bool ctas_changed_ = true;
  std::uint64_t seen_changes_ = 0;
  std::uint64_t changes_ = 0;
  bool gathered_ = false;
  /// True if, at the last look(), there was a CTA for which every pool had more free entries than the CTA may
  /// still request.
  bool has_headroom_ = false;
  /// The only CTA that may issue while has_headroom_ is false; -1: none.
  int only_cta_ = -1;
  std::size_t headroom_cta_ = 0;
  /// At least this number of entries of every pool stays free after CTA headroom_cta_ has been given all
  /// registers that it may still request; 0: unknown.
  int margin_ = 0;
  std::uint64_t placed_ = 0;
  int over_capacity_ = -1;
  SpillingCta spilling_;
};

// Computes the result of blocked() if warps may have to be blocked. This code is a separate function, so that
// the frequent case, in which no warp is blocked, need not save host registers.
WarpSet RegisterThrottle::find_blocked(const ConstraintView& view) {
  if (!view.candidates || !claims_.any()) return 0;
  look(view.now);
  const WarpSet requesting = view.candidates & ~view.bound;
  if (over_capacity_ >= 0)
    return (requesting & unadmitted_) | spilling_.held_back(view, requesting & ~unadmitted_);
  const RegisterClaims& claims = claims_.of(static_cast<std::size_t>(view.partition));
  if (has_headroom_ && margin_ >= claims.most_claims()) return requesting & unadmitted_;
  WarpSet blocked = requesting & unadmitted_;
  for (const WarpId warp : requesting & ~unadmitted_) {
    const auto cta = static_cast<int>(view.warps[warp.value].cta.value);
    if (cta == only_cta_) continue;
    if (!has_headroom_ && !need_only_) {
      blocked.add(warp);
      continue;
    }
    const RegisterSet words = claims.claims_of(warp, *view.instructions[warp.value]);
    if (words.any() && (!has_headroom_ || (!scalar_ && !fits(view.partition, warp, cta, words))))
      blocked.add(warp);
  }
  return blocked;
}

namespace {
const Registration<IssueConstraint, RegisterThrottle, ThrottleParameters> register_throttle_entry{
    "register-throttle",
    "one CTA can always get the registers that it may need (Jeon 2015, 8.1)",
    {.kinds = {"throttle"}, .after = {"hazard", "resource"}}};

const Arrays<IssueConstraint> register_throttle_arrays{
    "register-throttle", {{"claims of CTAs", "ctas * banks", "10", "1R1W", {"register_file.throttle"}}}};

}  // namespace
}  // namespace heddle
