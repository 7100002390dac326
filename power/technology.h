#pragma once

// A technology: what the events and cycles that a run counts cost. One JSON file (docs/energy.md), read and
// checked here; nothing in it is known to any model.

#include <string>
#include <vector>

#include "models/core/config_node.h"
#include "power/expression.h"

namespace heddle::power {

enum class Kind { dynamic, leakage, overhead };
const char* name_of(Kind kind);
constexpr int kKinds = 3;

/// An entry's events: the sum of counters, with a coefficient for each.
struct Term {
  std::vector<std::string> counters;  ///< patterns (counter_index.h)
  ConfigNode coefficient;
};

/// One line of the account.
struct Entry {
  /// Price of the same events without the mechanism under study.
  enum class Baseline { same, none, own };

  std::string name;
  std::string structure;  ///< "group.part": "execution.int"
  /// Structure of these events, if the counters belong to another one (storage.h); mostly empty.
  std::string event;
  Kind kind = Kind::dynamic;
  Term spent;
  bool milliwatts = false;  ///< the coefficient is a power and the counters are cycles; else pJ an event
  bool optional = false;    ///< the counters may be absent
  std::vector<std::string> unless;  ///< counts only where none of these counters exists
  Baseline baseline = Baseline::same;
  Term baseline_term;  ///< of Baseline::own
  std::string doc;
  std::string where;  ///< file and line, for messages
};

/// Counters of one unit that sum to the cycles of every launch, times something (rows of a bank).
struct CycleCheck {
  std::string name;
  std::vector<std::string> counters;
  ConfigNode times;  ///< null: once
  std::string where;
};

/// Effect of a structure's saving on a larger whole: saved x share - cost.
struct Share {
  enum class Of { total, dynamic, still };  ///< of all energy, of dynamic, of leakage with overhead
  std::string name, doc;
  std::vector<std::string> structures;  ///< structures or groups
  Of of = Of::total;
  ConfigNode share;
  ConfigNode cost;  ///< null: none
  std::string where;
};

/// Rank of a table that states none: above all tables that come with Heddle.
constexpr int kOwnRank = 100;

struct Technology {
  std::string name, description, file;
  /// Among tables that price events of one structure, only the table of the highest rank prices them. 0: base
  /// tables, for machines without a technique of a paper.
  int rank = kOwnRank;
  bool stands_back = false;  ///< the run says so (power.stand_back): below all that do not
  bool what_if =
      false;  ///< no hardware: a limit study, whose plain machine need not cost what its baseline does
  std::vector<std::string>
      scope;           ///< what its figures are of: "SM", "DRAM"; empty: its structures' groups say it
  double node_nm = 0;  ///< the process that its figures are for; 0: not said
  std::vector<std::string> files;  ///< this one, and those that it extends
  Definitions definitions;
  std::vector<Entry> entries;
  std::vector<CycleCheck> cycle_checks;
  std::vector<Share> shares;
};

/// Reads a file and what it extends. `find` turns a name beside "extends" into a file. Throws Error with
/// file, line and key for whatever is wrong.
using FindTechnology = std::string (*)(const std::string& name, const std::string& where);
Technology read_technology(const std::string& file, FindTechnology find);

/// The same from a tree; "extends" is an error without `find`.
Technology read_technology(const ConfigNode& root, FindTechnology find = nullptr);

/// True if `other` extends this technology and so replaces it.
bool is_extended_by(const Technology& technology, const Technology& other);

}  // namespace heddle::power
