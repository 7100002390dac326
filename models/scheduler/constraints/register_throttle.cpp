// GPU-shrink's throttle (Jeon 2015, 8.1): with fewer physical registers than resident CTAs may ask for, CTAs
// are held back so that at least one of them can always end. Decides by register_balance.h, on what is
// claimed at this moment, issues of the same cycle included, over all partitions of the SM at once.
//
//  - A CTA joins when the state is safe with it; until then its warps wait. Its need counts the registers of
//    all its warps, ended ones too, until it ends: what it needs at most must not shrink below what the proof
//    has reckoned with. Registers with entries of their own are no part of it, nor of what is free.
//  - An instruction may claim registers only if some CTA is safe afterwards.
//  - While no CTA has less to ask for than is free, only the safe one issues.
//
// No dead-lock: some CTA is always safe; its warps are never held back here, what it claims it gets, and
// barriers are its own; when it ends all others are covered. A CTA that spins on another one is not covered.
// `test` "scalar" is Jeon 2015's comparison of sums, which over several banks can run into a dead-lock.
//
// A CTA that may need more of a pool than there is joins when no other one has, and keeps others out. Among its
// warps spill_choice.h decides, for each partition by itself, with a proof of its own; what needs no register issues.
// `on_shortage` "refuse": there are no such CTAs, since admission lets none in (physical_registers.cpp).

