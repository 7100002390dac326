#pragma once

// Keeps the accesses of one warp to the entries of an operand file in program order, because the scoreboard
// does not compare entries. Reads of a warp reach the register path in program order. A result arrives when
// its instruction completes, and waits until all reads issued before the instruction have been accepted. If a
// later instruction has already written lanes of the entry, the result does not overwrite these lanes. A
// result that arrives after the end of its strand is not written at all.

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
    bool fill = false;
    bool begun = false;
    std::uint8_t slot = 0, word = 0;
    std::uint32_t entry = 0;
    std::uint64_t id = 0;
    LaneMask lanes = 0;
    std::uint64_t reads_before = 0;
  };

  using EntryOf = std::function<std::uint32_t(const isa::OperandAnnotation& operand, std::uint8_t word,
                                              std::uint8_t level)>;
  static std::uint8_t written_levels(const isa::OperandAnnotation& operand) {
    return static_cast<std::uint8_t>(operand.write_levels & ~isa::level_bit(isa::kMainLevel));
  }
  /// Records an issued instruction's reads and writes of entries of the operand file. `lanes`: active lanes
  /// of the instruction. Returns true if the instruction uses such entries.
  bool issue(const isa::Instruction& instruction, LaneMask lanes, const EntryOf& entry_of);
  /// Records that the warp may be descheduled now. The entries become invalid when the reads issued so far
  /// have been accepted.
  void end_strand();

  void read_taken() { ++taken_; }
  /// Returns true if a strand has ended since the last call. A strand ends when two conditions hold: the warp
  /// has passed a point at which it may be descheduled, and all reads before this point have been accepted.
  bool strand_ended() { return !ends_.empty() && take_ends(); }

  Write* find(const RegisterAccess& access, bool fill);
  Write* find(std::uint64_t id);
  /// Removes the record of a complete write. Older writes to the same entry that arrive later will not
  /// overwrite the lanes of this write.
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
    std::uint64_t reads;
    std::uint64_t id;
  };
  bool take_ends();
  bool issue_writes(const isa::Operand& operand, Write write, const EntryOf& entry_of);

  std::uint64_t issued_ = 0, taken_ = 0;
  std::uint64_t next_id_ = 1;
  GrowingArray<Write> writes_;
  std::vector<End> ends_;
};

}  // namespace heddle
