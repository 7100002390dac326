// Decides for each strand which values are kept in the operand file (level L1) and in the last-result level
// (L0). Within a strand, these levels may pass values from one instruction to another. Sections and figures
// refer to Gebhart 2012.
// 1. Candidates are results, together with all reads that may get them (5.5, Fig. 14c). A read that may also
//    get a value from before the strand stays in the main register file (Fig. 14a, b). With `read_operands`,
//    there are more candidates: values that are live at the start of the strand and read more than once in the
//    strand (5.4).
// 2. The score of a candidate is the energy saved (Fig. 10, 13), divided by the issue slots for which the
//    candidate occupies an entry.
// 3. The last-result level is filled first (5.6), then the operand file (Fig. 11). In each level, the candidate
//    with the best score comes first. With `partial_range`, a value without a free entry is shortened: its last
//    reads use the main register file instead, one read after another, until the value fits or saves nothing
//    (5.3).

#include <algorithm>

#include "models/compiler/i_compiler_pass.h"
#include "models/compiler/upper_allocation.h"

namespace heddle::compiler {
namespace {

struct OperandFileParameters {
  int entries = 3;
  bool partial_range = true;
  bool read_operands = true;
  bool forward_branches = true;
  std::string last_result = "none";
  bool last_result_shared = false;
  std::string writes = "any";
  bool variable_entries = false;
  std::string pairs = "neighbours";
  AccessEnergy energy;

  void fields(FieldVisitor& v) {
    v.field("entries", entries, {1, 64},
            "entries of the operand level per warp (Gebhart 2012, 7.8: 3 save most)");
    v.field("partial_range", partial_range,
            "allocate values that fit for a part of their reads (Gebhart 2012, 5.3)");
    v.field("read_operands", read_operands,
            "allocate values that are read several times but not written (Gebhart 2012, 5.4)");
    v.field("forward_branches", forward_branches, "values may pass forward branches (Gebhart 2012, 5.5)");
    v.field("last_result", last_result, {"none", "unified", "split"},
            "last-result level: none, one entry per warp (Gebhart 2012, 5.6), or one per operand slot "
            "(Gebhart 2012, 4.4)");
    v.field("last_result_shared", last_result_shared,
            "special-function and memory units can access the last-result level (Gebhart 2012, 4.4: they "
            "cannot)");
    v.field("writes", writes, {"any", "one-level", "last-result-and-main"},
            "levels that one instruction may write (Gebhart 2012, 7.9): an upper level and main; a single "
            "level; main only together with the last-result level");
    v.field("variable_entries", variable_entries,
            "each strand uses as many entries, up to `entries`, as save most at the energy of that number "
            "(limit study, Gebhart 2012, 8.1)");
    v.field("pairs", pairs, {"neighbours", "anywhere"},
            "entries of the two words of a 64-bit value: two that follow each other, or any two");
    v.group("energy", energy, "access energies that the savings are computed from");
  }
};

class OperandFile : public ICompilerPass {
 public:
  OperandFile(const OperandFileParameters& parameters, Context&) : p_(parameters) {}

  PassStage stage() const override { return PassStage::after_allocation; }

  void run(CompilationUnit& unit) override {
    const LiveSets& live = unit.thread_liveness();
    const std::vector<Region> regions =
        find_regions(unit.program(), unit.control_flow(), p_.forward_branches);
    isa::Program& program = unit.annotate();
    clear_levels(program);
    for (const Region& region : regions) {
      const RegionValues values(program, region, live);
      std::vector<Placed> best;
      double most = -1;
      for (int entries = p_.variable_entries ? 1 : p_.entries; entries <= p_.entries; ++entries) {
        std::vector<Placed> placed = allocate(program, values, entries);
        double saved = 0;
        for (const Placed& p : placed) saved += p.candidate.saved_pj;
        if (saved > most) best = std::move(placed);
        most = std::max(most, saved);
      }
      for (const Placed& p : best) annotate(program, values, p.candidate, p.level, p.place, p.slot);
    }
  }

 private:
  struct Placed {
    Candidate candidate;
    int level;
    Place place;
    int slot;
  };