#include <algorithm>
#include <optional>
#include <vector>

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
            "what waits while registers are short: all instructions of the other CTAs (Jeon 2015, 8.1), or "
            "those that need a register");
    v.field(
        "test", test, {"vector", "scalar"},
        "what is compared: balances by bank, or their sums as printed (Jeon 2015, 8.1), which can dead-lock");
    v.field("on_shortage", on_shortage, {"spill", "refuse"},
            "a CTA that may need more registers than there are: warps that wait are written out to memory "
            "and read back (Jeon 2015, 8.1), or it is not admitted");
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
  LifeSet hears() const override { return {Life::cta_begins, Life::cta_ends}; }

  std::uint64_t changes(Cycle now) override {
    if (claims_.any()) look(now);
    if (large_ >= 0) ++changes_;  // spilling_ depends on more than the claims
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
    return ample(view) ? view.candidates & ~view.bound & outside_ : blocked_anew(view);
  }

  SpillOrders order_spills(const SpillView& view) override {
    if (!claims_.any()) return {};
    look(kNever);
    return large_ >= 0 ? spilling_.order(view) : SpillOrders{};
  }

  void cta_begins(const CtaBegins& begins) override {
    Cta& cta = ctas_[begins.slot.value];
    cta.warps.assign(begins.warps.begin(), begins.warps.end());
    cta.registers = begins.registers;
    cta.resident = true;
    cta.joined = false;
    cta.placed = ++placed_;
    for (const WarpId warp : begins.warps) outside_.add(warp);
    fresh_ = moved_ = true;
  }
  void cta_ends(CtaSlot slot) override {
    ctas_[slot.value].resident = false;
    for (const WarpId warp : ctas_[slot.value].warps) outside_.remove(warp);
    if (large_ == static_cast<int>(slot.value)) large_ = -1;
    renew_whole_ = moved_ = true;
  }

 private:
  struct Cta {
    bool resident = false, joined = false;
    std::uint64_t placed = 0;
    std::uint32_t registers = 0;
    std::vector<WarpId> warps;
    std::vector<int> need, charged;  ///< by pool of the SM
  };

  WarpSet blocked_anew(const ConstraintView& view);
  // Common case, after another query in the same cycle.
  bool ample(const ConstraintView& view) const {
    return plenty_ && large_ < 0 && !moved_ && claims_.is_refreshed(view.now) &&
           claims_.changes() == seen_changes_ &&
           margin_ >= claims_.of(static_cast<std::size_t>(view.partition)).most_claims();
  }

  // Evaluates again only after a claim, a release, an arrival or an end. The CTA that had headroom last is
  // checked first; while it has headroom, the others need not be.
  void look(Cycle now) {
    claims_.refresh(now);
    const std::uint64_t changes = claims_.changes();
    if (changes != seen_changes_ || moved_) look_anew(changes);
  }
  void look_anew(std::uint64_t changes) {
    const std::uint64_t passed = changes - seen_changes_;
    seen_changes_ = changes;
    if (stays_ample(passed)) return;
    ++changes_;
    moved_ = gathered_ = false;
    if (renew_whole_) renew_whole();
    if (fresh_) join();
    if (large_ >= 0) return;
    chosen_ = -1;
    if (!scalar_ && leads(lead_) && (margin_ = margin(lead_)) > 0) {
      plenty_ = true;
      return;
    }
    gather();
    plenty_ = scalar_ ? balance_->scalar_plenty() : balance_->plenty();
    margin_ = 0;
    if (!plenty_) chosen_ = scalar_ ? balance_->scalar_smallest() : balance_->safe_cta();
    for (std::size_t slot = 0; plenty_ && !scalar_ && slot < ctas_.size(); ++slot)
      if (leads(slot) && margin(slot) > margin_) margin_ = margin(lead_ = slot);
  }
  // Each change takes at most one entry of one pool, so the pools often need no check. The margin is then a
  // lower bound of the headroom, and only unadmitted CTAs are blocked.
  bool stays_ample(std::uint64_t changes) {
    if (moved_ || fresh_ || scalar_ || large_ >= 0 || !plenty_) return false;
    if (changes > static_cast<std::uint64_t>(margin_) ||
        margin_ - static_cast<int>(changes) < claims_.most_claims())
      return false;
    margin_ -= static_cast<int>(changes);
    gathered_ = false;
    return true;
  }
  bool leads(std::size_t slot) const { return ctas_[slot].resident && ctas_[slot].joined; }
  // Free entries beyond everything that the CTA may request, in the pool with the fewest.
  int margin(std::size_t slot) const {
    return claims_.margin(CtaSlot(static_cast<std::uint32_t>(slot)), whole_);
  }
  // Gives the balances the current state.
  void gather() {
    gathered_ = true;
    claims_.unclaimed(free_);
    balance_->begin(free_, whole_);
    for (std::size_t slot = 0; slot < ctas_.size(); ++slot) {
      if (!leads(slot)) continue;
      claims_.charged(CtaSlot(static_cast<std::uint32_t>(slot)), ctas_[slot].charged);
      balance_->add(static_cast<int>(slot), ctas_[slot].charged);
    }
  }

  // In the order of placement, each as soon as the state is safe with it. Every admitted CTA changes the
  // state.
  void join() {
    fresh_ = false;
    std::vector<std::size_t> waiting;
    for (std::size_t slot = 0; slot < ctas_.size(); ++slot)
      if (ctas_[slot].resident && !ctas_[slot].joined) waiting.push_back(slot);
    std::sort(waiting.begin(), waiting.end(),
              [this](std::size_t a, std::size_t b) { return ctas_[a].placed < ctas_[b].placed; });
    for (const std::size_t slot : waiting) {
      (try_to_join(slot) ? moved_ : fresh_) = true;
      if (!ctas_[slot].joined && is_large(ctas_[slot])) return;  // it comes before those after it
    }
  }
  bool try_to_join(std::size_t slot) {
    Cta& cta = ctas_[slot];
    cta.need.assign(whole_.size(), 0);
    for (const WarpId warp : cta.warps) {
      const auto p = std::size_t{homes_.partition(warp)};
      for (std::uint32_t r = claims_.of(p).pinned(); r < cta.registers; ++r)
        ++cta.need[claims_.pool_of(p, warp, RegId(r))];
    }
    if (large_ >= 0) return false;
    if (spills_ && is_large(cta)) return join_alone(slot);
    std::vector<int> before = whole_;
    for (std::size_t p = 0; p < whole_.size(); ++p) whole_[p] = std::max(whole_[p], cta.need[p]);
    cta.joined = true;
    gather();
    if (!scalar_ && balance_->safe_cta() < 0) {
      cta.joined = false;
      whole_ = before;
      return false;
    }
    for (const WarpId warp : cta.warps) outside_.remove(warp);
    return true;
  }
  // Its need is known.
  bool is_large(const Cta& cta) const { return claims_.exceeded_by(cta.need); }
  bool join_alone(std::size_t slot) {
    if (std::any_of(ctas_.begin(), ctas_.end(), [](const Cta& c) { return c.resident && c.joined; }))
      return false;
    ctas_[slot].joined = true;
    large_ = static_cast<int>(slot);
    const auto whose = [this](WarpId warp) { return std::size_t{homes_.partition(warp)}; };
    spilling_.begin(ctas_[slot].warps, ctas_[slot].registers, whose);
    for (const WarpId warp : ctas_[slot].warps) outside_.remove(warp);
    return true;
  }
  void renew_whole() {
    renew_whole_ = false;
    std::fill(whole_.begin(), whole_.end(), 0);
    for (const Cta& cta : ctas_)
      if (cta.resident && cta.joined && !is_large(cta))
        for (std::size_t p = 0; p < whole_.size(); ++p) whole_[p] = std::max(whole_[p], cta.need[p]);
  }
  bool fits(int partition_number, WarpId warp, int cta, const RegisterSet& words) {
    const auto p = static_cast<std::size_t>(partition_number);
    int count = 0;
    words.for_each([&](std::uint32_t) { ++count; });
    if (count <= margin_) return true;
    if (!gathered_) gather();
    demand_.assign(free_.size(), 0);
    words.for_each([&](std::uint32_t r) { ++demand_[claims_.pool_of(p, warp, RegId(r))]; });
    return balance_->may_take(cta, demand_);
  }

  bool need_only_, scalar_, spills_;
  std::vector<Cta> ctas_;  ///< by slot
  WarpHomes homes_;
  std::optional<RegisterBalance> balance_;
  PartitionClaims claims_;
  std::vector<int> whole_;          ///< by pool: the most that a CTA needs
  std::vector<int> free_, demand_;  ///< by pool, of one question
  WarpSet outside_ = 0;             ///< of CTAs that have not joined
  bool fresh_ = false;              ///< some CTA has not
  bool renew_whole_ = false;
  bool moved_ = true;               ///< a CTA has arrived or ended since look()
  std::uint64_t seen_changes_ = 0;  ///< of the claims, in look()
  std::uint64_t changes_ = 0;       ///< of what is held back
  bool gathered_ = false;           ///< the balances know the present state
  bool plenty_ = false;             ///< as of look()
  int chosen_ = -1;                 ///< otherwise: who may issue
  std::size_t lead_ = 0;            ///< the CTA that had plenty last
  int margin_ = 0;                  ///< what it has beyond that at least, if anything is known of it
  std::uint64_t placed_ = 0;
  int large_ = -1;  ///< slot of the CTA that may need more than there is, if it has joined
  SpillingCta spilling_;
};

