#pragma once

// Keeps the accesses of one warp to the entries of an operand file in program order.
//
// The scoreboard does not compare entries. Instructions issue in program order, and the reads of a warp reach
// the register path in this order. Results, however, arrive whenever their instruction completes. A result
// therefore waits until all reads that were issued before it have been accepted. It does not write the lanes
// that a later instruction has meanwhile written to the same entry. If the strand (instructions between two
// points at which a warp may be descheduled) has ended, the result writes no lanes, because no instruction
// reads them any more.

#include <cstdint>
#include <functional>
#include <vector>

#include "models/core/growing_array.h"
#include "models/ports/register_access.h"

namespace heddle {

class OperandOrder {
 public:
  struct Write {
    const isa::Instruction* instruction = nullptr;
    /// true: the write stores a source operand that was read from the next stage; false: a result
    bool fill = false;
    bool begun = false;
    std::uint8_t slot = 0, word = 0;
    std::uint32_t entry = 0;
    std::uint64_t id = 0;
    LaneMask lanes = 0;              ///< lanes that are not yet written into the entry
    std::uint64_t reads_before = 0;  ///< number of entry reads that issued before this write
  };

  /// Returns the number of the entry that a word of an operand uses at a level (ORF or LRF).
  using EntryOf = std::function<std::uint32_t(const isa::OperandAnnotation& operand, std::uint8_t word,
                                              std::uint8_t level)>;
  /// Returns the operand file levels to which the operand is written, one bit for each level. The operand is
  /// a result, or a source that the next stage delivers.
  static std::uint8_t written_levels(const isa::OperandAnnotation& operand) {
    return static_cast<std::uint8_t>(operand.write_levels & ~isa::level_bit(isa::kMainLevel));
  }
  /// Records the entry reads and writes of an issued instruction. `lanes`: its active lanes. Returns true if
  /// the instruction uses entries.
  bool issue(const isa::Instruction& instruction, LaneMask lanes, const EntryOf& entry_of);
  /// Records the end of a strand (instructions between two points at which a warp may be descheduled). The
  /// end takes effect after the reads issued so far have been accepted.
  void end_strand();

  /// Records that the stage has accepted a read of an entry.
  void read_taken() { ++taken_; }
  /// Returns true if a strand (code without descheduling) has ended since the last call, and all its reads
  /// have been accepted.
  bool strand_ended() { return !ends_.empty() && take_ends(); }

  /// Returns the recorded write that belongs to the access, or nullptr if no issued instruction recorded one.
  /// The record stays until done().
  Write* find(const RegisterAccess& access, bool fill);
  Write* find(std::uint64_t id);
  /// Removes the record of a write that is complete. Older outstanding writes to the same entry lose its
  /// lanes.
  void done(std::uint64_t id);
  bool may_write(std::uint64_t reads_before) const { return taken_ >= reads_before; }
  void reset() {
    issued_ = taken_ = 0;
    next_id_ = 1;
    writes_.clear();
    ends_.clear();
  }

 private:
  struct End {
    std::uint64_t reads;  ///< number of reads that must be accepted before the end takes effect
    std::uint64_t id;     ///< id of the first write after the end of the strand (code without descheduling)
  };
  bool take_ends();
  bool issue_writes(const isa::Operand& operand, Write write, const EntryOf& entry_of);

  /// number of entry reads that were issued, and number of those that were accepted
  std::uint64_t issued_ = 0, taken_ = 0;
  std::uint64_t next_id_ = 1;
  GrowingArray<Write> writes_;  ///< outstanding writes, sorted by id
  std::vector<End> ends_;
};

}  // namespace heddle
