#pragma once

// Lists the events of the machine's storage, wires and switches, and the counters that measure them. Counters
// of the same accesses in different units, such as rows and sub-banks, belong to one event. Two technologies
// therefore cannot both price these accesses.

#include <span>
#include <string_view>
#include <vector>

namespace heddle::power {

/// Counters of one kind of event of a structure. Lists are separated by blanks.
struct StorageEvent {
  const char* structure;  ///< name of the structure in reports, for example "register_file.mrf"
  const char* kind;
  const char* owners;
  const char* counters;
};
std::span<const StorageEvent> storage_events();

/// A structure of the machine. Every energy account lists structures that have no price.
struct MachinePart {
  const char* name;
  bool still;
  const char* has;  ///< patterns of counters; the machine has the structure if one matches
  /// Structures (StorageEvent::structure), at least one of which must have a price. nullptr: at least one of
  /// the counters in `has` must have a price.
  const char* structures = nullptr;
};
std::span<const MachinePart> machine_parts();

/// Patterns of Heddle's own units, separated by blanks. All other units belong to plug-ins; the coverage
/// lists them if they have no price.
extern const char* const kKnownUnits;

std::vector<std::string_view> words(std::string_view list);

}  // namespace heddle::power
