// Decides which values are kept in the register scratchpad of Bailey 2018 (III-B), the operand level of the
// register hierarchy. A candidate is a sequence of accesses to one register that a scratchpad entry could
// serve.
// 1. Candidates are as long as possible. A write allocation begins with a result that is written to the
//    entry. If the last reader also writes the register, the candidate continues with the new result. A read
//    allocation begins with a read from the main register file. This read also writes the value to the entry.
// 2. The score is the energy saved per issue slot for which the candidate occupies an entry. Candidates are
//    tried in descending order of score.
// 3. A candidate that does not fit or saves nothing is shortened and queued again. A shortened write
//    allocation lacks the accesses at its end. A read allocation of n reads is replaced by all sequences of
//    n-1 consecutive reads of the original candidate.
// 4. When a shortened candidate gets an entry, the accesses that were cut off become new candidates.

#include <algorithm>
#include <map>
#include <memory>
#include <numeric>
#include <set>

#include "models/compiler/i_compiler_pass.h"
#include "models/compiler/upper_allocation.h"

namespace heddle::compiler {
namespace {

struct ScratchpadParameters {
  int entries = 2;
  bool live_out = true;
  bool read_allocations = true;
  bool reduce_ranges = true;
  std::string pairs = "neighbours";
  AccessEnergy energy{.active_warps = 4};

  void fields(FieldVisitor& v) {
    v.field("entries", entries, {1, 64}, "entries per warp (Bailey 2018, III-A 4: 2 in the hybrid of 12 KB)");
    v.field("live_out", live_out,
            "allocate values that are read after the range; they are also written to the level below");
    v.field("read_allocations", read_allocations, "a read of the level below may leave the value here");
    v.field("reduce_ranges", reduce_ranges, "ranges that do not fit are shortened at both ends");
    v.field("pairs", pairs, {"neighbours", "anywhere"},
            "entries of the two words of a 64-bit value: two that follow each other, or any two");
    v.group("energy", energy,
            "access energies that the savings are computed from (assumed: those of Gebhart 2012, as Bailey "
            "2018 gives none, for the 4 active warps of a scheduler)");
  }
};

class RegionAllocator {
 public:
  RegionAllocator(const isa::Program& program, const RegionValues& values, const AccessEnergy& energy,
                  const ScratchpadParameters& parameters)
      : values_(values),
        parameters_(parameters),
        rules_(program, values, energy, {isa::kOperandLevel, parameters.live_out, true, false}),
        table_(parameters.entries, values.region().code.size(), parameters.pairs == "anywhere"),
        straight_(std::all_of(values.region().successors.begin(), values.region().successors.end(),
                              [](const std::vector<int>& next) { return next.size() <= 1; })) {}

  struct Placed {
    Candidate candidate;
    Place place;
  };

  std::vector<Placed> run() {
    std::vector<int> webs(static_cast<std::size_t>(values_.webs()));
    std::iota(webs.begin(), webs.end(), 0);
    add_write_allocations(webs);
    std::vector<int> others;
    for (std::size_t r = 0; r < values_.reads().size(); ++r)
      if (values_.reads()[r].kind != RegionRead::Kind::own) others.push_back(static_cast<int>(r));
    add_read_allocations(others);
    while (!queue_.empty()) {
      Item item = std::move(queue_.extract(queue_.begin()).value());
      const auto entry =
          item.valid && item.candidate.saved_pj > 0 ? table_.find(values_, item.candidate) : std::nullopt;
      if (entry)
        map(std::move(item), *entry);
      else if (parameters_.reduce_ranges)
        reduce(std::move(item));
    }
    return std::move(placed_);
  }

 private:
  struct ReadRange {
    std::vector<int> reads;
    std::size_t length = 0;
    int waiting = 0;
    bool mapped = false;
  };
  struct Item {
    Candidate candidate;
    bool valid = false;
    int order = 0;
    std::vector<int> original, all_reads;
    std::shared_ptr<ReadRange> range;
    std::size_t begin = 0;

    bool operator<(const Item& other) const {
      const double a = valid ? candidate.score : 0, b = other.valid ? other.candidate.score : 0;
      return a != b ? a > b : order < other.order;
    }
  };

  void queue(Item item) {
    item.valid = rules_.evaluate(item.candidate);
    item.order = next_order_++;
    queue_.insert(std::move(item));
  }

  // Step 1, candidates that begin with a write to an entry (write allocations): a candidate covers the reads
  // of a result. If an instruction reads the result and also writes the register again, the candidate
  // continues with the new result.
  void add_write_allocations(const std::vector<int>& webs) {
    std::map<int, int> chain;
    for (const int w : webs) chain[w] = w;
    const auto root = [&](int w) {
      while (chain[w] != w) w = chain[w];
      return w;
    };
    for (const RegionRead& read : values_.reads()) {
      if (read.kind != RegionRead::Kind::own || !chain.count(read.web)) continue;
      const auto [first, last] = values_.writes_of(read.at);
      for (int w = first; w < last; ++w) {
        const RegionWrite& write = values_.write(w);
        if (write.reg != read.reg || write.words != read.words || !chain.count(write.web)) continue;
        const int a = root(read.web), b = root(write.web);
        chain[std::max(a, b)] = std::min(a, b);
      }
    }
    std::map<int, std::vector<int>> reads;
    for (std::size_t r = 0; r < values_.reads().size(); ++r) {
      const RegionRead& read = values_.reads()[r];
      if (read.kind == RegionRead::Kind::own && chain.count(read.web))
        reads[root(read.web)].push_back(static_cast<int>(r));
    }
    for (auto& [first, chained] : reads) {
      Item item;
      item.candidate.reads = chained;
      item.original = item.all_reads = std::move(chained);
      queue(std::move(item));
    }
  }

