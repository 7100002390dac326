#pragma once

// Faults of the parts of the register file that concern rows and power domains: states, lanes, speeds and
// places of rows (Abdel-Majeed 2016, chapters 5 and 6), allocation and release of entries (Jeon 2015), and
// coalesced accesses (Radaideh 2021). The faulty parts are copies of the model's with some texts replaced
// (CMakeLists.txt): the stages "faulty-banks", "faulty-swapping" and "faulty-renaming", the register power
// "faulty-tri-modal", the arbiter "faulty-coalescing", the front-end stage "faulty-release-flag-cache", and
// groups of domains. Without a fault they behave as the originals.

#include <cstdint>
#include <string>

namespace heddle {

enum class RowFault : std::uint8_t {
  none,
  drowse_at_accept,        ///< a row becomes drowsy when its write is accepted
  drowse_at_first_reader,  ///< a row becomes drowsy at the first of two readers
  low_word_only,           ///< only the low word of a pair is announced to the rows
  drowse_at_issue,         ///< the row of a result becomes drowsy before the result arrives
  off_early,               ///< the row of a warp's last register is off
  other_mask,              ///< a read uses the mask of another collector
  resident_tables,         ///< a swapping table also holds for resident warps
  past_table,              ///< write-backs and fetches of caches bypass the table
  miss_to_slow,            ///< a register without an entry is looked up in a slow row
  any_warp,                ///< accesses of all warps are counted, not only the pilot's
  late_threshold,          ///< an epoch with exactly `threshold` issues counts as low
  free_bank,               ///< a slow access takes its bank for one cycle
  own_latency,             ///< the time of a slow row counts as part of the operation's latency
  overlapping_pair,        ///< two accesses that open one sub-bank are served together
  occupied_off,            ///< the domain of a subarray is not notified of an allocation
  freed_at_acceptance,     ///< an entry is free when the banks accept its release
  lost_list,               ///< a list of registers to release is ignored
  awake_early,             ///< a domain is on a cycle too early
};

inline RowFault& row_fault() {
  static RowFault fault = RowFault::none;
  return fault;
}
inline bool has(RowFault fault) { return row_fault() == fault; }

/// Wakes one of two sleeping parts. `awake` receives the cycles until the part is on. Returns the error that
/// ends the attempt, or "".
std::string wake_a_part(std::uint64_t& awake);

/// Returns true if an epoch with this many issues makes the next one low. Correct: only fewer than
/// `threshold` issues do.
bool low_behind(int issues, int threshold);

}  // namespace heddle
