#pragma once

// Lists the events of the machine's storage, wires and switches, and the counters that measure them. Counters
// of the same accesses in different units, such as rows and sub-banks, belong to one event, so that two
// technologies cannot both price it.

#include <span>
#include <string_view>
#include <vector>

namespace heddle::power {

/// Counters of one kind of event of a structure. Lists are separated by blanks.
struct StorageEvent {
  const char* structure;  ///< name of the structure in reports, for example "register_file.mrf"
  const char* kind;       ///< "read", "write", "operation", "state" or another word
  const char* owners;
  const char* counters;
};
std::span<const StorageEvent> storage_events();

/// A structure that may lack a price in an energy account; every account lists those that do.
struct MachinePart {
  const char* name;
  bool still;
  const char* has;  ///< patterns of counters; the machine has the structure if one matches
  /// Structures (StorageEvent::structure), one of which must have a price; nullptr: one of the counters in
  /// `has` must have one.
  const char* structures = nullptr;
};
std::span<const MachinePart> machine_parts();

/// Patterns of Heddle's own units, separated by blanks. Other units are those of plug-ins, which the coverage
/// lists if they have no price.
extern const char* const kKnownUnits;

std::vector<std::string_view> words(std::string_view list);

}  // namespace heddle::power