  // Assigns the values of one region (a strand, or its part in one block) to an operand level with `entries`
  // entries per warp.
  std::vector<Placed> allocate(const isa::Program& program, const RegionValues& values, int entries) const {
    const AccessEnergy energy = p_.energy.resolved(entries);
    const std::size_t positions = values.region().code.size();
    const CandidateRules operand(program, values, energy,
                                 {isa::kOperandLevel, p_.writes == "any", true, false});
    std::vector<Candidate> left = find_candidates(values, operand);
    std::vector<Placed> placed;
    if (p_.last_result != "none") {
      const bool split = p_.last_result == "split";
      const CandidateRules rules(
          program, values, energy,
          {isa::kLastResultLevel, p_.writes != "one-level", p_.last_result_shared, split});
      EntryTable table(split ? 3 : 1, positions);
      std::vector<Candidate> others;
      for (Candidate& c : by_score(rules, left)) {
        const int slot = c.score > 0 ? rules.slot_of(c) : 0;
        const auto entry = c.score > 0 ? table.find(values, c, slot, slot + 1) : std::nullopt;
        if (entry) {
          table.take(values, c, *entry);
          placed.push_back({std::move(c), isa::kLastResultLevel, {}, slot});
        } else {
          others.push_back(std::move(c));
        }
      }
      left = std::move(others);
    }
    EntryTable table(entries, positions, p_.pairs == "anywhere");
    for (Candidate& c : by_score(operand, left)) {
      const auto entry = fit(operand, values, table, c);
      if (!entry) continue;
      table.take(values, c, *entry);
      placed.push_back({std::move(c), isa::kOperandLevel, *entry, 0});
    }
    return placed;
  }

  std::vector<Candidate> find_candidates(const RegionValues& values, const CandidateRules& rules) const {
    std::vector<Candidate> found;
    for (int web = 0; web < values.webs(); ++web) found.push_back(rules.of_web(web));
    if (!p_.read_operands) return found;
    const std::vector<RegionRead>& reads = values.reads();
    std::vector<bool> seen(reads.size(), false);
    for (std::size_t r = 0; r < reads.size(); ++r) {
      if (seen[r] || reads[r].kind != RegionRead::Kind::entering) continue;
      std::vector<int> same;
      for (std::size_t q = r; q < reads.size(); ++q) {
        if (reads[q].kind != RegionRead::Kind::entering || reads[q].reg != reads[r].reg ||
            reads[q].words != reads[r].words)
          continue;
        seen[q] = true;
        same.push_back(static_cast<int>(q));
      }
      for (Candidate& c : rules.of_fills(std::move(same))) found.push_back(std::move(c));
    }
    return found;
  }

  // Sorts candidates (values for an upper register level) by score, best first. A candidate that the level
  // cannot hold, or that saves no energy, has the score 0.
  static std::vector<Candidate> by_score(const CandidateRules& rules, std::vector<Candidate> candidates) {
    for (Candidate& c : candidates)
      if (!rules.evaluate(c) || c.saved_pj <= 0) c.score = 0;
    std::stable_sort(candidates.begin(), candidates.end(),
                     [](const Candidate& a, const Candidate& b) { return a.score > b.score; });
    return candidates;
  }

  // Returns free entries of the operand level for a candidate (a value with the reads that the level could
  // serve). If there are none, and if `partial_range` is set, removes the candidate's last reads one by one
  // until the candidate fits. Returns nothing if the candidate does not fit or saves no energy any more.
  std::optional<Place> fit(const CandidateRules& rules, const RegionValues& values, const EntryTable& table,
                           Candidate& c) const {
    for (;;) {
      const bool fits = rules.evaluate(c);
      if (fits && c.saved_pj <= 0) return std::nullopt;
      if (fits)
        if (const auto entry = table.find(values, c)) return entry;
      if (!p_.partial_range || c.reads.size() <= 1) return std::nullopt;
      c.reads.pop_back();
    }
  }

  OperandFileParameters p_;
};

const Registration<ICompilerPass, OperandFile, OperandFileParameters> operand_file_entry{
    "operand-file",
    "allocates values to the operand file and the last-result level, strand by strand (Gebhart 2012, 5)",
    {.kinds = {"value-levels"}, .before = {"mark", "numbering"}}};

}  // namespace
}  // namespace heddle::compiler
