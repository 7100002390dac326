#pragma once

// Deliberate faults in the parts of the register file that handle rows and power domains. They concern
// states, lanes, speeds and places of rows (Abdel-Majeed 2016, chapters 5 and 6), allocation and release of
// entries (Jeon 2015), and coalesced accesses (Radaideh 2021). CMakeLists.txt makes the faulty parts: it
// copies sources of the model and replaces some texts. The results are the stages "faulty-banks",
// "faulty-swapping" and "faulty-renaming", the register power "faulty-tri-modal", the arbiter
// "faulty-coalescing", the front-end stage "faulty-release-flag-cache", and groups of power domains. If no
// fault is chosen, these parts behave like the originals.

#include <cstdint>
#include <string>

namespace heddle {

enum class RowFault : std::uint8_t {
  none,
  drowse_at_accept,        ///< fault: a row becomes drowsy when its write is accepted, not when it is done
  drowse_at_first_reader,  ///< fault: a row with two readers becomes drowsy after the first reader
  low_word_only,           ///< fault: only the low word of a register pair is announced to the rows
  drowse_at_issue,         ///< fault: the row of a result becomes drowsy before the result arrives
  off_early,               ///< fault: the row of a warp's last register is off
  other_mask,              ///< fault: a read uses the lane mask of another collector
  /// fault: a new swapping table also applies to resident warps, without moving their values
  resident_tables,
  past_table,        ///< fault: write-backs and fetches of caches ignore the swapping table
  miss_to_slow,      ///< fault: a register without a swapping table entry is looked up in a slow row
  any_warp,          ///< fault: accesses of all warps are counted, not only those of the pilot warp
  late_threshold,    ///< fault: an epoch with exactly `threshold` issues counts as low
  free_bank,         ///< fault: an access to a slow row occupies its bank for only one cycle
  own_latency,       ///< fault: the time of a slow row counts as part of the operation's latency
  overlapping_pair,  ///< fault: two accesses that open the same sub-bank are served together
  occupied_off,      ///< fault: the power domain of a subarray is not notified of an allocation
  /// fault: an entry becomes free when the banks accept its release, not when they answer
  freed_at_acceptance,
  lost_list,    ///< fault: a list of registers to release is ignored
  awake_early,  ///< fault: a power domain is on one cycle too early
};

inline RowFault& row_fault() {
  static RowFault fault = RowFault::none;
  return fault;
}
inline bool has(RowFault fault) { return row_fault() == fault; }

/// Wakes one of two sleeping power domains. Sets `awake` to the cycles until the domain is on. Returns the
/// text of an error that occurs, or "".
std::string wake_a_part(std::uint64_t& awake);

/// Returns true if an epoch with `issues` issues makes the fast rows slow in the next epoch. Without a fault,
/// this is so only if `issues` is smaller than `threshold`.
bool low_behind(int issues, int threshold);

}  // namespace heddle
