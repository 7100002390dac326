#pragma once

// A technology: prices of the events and cycles that a run counts. It is one JSON file (docs/energy.md),
// which is read and checked here. Models do not depend on it.

#include <string>
#include <vector>

#include "models/core/config_node.h"
#include "power/expression.h"

namespace heddle::power {

enum class Kind { dynamic, leakage, overhead };
const char* name_of(Kind kind);
constexpr int kKinds = 3;

/// Events of an entry: counters whose sum is multiplied by a coefficient.
struct Term {
  std::vector<std::string> counters;  ///< patterns (counter_index.h)
  ConfigNode coefficient;
};

/// One entry of the account.
struct Entry {
  /// Price of the same events without the mechanism under study.
  enum class Baseline { same, none, own };

  std::string name;
  std::string structure;  ///< "group.part", such as "execution.int"
  /// Structure of the events, if the counters belong to another structure (storage.h); usually empty.
  std::string event;
  Kind kind = Kind::dynamic;
  Term spent;
  /// True: the coefficient is a power and the counters are cycles; false: pJ per event.
  bool milliwatts = false;
  bool optional = false;            ///< the counters may be absent
  std::vector<std::string> unless;  ///< used only if none of these counters exists
  Baseline baseline = Baseline::same;
  Term baseline_term;  ///< for Baseline::own
  std::string doc;
  std::string where;  ///< file and line, for messages
};

/// Counters of one unit whose sum must be the cycles of each launch, times a factor (rows of a bank).
struct CycleCheck {
  std::string name;
  std::vector<std::string> counters;
  ConfigNode times;  ///< null stands for 1
  std::string where;
};

/// Effect of a structure's saving on a larger whole: saved x share - cost.
struct Share {
  enum class Of { total, dynamic, still };  ///< of all energy, of dynamic energy, or of leakage with overhead
  std::string name, doc;
  std::vector<std::string> structures;  ///< structures or groups
  Of of = Of::total;
  ConfigNode share;
  ConfigNode cost;  ///< null stands for 0
  std::string where;
};

/// Rank of a table without a rank: above all tables of Heddle.
constexpr int kOwnRank = 100;

struct Technology {
  std::string name, description, file;
  /// Of the tables that price events of one structure, only the table with the highest rank prices them. 0:
  /// base tables, for machines without a paper's technique.
  int rank = kOwnRank;
  bool stands_back = false;  ///< the run ranks it below all other tables (power.stand_back)
  bool what_if = false;      ///< limit study without hardware; its plain machine need not cost its baseline
  /// What the figures cover: "SM", "DRAM"; empty: the groups of its structures.
  std::vector<std::string> scope;
  double node_nm = 0;              ///< process node of the figures; 0 = unknown
  std::vector<std::string> files;  ///< this file and the files that it extends
  Definitions definitions;
  std::vector<Entry> entries;
  std::vector<CycleCheck> cycle_checks;
  std::vector<Share> shares;
};

/// Reads a file and the files that it extends. `find` returns the file for a name in "extends". Throws Error
/// with file, line and key.
using FindTechnology = std::string (*)(const std::string& name, const std::string& where);
Technology read_technology(const std::string& file, FindTechnology find);

/// Reads a technology from a tree. Without `find`, "extends" is an error.
Technology read_technology(const ConfigNode& root, FindTechnology find = nullptr);

/// True if `other` extends this technology and therefore replaces it.
bool is_extended_by(const Technology& technology, const Technology& other);

}  // namespace heddle::power
