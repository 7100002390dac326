// Models a set-associative instruction cache with LRU replacement. A miss delays its warp for a fixed number
// of cycles. Warps that miss in the same line wait for the same arrival of this line. A line reaches its
// waiting warps even if another miss has replaced it in the meantime. Otherwise two warps could replace each
// other's lines forever.

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "models/core/error.h"
#include "models/core/part_arrays.h"
#include "models/core/registry.h"
#include "models/frontend/i_front_end_stage.h"

namespace heddle {
namespace {

struct InstructionCacheParameters {
  int bytes = 4096;
  int line_bytes = 128;
  int ways = 4;
  int miss_cycles = 100;
  int first_miss_cycles = 0;
  bool kept = false;
  void fields(FieldVisitor& v) {
    v.field("bytes", bytes, {64, 1 << 24}, "capacity");
    v.field("line_bytes", line_bytes, {8, 4096}, "line");
    v.field("ways", ways, {1, 1024}, "associativity");
    v.field("miss_cycles", miss_cycles, {1, 100000}, "cycles until a missing line arrives");
    v.field("first_miss_cycles", first_miss_cycles, {0, 100000},
            "the same for the SM's first miss of a line, which no cache below holds (0: as miss_cycles)");
    v.field("kept", kept, "lines stay from one launch to the next");
  }
};

class InstructionCache : public FrontEndStage {
 public:
  InstructionCache(const InstructionCacheParameters& p, Context& context)
      : parameters_(p),
        hits_(context.stats.add("hits", "fetches", "fetches whose lines were present at the first attempt")),
        misses_(context.stats.add("misses", "lines", "lines that were fetched from memory")) {
    const int lines = p.bytes / p.line_bytes;
    if (lines < p.ways || lines % p.ways)
      throw Error("front_end.stages.instruction-cache", "bytes / line_bytes is not a multiple of ways");
    sets_.resize(static_cast<std::size_t>(lines / p.ways));
    held_.resize(static_cast<std::size_t>(context.max_warps));
  }

  Cycle allow(const Fetch& fetch) override {
    Held& held = held_[fetch.warp.value];
    if (std::exchange(held.waits, false) && held.address == fetch.address && held.ready <= fetch.now)
      return fetch.now;
    const auto line_bytes = static_cast<std::uint64_t>(parameters_.line_bytes);
    Cycle ready = fetch.now;
    const std::uint64_t last = (fetch.address + fetch.bytes - 1) / line_bytes;
    for (std::uint64_t line = fetch.address / line_bytes; line <= last; ++line)
      ready = std::max(ready, arrival({fetch.program, line}, fetch.now));
    if (ready == fetch.now)
      ++hits_;
    else
      held = {true, fetch.address, ready};
    return ready;
  }

  void on_kernel_begin() override {
    if (!parameters_.kept)
      for (auto& set : sets_) set.clear();
    std::fill(held_.begin(), held_.end(), Held{});
  }

 private:
  using LineId = std::pair<const isa::Program*, std::uint64_t>;
  struct Line {
    LineId id;
    Cycle present_from;
  };
  struct Held {
    bool waits = false;
    std::uint64_t address = 0;
    Cycle ready = 0;
  };

  // Returns the cycle from which this line is in the cache, and requests a missing line. The lines of a set
  // are in LRU order, the most recently used one last.
  Cycle arrival(LineId id, Cycle now) {
    std::vector<Line>& set = sets_[id.second % sets_.size()];
    const auto it = std::find_if(set.begin(), set.end(), [&](const Line& l) { return l.id == id; });
    if (it != set.end()) {
      std::rotate(it, it + 1, set.end());
      return std::max(now, set.back().present_from);
    }
    ++misses_;
    if (set.size() == static_cast<std::size_t>(parameters_.ways)) set.erase(set.begin());
    set.push_back({id, now + miss_cycles(id)});
    return set.back().present_from;
  }

  Cycle miss_cycles(LineId id) {
    const bool first = parameters_.first_miss_cycles != 0 && seen_.insert(id).second;
    return static_cast<Cycle>(first ? parameters_.first_miss_cycles : parameters_.miss_cycles);
  }

  InstructionCacheParameters parameters_;
  std::vector<std::vector<Line>> sets_;
  std::vector<Held> held_;
  std::set<LineId> seen_;  ///< lines that have missed before
  Counter &hits_, &misses_;
};

const Registration<FrontEndStage, InstructionCache, InstructionCacheParameters> instruction_cache_entry{
    "instruction-cache", "set-associative instruction cache with a fixed miss time"};

const Arrays<FrontEndStage> instruction_cache_arrays{"instruction-cache",
                                                     {{"instruction cache", "bytes", "8", "1RW", {}}}};

}  // namespace
}  // namespace heddle
