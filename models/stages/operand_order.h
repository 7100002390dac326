#pragma once

// Program order of one warp's accesses to the entries of an operand file.
//
// Entries are names of their own, which no scoreboard compares. Instructions issue in program order and the
// reads of a warp reach the register path in this order; results come when they are done. So a result waits
// until the reads that were issued before it have been taken, and loses the lanes that a later instruction
// has written into the same entry meanwhile, or all if the strand has ended: nothing reads these any more.

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
    bool fill = false;  ///< of a source read from below; else a result
    bool begun = false;
    std::uint8_t slot = 0, word = 0;
    std::uint32_t entry = 0;
    std::uint64_t id = 0;
    LaneMask lanes = 0;              ///< that the entry still has to take
    std::uint64_t reads_before = 0;  ///< reads of entries that were issued before it
  };

  /// The entry that a word of an operand means, of a level.
  using EntryOf = std::function<std::uint32_t(const isa::OperandAnnotation& operand, std::uint8_t word,
                                              std::uint8_t level)>;
  /// The levels of entries that a result, or a source that is read below, is written to: a bit each.
  static std::uint8_t written_levels(const isa::OperandAnnotation& operand) {
    return static_cast<std::uint8_t>(operand.write_levels & ~isa::level_bit(isa::kMainLevel));
  }
  /// An instruction is issued for these lanes. True if it uses entries.
  bool issue(const isa::Instruction& instruction, LaneMask lanes, const EntryOf& entry_of);
  /// Nothing that is under way is read from an entry any more, once the reads issued so far are taken.
  void end_strand();

  /// A read of an entry has been taken.
  void read_taken() { ++taken_; }
  /// True if a strand end took effect since the last call: every read before it has been taken.
  bool strand_ended() { return !ends_.empty() && take_ends(); }

  /// The write that the access belongs to, nullptr if it was not announced; it stays until done().
  Write* find(const RegisterAccess& access, bool fill);
  Write* find(std::uint64_t id);
  /// Its lanes are in the entry: older writes of these lanes that are still under way come too late.
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
    std::uint64_t reads;  ///< it waits for so many
    std::uint64_t id;     ///< of the first write after it
  };
  bool take_ends();
  bool issue_writes(const isa::Operand& operand, Write write, const EntryOf& entry_of);

  std::uint64_t issued_ = 0, taken_ = 0;  ///< reads of entries
  std::uint64_t next_id_ = 1;
  GrowingArray<Write> writes_;  ///< in the order of their ids
  std::vector<End> ends_;
};

}  // namespace heddle
