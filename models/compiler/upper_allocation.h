#pragma once

// Data structures for allocating entries of an upper level of the register hierarchy. A candidate is a set of
// reads of one value that the level could serve, with the energy saved and the positions at which it occupies
// an entry. An entry table records which entries of a level are occupied.

#include <cstdint>
#include <optional>
#include <vector>

#include "models/compiler/analyses/access_energy.h"
#include "models/compiler/analyses/bit_set.h"
#include "models/compiler/region_values.h"

namespace heddle::compiler {

struct Candidate {
  /// Reads that the upper level serves, as indices of RegionValues::reads(), ascending.
  std::vector<int> reads;
  /// Index of the read from main that also fills the entry (read allocation); -1 = a result fills it.
  int fill = -1;
  // CandidateRules::evaluate() sets the following fields.
  /// Results that are written to the entry, as indices of RegionValues::writes(), ascending.
  std::vector<int> writes;
  /// For each result in `writes`: true if it is also written to the main register file.
  std::vector<bool> main_as_well;
  /// Positions of the region after which the entry must still hold the value for a later read.
  BitSet occupied;
  int words = 1;
  double saved_pj = 0;
  double score = 0;  ///< energy saved per issue slot and entry that the candidate occupies
};

/// Rules that all allocators share: decides for one level and region whether a candidate is valid, and
/// computes its saving.
class CandidateRules {
 public:
  struct Options {
    int level = isa::kOperandLevel;
    bool main_as_well = true;  ///< A value that the main register file needs as well may be a candidate.
    bool shared_units = true;  ///< Shared units (SFU, memory) can access the level.
    bool split = false;        ///< Each entry belongs to one operand slot (split last-result file).
  };
  CandidateRules(const isa::Program& program, const RegionValues& values, const AccessEnergy& energy,
                 const Options& options)
      : program_(program), values_(values), energy_(energy), options_(options) {}

  /// Computes the other fields of a candidate from its `reads` and `fill`. Returns false if the candidate is
  /// invalid: the entry would not hold the value on all paths, or a unit that accesses the value cannot
  /// access the level, or main needs the value although the options exclude such values.
  bool evaluate(Candidate& candidate) const;

  /// Returns the candidate that consists of all reads of one web, without a fill.
  Candidate of_web(int web) const;
  /// Groups reads of one register (ascending) into read allocations. The earliest read fills the entry for
  /// all later reads that get the same value on every path. The remaining reads are grouped in the same way.
  /// A read that shares its value with no other read is dropped.
  std::vector<Candidate> of_fills(std::vector<int> reads) const;

  int level() const { return options_.level; }
  /// Returns the operand slot that all reads of the candidate use. Only for split levels, where each slot has
  /// its own entry.
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

/// Entries that hold a candidate: the entry of its first word, and the number of entries between the two
/// words of a pair.
struct Place {
  int entry = 0;
  int between = 0;
  int of(int word) const { return entry + word * (1 + between); }
};

/// Records, for each entry of one level, at which positions (instructions) of one region it is occupied.
class EntryTable {
 public:
  /// Creates an empty table. `pairs_anywhere`: the two words of a pair need not be in neighbouring entries.
  EntryTable(int entries, std::size_t positions, bool pairs_anywhere = false);

  /// Returns the first entries in [low, high) that are free at all positions where the candidate needs them,
  /// or nothing.
  std::optional<Place> find(const RegionValues& values, const Candidate& candidate, int low, int high) const;
  std::optional<Place> find(const RegionValues& values, const Candidate& candidate) const {
    return find(values, candidate, 0, static_cast<int>(entries_.size()));
  }
  void take(const RegionValues& values, const Candidate& candidate, const Place& place);
  /// Returns a position up to which a shortened candidate must end in order to fit: the first position by
  /// which every choice of entries is occupied by another value. Returns -1 if some choice has no conflict. A
  /// candidate that begins before this position and extends past it does not fit.
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

/// Writes the level and entries of a candidate into the annotations of its operands. `slot`: operand slot,
/// for a split last-result level.
void annotate(isa::Program& program, const RegionValues& values, const Candidate& candidate, int level,
              const Place& place, int slot);

/// Removes all levels and entries from the annotations of the program's operands.
void clear_levels(isa::Program& program);

}  // namespace heddle::compiler
