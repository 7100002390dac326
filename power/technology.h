#pragma once

// A technology: a table of prices for the events and cycles that a run counts, read from a JSON file
// (docs/energy.md) and checked here. Models of the hardware do not depend on it.

#include <string>
#include <vector>

#include "models/core/config_node.h"
#include "power/expression.h"
#include "power/storage.h"

namespace heddle::power {

enum class Kind { dynamic, leakage, overhead };
const char* name_of(Kind kind);
constexpr int kKinds = 3;

struct Term {
  std::vector<std::string> counters;
  ConfigNode coefficient;
};

/// Price of some events of a structure (a consumer of energy).
struct Entry {
  /// Price of the same events on a machine without the technique under study: the same price, no price, or a
  /// term that the entry states.
  enum class Baseline { same, none, own };

  std::string name;
  /// consumer of energy as "group.part", such as "execution.int"
  std::string structure;
  /// structure (of storage.h) of the priced event, if the counters belong to another structure than
  /// `structure`; otherwise empty
  std::string event;
  Kind kind = Kind::dynamic;
  Term spent;
  /// True: the price is in mW, and the counters count cycles. False: pJ per event.
  bool milliwatts = false;
  bool optional = false;            ///< ignore the entry when the run lacks the counters
  std::vector<std::string> unless;  ///< patterns; if a counter of the run matches one, the entry is ignored
  /// If not empty: the run uses the entry only if this parameter has one of the values in `one_of`.
  std::string parameter;
  std::vector<std::string> one_of;
  Baseline baseline = Baseline::same;
  Term baseline_term;
  std::string doc;
  std::string where;
};

/// The sum of these counters of a unit must equal the cycles of each launch times a factor, such as the
/// number of rows of a bank.
struct CycleCheck {
  std::string name;
  std::vector<std::string> counters;
  ConfigNode times;
  std::string where;
};

/// Relative saving of a larger whole, such as the chip, due to the saving of some structures: relative saving
/// of the structures x `share` (the structures' share of the whole's energy) - `cost`.
struct Share {
  /// Energy to which the saving refers: all, dynamic, or leakage with gating overhead.
  enum class Of { total, dynamic, still };
  std::string name, doc;
  std::vector<std::string> structures;
  Of of = Of::total;
  ConfigNode share;
  ConfigNode cost;  ///< fraction subtracted for the technique's cost; null: 0
  std::string where;
};

/// Rank of a technology file that states no rank. It is higher than the ranks of all technology files of
/// Heddle.
constexpr int kOwnRank = 100;

struct Technology {
  std::string name, description, file;
  /// If several technology files price events of a structure, only the file with the highest rank prices
  /// these events. Rank 0 is for base files, which price machines without a technique of a paper.
  int rank = kOwnRank;
  /// True: the run ranks this file below all other files (parameter power.stand_back).
  bool stands_back = false;
  /// True: the prices describe a theoretical limit instead of real hardware. The energy of a machine without
  /// techniques may then differ from its baseline (the energy at the prices of a machine without a
  /// technique).
  bool what_if = false;
  /// Hardware that the prices cover, such as "SM" or "DRAM". Empty: the first parts of the names of the priced
  /// structures, such as "execution" of `execution.fp`.
  std::vector<std::string> scope;
  double node_nm = 0;
  std::vector<std::string> files;
  Definitions definitions;
  std::vector<Entry> entries;
  std::vector<CycleCheck> cycle_checks;
  std::vector<Share> shares;
  /// Events and structures that storage.h does not list. They belong to hardware that this technology prices.
  std::vector<StorageEvent> events;
  std::vector<MachinePart> parts;
};

/// Function that returns the path of the technology file that the key "extends" names. `where`: file, line
/// and key, for error texts.
using FindTechnology = std::string (*)(const std::string& name, const std::string& where);
/// Reads a technology file. Throws Error (file, line, key) if the file is not valid.
Technology read_technology(const std::string& file, FindTechnology find);

/// Reads a tree of JSON values. Without `find`, the key "extends" is an error.
Technology read_technology(const ConfigNode& root, FindTechnology find = nullptr);

/// Returns true if `other` extends `technology`. In this case, `other` replaces `technology` in the account.
bool is_extended_by(const Technology& technology, const Technology& other);

}  // namespace heddle::power
