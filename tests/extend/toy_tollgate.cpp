// A plug-in register stage that holds single warps at issue (models/ports/residency.h): before each
// instruction that reads at least `sources` operands, a warp waits for `cycles` cycles. Other warps go on.

#include <algorithm>
#include <vector>

#include "models/core/registry.h"
#include "models/ports/register_stage.h"
#include "models/ports/residency.h"

namespace heddle {
namespace {

struct TollgateParameters {
  int sources = 2, cycles = 3;
  bool lasts = true;
  void fields(FieldVisitor& v) {
    v.field("sources", sources, {0, 6}, "least number of operands that cost a toll");
    v.field("cycles", cycles, {1, 100}, "cycles for which a warp waits");
    v.field("lasts", lasts, "two-level schedulers give the active slots of held warps away");
  }
};

class ToyTollgate : public PassingStage, private WarpHold {
 public:
  ToyTollgate(const TollgateParameters& p, Context& context)
      : PassingStage(context),
        sources_(static_cast<std::size_t>(p.sources)),
        cycles_(static_cast<Cycle>(p.cycles)),
        tolls_(static_cast<std::size_t>(context.max_warps)),
        due_(context.stats.add("due", "warp-instructions", "issued instructions that cost a toll")),
        paid_(context.stats.add("paid", "warp-instructions", "those that issued after their toll")) {
    reason_ = "toll";
    lasts_ = p.lasts;
    holds_bound_ = true;
    next_change_ = 0;
  }

  LifeSet subscriptions() const override {
    return {Life::kernel_begins, Life::warp_begins, Life::warp_ends, Life::issued};
  }
  void kernel_begins(const KernelBegins& kernel) override { program_ = kernel.program; }
  void warp_begins(const WarpBegins& warp) override {
    mine_.add(warp.warp);
    tolls_[warp.warp.value] = {};
  }
  void warp_ends(WarpId warp) override { mine_.remove(warp); }
  void issued(const InFlight& item) override {
    if (!costs(item.pc)) return;
    Toll& toll = tolls_[item.warp().value];
    ++due_;
    paid_ += toll.pc == item.pc && toll.until <= now();
    toll = {};
  }
  std::optional<StageBalance> balance(const RegisterFlow& came) const override {
    return StageBalance{came, {{"instructions that cost a toll, paid", due_.value(), paid_.value()}}};
  }
  WarpHold* hold() override { return this; }

 protected:
  void tick() override {}

 private:
  struct Toll {
    std::uint32_t pc = ~std::uint32_t{0};
    Cycle until = 0;
  };
  bool costs(std::uint32_t pc) const {
    return program_ && pc < program_->code.size() && program_->code[pc].num_src >= sources_;
  }
  void connect(WarpHost& host) override { host_ = &host; }
  void step(Cycle now, WarpSet, WarpSet) override {
    held_ = held_after_next_ = {};
    Cycle next = kNever;
    for (const WarpId warp : mine_) {
      const auto pc = host_->next(warp, 0), second = host_->next(warp, 1);
      if (second && costs(*second)) held_after_next_.add(warp);
      if (!pc || !costs(*pc)) continue;
      Toll& toll = tolls_[warp.value];
      if (toll.pc != *pc) toll = {*pc, now + cycles_};
      if (toll.until <= now) continue;
      held_.add(warp);
      next = std::min(next, toll.until);
    }
    if (next != kNever) clock().due_at(next);
  }

  std::size_t sources_;
  Cycle cycles_;
  const isa::Program* program_ = nullptr;
  WarpHost* host_ = nullptr;
  WarpSet mine_;
  std::vector<Toll> tolls_;
  Counter &due_, &paid_;
};

const Registration<RegisterStage, ToyTollgate, TollgateParameters> toy_tollgate_entry{
    "toy-tollgate",
    "holds a warp before some instructions",
    {.before = {"mapping", "banks"}, .after = {"level"}}};

}  // namespace
}  // namespace heddle
