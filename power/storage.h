#pragma once

// Events of the machine's storage, wires and switches, independent of their price, with the counters that
// measure them. Two counters that measure the same accesses in different units, such as rows and sub-banks,
// belong to one event, so that no two technologies price it.

#include <span>
#include <string_view>
#include <vector>

namespace heddle::power {

/// Counters of one kind of event of a structure. Lists are separated by blanks.
struct StorageEvent {
  const char* structure;  ///< "register_file.mrf": name in reports
  const char* kind;       ///< "read", "write", "operation", "state"
  const char* owners;     ///< patterns of units (counter_index.h)
  const char* counters;   ///< names: "reads read_sub_banks"
};
std::span<const StorageEvent> storage_events();

/// A part of the machine that an account may leave out: for what is printed beside every account.
struct MachinePart {
  const char* name;  ///< "shared memory"
  bool still;        ///< its leakage; else what its events cost
  const char* has;   ///< patterns of counters: the machine has this part where one of them exists
  /// Structures of which one has to be priced (StorageEvent::structure); nullptr: one of the counters `has`.
  const char* structures = nullptr;
};
std::span<const MachinePart> machine_parts();

/// Patterns of the units that come with Heddle, separated by blanks. Counters of any other unit are named in
/// the coverage if nothing prices them.
extern const char* const kKnownUnits;

/// The parts of a list that are separated by blanks.
std::vector<std::string_view> words(std::string_view list);

}  // namespace heddle::power
