#pragma once

// Keeps the program order of one warp's accesses to the entries of an operand file.
//
// No scoreboard compares entries. Instructions issue in program order, and the reads of a warp reach the
// register path in this order, but results come when they are complete. A result therefore waits until all
// reads that were issued before it have been accepted. It loses the lanes that a later instruction has
// written into the same entry meanwhile. After the end of the strand it loses all lanes, because no
// instruction reads them any more.

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
    bool fill = false;  ///< a source that is read from below; otherwise a result
    bool begun = false;
    std::uint8_t slot = 0, word = 0;
    std::uint32_t entry = 0;
    std::uint64_t id = 0;
    LaneMask lanes = 0;              ///< lanes that have still to be written into the entry
    std::uint64_t reads_before = 0;  ///< reads of entries that were issued before this write
  };

  /// Returns the entry of a word of an operand at a level.
  using EntryOf = std::function<std::uint32_t(const isa::OperandAnnotation& operand, std::uint8_t word,
                                              std::uint8_t level)>;
  /// Levels of the operand file to which a result, or a source read from below, is written; one bit for each.
  static std::uint8_t written_levels(const isa::OperandAnnotation& operand) {
    return static_cast<std::uint8_t>(operand.write_levels & ~isa::level_bit(isa::kMainLevel));
  }
  /// An instruction issues for these lanes. Returns true if it uses entries.
  bool issue(const isa::Instruction& instruction, LaneMask lanes, const EntryOf& entry_of);
  /// A strand ends. After the reads issued so far are accepted, no entry is read any more.
  void end_strand();

  /// A read of an entry has been accepted.
  void read_taken() { ++taken_; }
  /// True if the end of a strand took effect since the last call, because every read before it has been
  /// accepted.
  bool strand_ended() { return !ends_.empty() && take_ends(); }

  /// Returns the write of the access; nullptr if it was not announced. The write stays until done().
  Write* find(const RegisterAccess& access, bool fill);
  Write* find(std::uint64_t id);
  /// The write's lanes are in the entry. Older outstanding writes to the entry lose these lanes.
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
    std::uint64_t reads;  ///< number of reads that must be accepted before
    std::uint64_t id;     ///< id of the first write after the end
  };
  bool take_ends();
  bool issue_writes(const isa::Operand& operand, Write write, const EntryOf& entry_of);

  std::uint64_t issued_ = 0, taken_ = 0;  ///< reads of entries that were issued and accepted
  std::uint64_t next_id_ = 1;
  GrowingArray<Write> writes_;  ///< in order of their ids
  std::vector<End> ends_;
};

}  // namespace heddle
