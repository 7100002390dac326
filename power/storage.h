#pragma once

// Lists the events of the machine's storage, wires and switches, and the counters that measure them. Some
// counters measure the same accesses in different units, such as rows and sub-banks. They belong to the same
// event, so that two technologies cannot both price it.

#include <span>
#include <string_view>
#include <vector>

namespace heddle::power {

/// Counters that measure one kind of event of a structure. Lists are separated by blanks.
struct StorageEvent {
  const char* structure;  ///< name of the structure in reports, for example "register_file.mrf"
  const char* kind;       ///< kind of event: "read", "write", "operation", "state" or another word
  const char* owners;     ///< patterns of the units that own the counters (counter_index.h)
  const char* counters;   ///< names of the counters, for example "reads read_sub_banks"
};
std::span<const StorageEvent> storage_events();

/// A part of the machine that may lack a price in an energy account. Every account lists its parts without a
/// price.
struct MachinePart {
  const char* name;  ///< name of the part, such as "shared memory"
  bool still;        ///< true for the leakage of the part, false for its events
  const char* has;   ///< patterns of counters; the machine has this part if a counter matches one of them
  /// Names of structures (StorageEvent::structure). The part counts as priced if at least one of them has a
  /// price. nullptr: the part counts as priced if one of the counters in `has` has a price.
  const char* structures = nullptr;
};
std::span<const MachinePart> machine_parts();

/// Patterns of Heddle's own units, separated by blanks. Units that match no pattern are those of plug-in
/// modules. They are listed in the coverage if they have no price.
extern const char* const kKnownUnits;

/// Returns the items of a list that is separated by blanks.
std::vector<std::string_view> words(std::string_view list);

}  // namespace heddle::power