  void add_read_allocations(const std::vector<int>& reads) {
    if (!parameters_.read_allocations) return;
    std::map<std::pair<std::uint32_t, int>, std::vector<int>> by_register;
    for (const int r : reads) by_register[{values_.read(r).reg, values_.read(r).words}].push_back(r);
    for (auto& [reg, same] : by_register) {
      for (const Candidate& c : rules_.of_fills(std::move(same))) {
        auto range = std::make_shared<ReadRange>();
        range->reads = c.reads;
        range->reads.insert(range->reads.begin(), c.fill);
        range->length = range->reads.size();
        add_windows(range);
      }
    }
  }

  void add_windows(const std::shared_ptr<ReadRange>& range) {
    for (std::size_t begin = 0; begin + range->length <= range->reads.size(); ++begin) {
      Item item;
      item.range = range;
      item.begin = begin;
      item.candidate.fill = range->reads[begin];
      const int at = values_.read(item.candidate.fill).at;
      for (std::size_t n = begin + 1; n < begin + range->length; ++n)
        if (values_.read(range->reads[n]).at != at) item.candidate.reads.push_back(range->reads[n]);
      ++range->waiting;
      queue(std::move(item));
    }
  }

  void reduce(Item item) {
    if (item.range) {
      ReadRange& range = *item.range;
      if (--range.waiting > 0 || range.mapped || range.length <= 2) return;
      --range.length;
      add_windows(item.range);
      return;
    }
    shorten(item);
    if (item.candidate.reads.empty()) {
      drop_first_web(item.all_reads);
      item.candidate.reads = item.all_reads;
    }
    if (!item.candidate.reads.empty()) queue(std::move(item));
  }

  void shorten(Item& item) const {
    std::vector<int>& reads = item.candidate.reads;
    reads.pop_back();
    const int conflict = straight_ && item.valid ? table_.first_conflict(item.candidate) : -1;
    while (conflict >= 0 && !reads.empty() && values_.read(reads.back()).at > conflict) reads.pop_back();
  }

  void drop_first_web(std::vector<int>& reads) const {
    int first = -1, earliest = 0;
    for (const int r : reads) {
      const int write = values_.read(r).writes.front();
      if (first >= 0 && write >= earliest) continue;
      earliest = write;
      first = values_.read(r).web;
    }
    std::erase_if(reads, [&](int r) { return values_.read(r).web == first; });
  }

  void map(Item item, const Place& place) {
    if (item.range && item.range->mapped) return;
    table_.take(values_, item.candidate, place);
    if (item.range) {
      ReadRange& range = *item.range;
      range.mapped = true;
      const auto begin = range.reads.begin() + static_cast<std::ptrdiff_t>(item.begin);
      add_read_allocations({range.reads.begin(), begin});
      add_read_allocations({begin + static_cast<std::ptrdiff_t>(range.length), range.reads.end()});
    } else {
      add_remainder(item.original, item.candidate.reads);
    }
    placed_.push_back({std::move(item.candidate), place});
  }

  void add_remainder(const std::vector<int>& original, const std::vector<int>& served) {
    std::set<int> touched, untouched;
    for (const int r : served) touched.insert(values_.read(r).web);
    std::vector<int> single;
    for (const int r : original) {
      if (!touched.count(values_.read(r).web))
        untouched.insert(values_.read(r).web);
      else if (!std::binary_search(served.begin(), served.end(), r))
        single.push_back(r);
    }
    if (!untouched.empty()) add_write_allocations({untouched.begin(), untouched.end()});
    add_read_allocations(single);
  }

  const RegionValues& values_;
  const ScratchpadParameters& parameters_;
  CandidateRules rules_;
  EntryTable table_;
  bool straight_;
  std::set<Item> queue_;
  std::vector<Placed> placed_;
  int next_order_ = 0;
};

class Scratchpad : public ICompilerPass {
 public:
  Scratchpad(const ScratchpadParameters& parameters, Context&)
      : parameters_(parameters), energy_(parameters.energy.resolved(parameters.entries)) {}

  PassStage stage() const override { return PassStage::after_allocation; }

  void run(CompilationUnit& unit) override {
    const LiveSets& live = unit.thread_liveness();
    const std::vector<Region> regions = find_regions(unit.program(), unit.control_flow(), true);
    isa::Program& program = unit.annotate();
    clear_levels(program);
    for (const Region& region : regions) {
      const RegionValues values(program, region, live);
      for (const auto& [candidate, place] : RegionAllocator(program, values, energy_, parameters_).run())
        annotate(program, values, candidate, isa::kOperandLevel, place, 0);
    }
  }

 private:
  ScratchpadParameters parameters_;
  AccessEnergy energy_;
};

const Registration<ICompilerPass, Scratchpad, ScratchpadParameters> scratchpad_entry{
    "scratchpad",
    "allocates values to the register scratchpad, strand by strand (Bailey 2018, III-B)",
    {.kinds = {"value-levels"}, .before = {"mark", "numbering"}}};

}  // namespace
}  // namespace heddle::compiler
