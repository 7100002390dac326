#pragma once

// Data of the allocation passes: a candidate (reads of one value that an upper level may serve), its saving,
// the range in which its entry is occupied, and the entries of a level.

#include <cstdint>
#include <optional>
#include <vector>

#include "models/compiler/analyses/access_energy.h"
#include "models/compiler/analyses/bit_set.h"
#include "models/compiler/analyses/region_values.h"

namespace heddle::compiler {

struct Candidate {
  std::vector<int> reads;  ///< of RegionValues, that the upper level serves; ascending
  int fill = -1;  ///< read allocation: the read of the main level that also writes the entry; -1 = none
  // Set by CandidateRules::evaluate:
  std::vector<int> writes;         ///< results that are written to the entry, ascending
  std::vector<bool> main_as_well;  ///< by position in `writes`: main needs the value too
  BitSet occupied;  ///< positions of the region after which the entry holds the value for a later read
  int words = 1;
  double saved_pj = 0;
  double score = 0;  ///< saved_pj by issue slots and entries occupied
};

/// The rules that hold for every allocator, at one level, in one region.
class CandidateRules {
 public:
  struct Options {
    int level = isa::kOperandLevel;
    bool main_as_well = true;  ///< values that main needs too may be candidates
    bool shared_units = true;  ///< shared units reach the level
    bool split = false;        ///< entries belong to operand slots
  };
  CandidateRules(const isa::Program& program, const RegionValues& values, const AccessEnergy& energy,
                 const Options& options)
      : program_(program), values_(values), energy_(energy), options_(options) {}

  /// Fills in the rest of a candidate from `reads` and `fill`; false if it cannot be (an entry would not hold
  /// the value on every path, the level is out of reach, main would need it and may not have it).
  bool evaluate(Candidate& candidate) const;

  /// All reads of one web.
  Candidate of_web(int web) const;
  /// Groups reads of one register (ascending) into read allocations: the earliest fills for those that see
  /// the same value on every path after it, and so on. Reads that find no partner are left out.
  std::vector<Candidate> of_fills(std::vector<int> reads) const;

  int level() const { return options_.level; }
  /// Split levels: the one operand slot in which the candidate is read.
  int slot_of(const Candidate& candidate) const;

 private:
  bool fills(const Candidate& candidate) const;
  bool reachable_units(const Candidate& candidate) const;
  bool occupy(Candidate& candidate) const;
  void weigh(Candidate& candidate) const;
  const isa::Instruction& at(int position) const {
    return program_.code[values_.region().code[static_cast<std::size_t>(position)]];
  }

  const isa::Program& program_;
  const RegionValues& values_;
  const AccessEnergy& energy_;
  Options options_;
};

/// Where a candidate lies in a level: its first word's entry, and how many others are between the two of a pair.
struct Place {
  int entry = 0;
  int between = 0;
  int of(int word) const { return entry + word * (1 + between); }
};

/// The entries of one level in one region.
class EntryTable {
 public:
  /// `pairs_anywhere`: the words of a pair need not lie in neighbouring entries.
  EntryTable(int entries, std::size_t positions, bool pairs_anywhere = false);

  /// The first entries from `low` to `high` (exclusive) that are free wherever the candidate needs them.
  std::optional<Place> find(const RegionValues& values, const Candidate& candidate, int low, int high) const;
  std::optional<Place> find(const RegionValues& values, const Candidate& candidate) const {
    return find(values, candidate, 0, static_cast<int>(entries_.size()));
  }
  void take(const RegionValues& values, const Candidate& candidate, const Place& place);
  /// The first position at which every entry is occupied for another value where the candidate needs it, if
  /// the candidate starts in front of it; -1 = fits as far as this goes.
  int first_conflict(const Candidate& candidate) const;

 private:
  struct Entry {
    BitSet occupied, read, filled;
  };
  static bool free(const Entry& entry, const RegionValues& values, const Candidate& candidate);
  int first_taken(std::size_t entry, const Candidate& candidate) const;
  std::vector<Entry> entries_;
  bool pairs_anywhere_;
};

/// Writes the candidate's levels and place into the operands; `slot`: of a last-result level.
void annotate(isa::Program& program, const RegionValues& values, const Candidate& candidate, int level,
              const Place& place, int slot);

/// Takes all levels and entries out of the program.
void clear_levels(isa::Program& program);

}  // namespace heddle::compiler
