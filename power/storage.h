#pragma once

// Events of the machine's storage, wires and switches, with the counters that measure them, independent of
// prices. Counters that measure the same accesses in different units, such as rows and sub-banks, belong to
// one event, so that two technologies cannot both price it.

#include <span>
#include <string_view>
#include <vector>

namespace heddle::power {

/// Counters of one kind of event of a structure. Lists are separated by blanks.
struct StorageEvent {
  const char* structure;  ///< name in reports: "register_file.mrf"
  const char* kind;       ///< "read", "write", "operation" or "state"
  const char* owners;     ///< patterns of units (counter_index.h)
  const char* counters;   ///< names, such as "reads read_sub_banks"
};
std::span<const StorageEvent> storage_events();

/// A part of the machine that an account may not price; unpriced parts are listed with every account.
struct MachinePart {
  const char* name;  ///< such as "shared memory"
  bool still;        ///< true for its leakage, false for its events
  const char* has;   ///< patterns of counters; the machine has the part if one of them exists
  /// Structures of which at least one must be priced (StorageEvent::structure). nullptr: one of the counters
  /// `has` must be priced.
  const char* structures = nullptr;
};
std::span<const MachinePart> machine_parts();

/// Patterns of the units in Heddle, separated by blanks. Other units are listed in the coverage if nothing
/// prices them.
extern const char* const kKnownUnits;

/// Returns the items of a list that is separated by blanks.
std::vector<std::string_view> words(std::string_view list);

}  // namespace heddle::power
