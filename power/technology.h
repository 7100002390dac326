#pragma once

// A technology: a table of prices for the events and cycles that a run counts. It is read from one JSON file
// (docs/energy.md) and checked here. The models of the hardware do not depend on it.

#include <string>
#include <vector>

#include "models/core/config_node.h"
#include "power/expression.h"

namespace heddle::power {

enum class Kind { dynamic, leakage, overhead };
const char* name_of(Kind kind);
constexpr int kKinds = 3;

/// Counters whose sum is multiplied by a price.
struct Term {
  std::vector<std::string> counters;  ///< patterns of the counters (counter_index.h)
  ConfigNode coefficient;
};

/// One entry of a technology file: the price of some events of a structure, that is, of a consumer of energy.
struct Entry {
  /// Price of the same events for the machine without the technique under study: the same price, no price, or
  /// a term of the entry's own.
  enum class Baseline { same, none, own };

  std::string name;
  /// Name of the consumer of energy, as "group.part", for example "execution.int".
  std::string structure;
  /// Structure of storage.h whose events the counters measure, if it is not `structure`. Usually empty.
  std::string event;
  Kind kind = Kind::dynamic;
  Term spent;
  /// True: the price is a power in mW and the counters count cycles. False: the price is in pJ per event.
  bool milliwatts = false;
  bool optional = false;            ///< true if the entry is ignored when the run does not have the counters
  std::vector<std::string> unless;  ///< patterns of counters; the entry is ignored if the run has one of them
  Baseline baseline = Baseline::same;
  Term baseline_term;  ///< counters and price of the baseline, for Baseline::own
  std::string doc;
  std::string where;  ///< file and line of the entry, for error texts
};

/// Counters of a unit that must sum to the cycles of each launch, times a factor. The factor is, for example,
/// the number of rows of a bank.
struct CycleCheck {
  std::string name;
  std::vector<std::string> counters;
  ConfigNode times;  ///< factor for the cycles; null: 1
  std::string where;
};

/// Effect of a structure's saving on a larger whole, for example the chip: saved x share - cost.
struct Share {
  /// Energy to which the saving refers: all energy, dynamic energy, or leakage with gating overhead.
  enum class Of { total, dynamic, still };
  std::string name, doc;
  /// Structures (consumers of energy) or groups of structures whose saving is used.
  std::vector<std::string> structures;
  Of of = Of::total;
  ConfigNode share;
  ConfigNode cost;  ///< fraction that is subtracted for the cost of the technique; null: 0
  std::string where;
};

/// Rank of a technology file that states no rank. It is above the ranks of all files in Heddle.
constexpr int kOwnRank = 100;

struct Technology {
  std::string name, description, file;
  /// If several technology files price events of the same structure, only the file with the highest rank
  /// prices them. Rank 0 is for base files, which price machines without a technique of a paper.
  int rank = kOwnRank;
  /// True if the run ranks this technology file below all others (power.stand_back).
  bool stands_back = false;
  /// True if the prices describe a limit instead of real hardware; the machine without techniques may then
  /// cost more or less than its baseline.
  bool what_if = false;
  /// Parts of the machine that the prices cover, such as "SM" or "DRAM". Empty: the groups of the priced
  /// structures.
  std::vector<std::string> scope;
  double node_nm = 0;              ///< process node of the prices in nm; 0: unknown
  std::vector<std::string> files;  ///< the technology file, and the files that it extends
  Definitions definitions;
  std::vector<Entry> entries;
  std::vector<CycleCheck> cycle_checks;
  std::vector<Share> shares;
};

/// Reads a technology file and the files that it extends. `find` returns the path of a file for a name in
/// "extends". Throws Error with file, line and key.
using FindTechnology = std::string (*)(const std::string& name, const std::string& where);
Technology read_technology(const std::string& file, FindTechnology find);

/// Reads a technology from a tree of JSON values. Without `find`, the key "extends" is an error.
Technology read_technology(const ConfigNode& root, FindTechnology find = nullptr);

/// True if the file of `other` extends this technology's file. `other` then replaces this technology in the
/// account.
bool is_extended_by(const Technology& technology, const Technology& other);

}  // namespace heddle::power
