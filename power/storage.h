#pragma once

// Lists the events of the machine's storage, wires and switches, and the counters that measure them. Counters
// that count the same accesses in different ways (by rows, by sub-banks) belong to one event. Therefore, two
// technologies cannot both price these accesses. For other hardware, technology files list the events and
// structures.

#include <string>
#include <vector>

namespace heddle::power {

/// The counters that count one kind of event of a structure.
struct StorageEvent {
  std::string structure;  ///< name of the structure in reports, for example "register_file.mrf"
  std::string kind;
  std::vector<std::string> counters;  ///< patterns of counters
};
/// Returns the energy events that Heddle itself declares. A technology file may declare further events.
const std::vector<StorageEvent>& storage_events();

/// A structure of the machine. Every energy account lists structures that have no price.
struct MachinePart {
  std::string name;
  bool still = false;            ///< true: leakage; false: dynamic energy
  std::vector<std::string> has;  ///< patterns of counters; the machine has the structure if one matches
  /// The machine part is priced if at least one of these structures (StorageEvent::structure) has a price. If
  /// `structures` is empty, at least one of the counters in `has` must have a price.
  std::vector<std::string> structures;
};
/// Returns the hardware structures that Heddle itself declares. A technology file may declare further
/// structures.
const std::vector<MachinePart>& machine_parts();

/// Returns true if `owner` (path of a unit's counters) is a unit that Heddle itself declares. All other units
/// belong to parts that a technique or a plug-in adds.
bool is_own_unit(const std::string& owner);

}  // namespace heddle::power
