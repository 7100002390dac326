#pragma once

// Faults of the parts of the register file that are about rows: states, lanes, speeds, places (Abdel-Majeed
// 2016, chapters 5 and 6), entries that come and go (Jeon 2015), accesses that go together (Radaideh 2021);
// and of power domains. The parts that have them are copies of the model's with some texts replaced
// (CMakeLists.txt): the stages "faulty-banks", "faulty-swapping" and "faulty-renaming", the register power
// "faulty-tri-modal", the arbiter "faulty-coalescing", the front-end stage "faulty-release-flag-cache",
// groups of domains. Without a fault they are the model's.

#include <cstdint>
#include <string>

namespace heddle {

enum class RowFault : std::uint8_t {
  none,
  drowse_at_accept,        ///< a row drowses when its write is accepted
  drowse_at_first_reader,  ///< at the first of two readers
  low_word_only,           ///< only the low word of a pair is announced to the rows
  drowse_at_issue,         ///< a row of a result does not wait for it
  off_early,               ///< the last register of a warp has no row that is on
  other_mask,              ///< the mask of another collector
  resident_tables,         ///< a table holds for warps that are there already
  past_table,              ///< what caches write back and fetch goes past the table
  miss_to_slow,            ///< a register without an entry is looked for in a slow row
  any_warp,                ///< every warp's accesses are counted
  late_threshold,          ///< as many issues as the threshold are few
  free_bank,               ///< a slow access takes its bank for one cycle
  own_latency,             ///< the time of a slow row is part of an operation's own
  overlapping_pair,        ///< two accesses that open one sub-bank are served together without a check
  occupied_off,            ///< a subarray's domain is not notified that one of its entries is allocated
  freed_at_acceptance,     ///< an entry can be given again when the banks have accepted its release
  lost_list,               ///< a list of registers to be released is ignored
  awake_early,             ///< a domain is on a cycle before it may be
};

inline RowFault& row_fault() {
  static RowFault fault = RowFault::none;
  return fault;
}
inline bool has(RowFault fault) { return row_fault() == fault; }

/// Wakes one of two parts that sleep; the error that ends it, if one does. `awake`: the cycles until it is on.
std::string wake_a_part(std::uint64_t& awake);

/// Fault of the fast-row mode: low after an epoch with this many issues, although `threshold` issues keep it
/// high.
bool low_behind(int issues, int threshold);

}  // namespace heddle
