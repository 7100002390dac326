#pragma once

// Allocates entries of an upper level of the register hierarchy. A candidate for an entry is a set of reads
// that get the same value and that the level could serve.

#include <cstdint>
#include <optional>
#include <vector>

#include "models/compiler/analyses/access_energy.h"
#include "models/compiler/analyses/bit_set.h"
#include "models/compiler/region_values.h"

namespace heddle::compiler {

struct Candidate {
  /// Reads that the upper level serves, as ascending indices of RegionValues::reads().
  std::vector<int> reads;
  /// Index of the filling read: a read from the main register file that also writes the value into the upper
  /// level. -1: there is no filling read, because the value is a result of the region.
  int fill = -1;
  /// Results that are written to the entry of the upper level, as ascending indices of
  /// RegionValues::writes().
  std::vector<int> writes;
  std::vector<bool> main_as_well;
  BitSet occupied;
  int words = 1;
  double saved_pj = 0;
  double score = 0;
};

class CandidateRules {
 public:
  struct Options {
    int level = isa::kOperandLevel;
    /// True: the upper level may also hold results that must be written to the main register file too.
    bool main_as_well = true;
    bool shared_units = true;
    bool split = false;
  };
  CandidateRules(const isa::Program& program, const RegionValues& values, const AccessEnergy& energy,
                 const Options& options)
      : program_(program), values_(values), energy_(energy), options_(options) {}

  /// Computes `writes`, `occupied`, `score` and all remaining fields of a candidate from its `reads` and
  /// `fill`. Returns false if the upper level would not hold the value on all paths, or if a unit cannot
  /// access the level. If Options::main_as_well is false, also returns false for a value that must also be
  /// written to the main register file.
  bool evaluate(Candidate& candidate) const;

  /// Returns a candidate for an entry that consists of all reads of web number `web`. A web consists of all
  /// reads that may get the same results.
  Candidate of_web(int web) const;
  /// Divides `reads`, the reads of one register in ascending order, into candidates: groups of reads that
  /// one entry of the upper level may serve. The first read of a candidate reads the value from the main
  /// register file and writes it into the upper level. All further reads of the candidate get the same
  /// value on every path. A read that shares its value with no other read is in no candidate.
  std::vector<Candidate> of_fills(std::vector<int> reads) const;

  int level() const { return options_.level; }
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

/// Location of a candidate in an upper level: entry of its first word, and number of entries between the two
/// words of a pair (0 for larger groups).
struct Place {
  int entry = 0;
  int between = 0;
  int of(int word) const { return entry + word * (1 + between); }
};

class EntryTable {
 public:
  /// Creates an empty table. `pairs_anywhere`: the two words of a pair may be in any two entries; words of
  /// larger groups are always in neighbouring entries.
  EntryTable(int entries, std::size_t positions, bool pairs_anywhere = false);

  std::optional<Place> find(const RegionValues& values, const Candidate& candidate, int low, int high) const;
  std::optional<Place> find(const RegionValues& values, const Candidate& candidate) const {
    return find(values, candidate, 0, static_cast<int>(entries_.size()));
  }
  void take(const RegionValues& values, const Candidate& candidate, const Place& place);
  /// Returns the position in the code up to which this table can hold the candidate (a value that an upper
  /// level could store). For each set of entries that could hold all words of the value, finds the first
  /// position at which an entry of the set holds another value. Returns the latest of these positions; -1 if
  /// the table has too few entries, or if a set has no such position. A candidate that extends past this
  /// position must be shortened.
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

/// Writes the candidate's level and entries into the annotations of its operands. `slot`: operand slot, if
/// the last-result level has one entry for each slot.
void annotate(isa::Program& program, const RegionValues& values, const Candidate& candidate, int level,
              const Place& place, int slot);

void clear_levels(isa::Program& program);

}  // namespace heddle::compiler
