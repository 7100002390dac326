#pragma once

// Faults of the parts of the register file that are about rows: states, lanes, speeds, places (003, chapters 5 and 6).
// The parts that have them are copies of the model's with some texts replaced (CMakeLists.txt): the stages
// "faulty-banks" and "faulty-swapping", the register power "faulty-tri-modal". Without a fault they are the model's.

#include <cstdint>

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
};

inline RowFault& row_fault() {
  static RowFault fault = RowFault::none;
  return fault;
}
inline bool has(RowFault fault) { return row_fault() == fault; }

/// Of the faulty mode of fast rows: low after an epoch with so many issues, `threshold` being the least that keeps it
/// high.
bool low_behind(int issues, int threshold);

}  // namespace heddle
