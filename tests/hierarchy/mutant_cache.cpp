#include "tests/hierarchy/mutant_cache.h"

#include <vector>

#include "models/core/registry.h"
#include "models/stages/register_cache.h"

namespace heddle::hierarchy {
namespace {

struct MutantParameters : RegisterCacheParameters {
  std::string rule = "none";
  int every = 1;
  void fields(FieldVisitor& v) {
    RegisterCacheParameters::fields(v);
    v.field("rule", rule, {"none", "skip-write-back", "forget-flush"}, "the rule that is broken");
    v.field("every", every, {1, 1000}, "every n-th time");
  }
};

class MutantCache : public RegisterCache {
 public:
  MutantCache(const MutantParameters& p, Context& c)
      : RegisterCache(p, c),
        skips_(p.rule == "skip-write-back"),
        forgets_(p.rule == "forget-flush"),
        every_(p.every),
        lost_(static_cast<std::size_t>(c.max_warps) * 256) {}

 protected:
  LaneMask unwritten(const CacheLine& line) const override {
    const LaneMask lanes = skips_ && ++cases_ % every_ == 0 ? 0 : RegisterCache::unwritten(line);
    note_lost(line.warp, line.reg, line.valid & ~lanes, line.values);
    return lanes;
  }
  bool flushes(const CacheLine& line) const override {
    if (!forgets_ || ++cases_ % every_ != 0) return true;
    note_lost(line.warp, line.reg, line.valid, line.values);
    return false;
  }
  bool is_last_read(const RegisterAccess& access) const override {
    if (!RegisterCache::is_last_read(access)) return false;
    LaneVec now;
    RegisterAccess current = access;
    current.values = &now;
    self().debug_read(current);
    note_lost(access.warp, access.home, kAllLanes, now);
    return true;
  }
  Answer take(RegisterAccess& access) override {
    begin();
    LaneMask& lost = lost_[access.warp.value * std::size_t{256} + access.home.value];
    const bool read = access.command == RegisterCommand::read;
    const LaneMask mask = access.mask, before = lost;
    if (read && (lost & mask)) ++mutant_log().lost_read;
    const Answer answer = RegisterCache::take(access);
    if (answer != Answer::refused && access.command == RegisterCommand::write) lost &= ~mask;
    if (read && answer == Answer::refused) lost = before;
    return answer;
  }
  void give_up(WarpId warp) override {
    for (std::size_t r = 0; r < 256; ++r) lost_[warp.value * std::size_t{256} + r] = 0;
    RegisterCache::give_up(warp);
  }

 private:
  MutantCache& self() const { return const_cast<MutantCache&>(*this); }

  // Records lanes whose values are lost because no stage below the cache (nearer to the banks) holds them.
  void note_lost(WarpId warp, RegId reg, LaneMask lanes, const LaneVec& values) const {
    LaneVec below;
    RegisterAccess access;
    access.set_register(warp, reg);
    access.values = &below;
    self().initiator->transport_dbg(access);
    LaneMask lost = 0;
    for (int lane = 0; lane < kLanes; ++lane)
      if ((lanes >> lane & 1) && below[lane] != values[lane]) lost |= LaneMask{1} << lane;
    if (!lost) return;
    ++mutant_log().lost;
    lost_[warp.value * std::size_t{256} + reg.value] |= lost;
  }

  bool skips_, forgets_;
  int every_;
  mutable int cases_ = 0;
  mutable std::vector<LaneMask> lost_;
};

const Registration<RegisterStage, MutantCache, MutantParameters> mutant_cache_entry{"mutant-cache",
                                                                                    "for tests"};

}  // namespace

MutantLog& mutant_log() {
  static MutantLog log;
  return log;
}

const char* mutant_cache() { return "mutant-cache"; }

}  // namespace heddle::hierarchy