// A call of its own: who finds what most questions find saves no registers.
WarpSet RegisterThrottle::blocked_anew(const ConstraintView& view) {
  if (!view.candidates || !claims_.any()) return 0;
  look(view.now);
  const WarpSet asking = view.candidates & ~view.bound;
  if (large_ >= 0) return (asking & outside_) | spilling_.held_back(view, asking & ~outside_);
  const RegisterClaims& claims = claims_.of(static_cast<std::size_t>(view.partition));
  if (plenty_ && margin_ >= claims.most_claims()) return asking & outside_;
  WarpSet blocked = asking & outside_;
  for (const WarpId warp : asking & ~outside_) {
    const auto cta = static_cast<int>(view.warps[warp.value].cta.value);
    if (cta == chosen_) continue;
    if (!plenty_ && !need_only_) {
      blocked.add(warp);
      continue;
    }
    const RegisterSet words = claims.claims_of(warp, *view.instructions[warp.value]);
    if (words.any() && (!plenty_ || (!scalar_ && !fits(view.partition, warp, cta, words)))) blocked.add(warp);
  }
  return blocked;
}

namespace {
const Registration<IssueConstraint, RegisterThrottle, ThrottleParameters> register_throttle_entry{
    "register-throttle",
    "one CTA can always get the registers that it may need (Jeon 2015, 8.1)",
    {.kinds = {"throttle"}, .after = {"hazard", "resource"}}};

}  // namespace
}  // namespace heddle
