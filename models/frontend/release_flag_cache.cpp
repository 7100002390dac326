// Front-end stage for the register release flags of Jeon 2015 (7.2). The stage attaches the flags that are
// not used yet (isa::ReleaseLatch) to each instruction. A pir (metadata instruction with flags) that hits in
// the release flag cache is neither fetched nor decoded. A pir that misses replaces a cache entry; warps that
// have read the replaced entry keep its flags. A pbr (a list of registers) is always decoded.

#include "models/frontend/release_flag_cache.h"

#include "models/core/part_arrays.h"
#include "models/core/registry.h"
#include "models/frontend/i_front_end_stage.h"

namespace heddle {
namespace {

struct ReleaseFlagCacheParameters {
  int entries = 10;
  void fields(FieldVisitor& v) {
    v.field("entries", entries, {0, 1024}, "flag words that the cache holds (Jeon 2015, 7.2: 10; 0: none)");
  }
};

class ReleaseFlagStage : public FrontEndStage {
 public:
  ReleaseFlagStage(const ReleaseFlagCacheParameters& p, Context& context)
      : cache_(static_cast<std::size_t>(p.entries)),
        hits_(context.stats.add("hits", "instructions", "pir words that hit in the cache")),
        misses_(context.stats.add("misses", "instructions", "pir words decoded")),
        lists_(context.stats.add("pbr_decodes", "instructions", "pbr words decoded; they are never cached")),
        listed_(context.stats.add("pbr_registers", "registers", "registers that these words list")) {}

  Cycle allow(const Fetch& fetch) override { return fetch.now; }
  FrontEndWants wants() const override { return front_end_wants::metadata; }
  void on_kernel_begin() override {
    cache_.clear();
    program_ = nullptr;
  }
  void probes(const ProbeScope& scope) override { scope.add(cache_.probe()); }

  bool holds(const DecodePlace& place, std::uint64_t& latch) override {
    if (isa::release_word(place.instruction()) != isa::ReleaseWord::pir) return false;
    const auto flags = cache_.find(place.address());
    if (!flags) return false;
    ++hits_;
    receive(*flags, latch);
    return true;
  }

  void decoded(const DecodePlace& place, std::uint64_t& latch) override {
    if (place.program != program_) count_groups(*place.program);
    const std::uint8_t groups = groups_[place.pc];
    if (groups == 0) return decoded_metadata(place, latch);
    if (latch == 0) return;
    isa::ReleaseLatch next(latch);
    next.pass_groups(groups);
    latch = next.bits();
  }

 private:
  void decoded_metadata(const DecodePlace& place, std::uint64_t& latch) {
    const isa::Instruction& instruction = place.instruction();
    const isa::ReleaseWord kind = isa::release_word(instruction);
    if (kind == isa::ReleaseWord::pir) {
      ++misses_;
      const std::uint64_t flags = isa::release_field(instruction.payload);
      cache_.replace(place.address(), flags);
      receive(flags, latch);
    } else if (kind != isa::ReleaseWord::none) {
      ++lists_;
      isa::for_each_listed_register(kind, instruction.payload, [this](std::uint32_t) { ++listed_; });
      isa::ReleaseLatch next(latch);
      next.receive_pbr();
      latch = next.bits();
    }
  }
  void count_groups(const isa::Program& program) {
    program_ = &program;
    groups_.clear();
    for (const isa::Instruction& i : program.code)
      groups_.push_back(i.metadata ? 0 : static_cast<std::uint8_t>(isa::release_groups(i)));
  }
  static void receive(std::uint64_t flags, std::uint64_t& latch) {
    isa::ReleaseLatch next(latch);
    next.receive_pir(flags);
    latch = next.bits();
  }

  ReleaseFlagCache cache_;
  const isa::Program* program_ = nullptr;
  std::vector<std::uint8_t> groups_;
  Counter &hits_, &misses_, &lists_, &listed_;
};

const Registration<FrontEndStage, ReleaseFlagStage, ReleaseFlagCacheParameters> release_flag_cache_entry{
    "release-flag-cache",
    "attaches release flags to instructions and caches flag words, so that they need not be decoded (Jeon "
    "2015, 7.2)",
    {.before = {"instruction-cache"}}};

const Arrays<FrontEndStage> release_flag_cache_arrays{
    "release-flag-cache", {{"release flag cache", "entries", "70", "1R1W", {"register_file.release_flags"}}}};

}  // namespace
}  // namespace heddle
