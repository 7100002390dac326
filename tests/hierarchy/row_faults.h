#pragma once

// Deliberate faults of register rows and power domains. Some faults concern the states, lanes, speeds and
// positions of rows (Abdel-Majeed 2016, chapters 5 and 6). Others concern the allocation and release of
// entries (Jeon 2015), or coalesced accesses (Radaideh 2021). To make the faulty stages, CMakeLists.txt
// copies sources of the model and replaces some texts in the copies. If no fault is chosen, the copies behave
// like the originals.

#include <cstdint>
#include <string>

namespace heddle {

enum class RowFault : std::uint8_t {
  none,
  drowse_at_accept,        ///< a row becomes drowsy when its write is accepted, not when it is done
  drowse_at_first_reader,  ///< a row with two readers becomes drowsy after the first
  low_word_only,           ///< only the low word of a register pair is announced to the rows
  drowse_at_issue,         ///< a result's row becomes drowsy before the result arrives
  off_early,               ///< the row of a warp's last register is off
  other_mask,
  /// fault: a new swapping table (register to row) is used for resident warps too, but their values are not
  /// moved to the new rows
  resident_tables,
  past_table,
  miss_to_slow,  ///< a register without a swapping table entry is looked up in a slow row
  any_warp,      ///< accesses of all warps are counted, not only the pilot warp's
  /// fault: registers are ranked by the accesses of all warps, not of the pilot warp (pilot_warp.h); the
  /// counter of the pilot warp's accesses stays correct
  ranks_of_all,
  free_results,      ///< results take no port of the renaming table
  late_threshold,    ///< slow mode follows even an epoch with exactly `threshold` issues
  free_bank,         ///< an access to a slow row occupies its bank for only one cycle
  own_latency,       ///< a slow row's time counts as part of the operation's latency
  overlapping_pair,  ///< two accesses that open the same sub-bank are served together
  occupied_off,      ///< a subarray's power domain is not notified of an allocation
  /// fault: an entry becomes free when the banks accept its release, not when they have completed it
  freed_at_acceptance,
  lost_list,
  awake_early,  ///< a power domain is on one cycle too early
};

inline RowFault& row_fault() {
  static RowFault fault = RowFault::none;
  return fault;
}
inline bool has(RowFault fault) { return row_fault() == fault; }

/// Wakes one of two sleeping power domains. Sets `awake` to the number of cycles until this domain is on.
/// Returns the text of an error, or "".
std::string wake_a_part(std::uint64_t& awake);

/// Returns true if an epoch with `issues` issued instructions is followed by an epoch in which the fast rows
/// are in the low (slow) mode. Without a fault, this is so if `issues` < `threshold`.
bool low_behind(int issues, int threshold);

}  // namespace heddle
