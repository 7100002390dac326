#pragma once

// Data structures of the allocation passes: candidates (reads of one value that an upper level could serve,
// with the energy saved and the range in which the entry is occupied), and the entries of a level.

#include <cstdint>
#include <optional>
#include <vector>

#include "models/compiler/analyses/access_energy.h"
#include "models/compiler/analyses/bit_set.h"
#include "models/compiler/region_values.h"

namespace heddle::compiler {

struct Candidate {
  std::vector<int> reads;  ///< reads that the upper level serves (RegionValues), ascending
  int fill = -1;           ///< read allocation: the read of main that also writes the entry; -1 = none
  // The following fields are set by CandidateRules::evaluate.
  std::vector<int> writes;         ///< results that are written to the entry, ascending
  std::vector<bool> main_as_well;  ///< by index in `writes`: main needs the value as well
  BitSet occupied;  ///< positions of the region after which the entry holds the value for a later read
  int words = 1;
  double saved_pj = 0;
  double score = 0;  ///< saved_pj divided by the issue slots and entries occupied
};

/// Rules for candidates that all allocators share, for one level and region.
class CandidateRules {
 public:
  struct Options {
    int level = isa::kOperandLevel;
    bool main_as_well = true;  ///< values that main needs as well may be candidates
    bool shared_units = true;  ///< shared units can access the level
    bool split = false;        ///< each entry belongs to an operand slot
  };
  CandidateRules(const isa::Program& program, const RegionValues& values, const AccessEnergy& energy,
                 const Options& options)
      : program_(program), values_(values), energy_(energy), options_(options) {}

  /// Completes a candidate from `reads` and `fill`. Returns false if it is invalid: the entry would not hold
  /// the value on all paths, a unit cannot access the level, or main needs the value although it may not be
  /// written there.
  bool evaluate(Candidate& candidate) const;

  /// Returns the candidate with all reads of one web.
  Candidate of_web(int web) const;
  /// Groups reads of one register (ascending) into read allocations. The earliest read fills the entry for
  /// all later reads that get the same value on every path; this is repeated for the remaining reads. Reads
  /// without a partner are dropped.
  std::vector<Candidate> of_fills(std::vector<int> reads) const;

  int level() const { return options_.level; }
  /// For split levels: the operand slot in which all reads of the candidate are.
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

/// Entries of a candidate in a level: the entry of its first word, and the number of entries between the
/// words of a pair.
struct Place {
  int entry = 0;
  int between = 0;
  int of(int word) const { return entry + word * (1 + between); }
};

/// Occupation of the entries of one level in one region.
class EntryTable {
 public:
  /// `pairs_anywhere`: the words of a pair need not be in neighbouring entries.
  EntryTable(int entries, std::size_t positions, bool pairs_anywhere = false);

  /// Returns the first entries in [low, high) that are free wherever the candidate needs them.
  std::optional<Place> find(const RegionValues& values, const Candidate& candidate, int low, int high) const;
  std::optional<Place> find(const RegionValues& values, const Candidate& candidate) const {
    return find(values, candidate, 0, static_cast<int>(entries_.size()));
  }
  void take(const RegionValues& values, const Candidate& candidate, const Place& place);
  /// Returns the first position at which every choice of entries is occupied by another value, if the
  /// candidate begins before it; -1 if there is none. No candidate that extends past this position fits.
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

/// Writes the candidate's levels and entries to the operands. `slot`: operand slot of a last-result level.
void annotate(isa::Program& program, const RegionValues& values, const Candidate& candidate, int level,
              const Place& place, int slot);

/// Removes all levels and entries from the program's annotations.
void clear_levels(isa::Program& program);

}  // namespace heddle::compiler
