#pragma once

// Models the window of one warp in the stage "operand-window": the registers that it holds, each in a way, and the
// announced instructions that lack operands. A register is old when `instructions` further instructions have been
// counted since its last access; it is wanted while an instruction that reads it lacks operands or while words that
// were read below are still to come.
//
// Limits: the window knows neither the stages below nor the compiler. Its owner decides when a register comes or
// leaves, writes dirty values below first, and counts.

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <deque>

#include "models/core/ids.h"
#include "models/core/lanes.h"

namespace heddle {

class WarpWindow {
 public:
  static constexpr std::size_t kMostEntries = 96;
  static constexpr std::uint32_t kNoWay = ~std::uint32_t{0};

  /// Register of the warp. `way`: its place among the warp's entries. `age`: number of the warp's instruction that
  /// accessed it last. `read`: number of the last announced instruction that reads it. `fill`: lanes that an
  /// outstanding read will fill. `expected`: announced results that have not come. `generation`: changes when the
  /// reads that are outstanding must no longer fill the register.
  struct Entry {
    RegId reg{};
    LaneMask valid = 0, dirty = 0, fill = 0, live = kAllLanes;
    std::uint64_t age = 0, read = 0;
    std::uint32_t generation = 0;
    int expected = 0;
    std::uint32_t way = 0;
    bool hinted = false;
    Cycle ready = 0;
    LaneVec values;
  };

  WarpWindow(int entries, int instructions)
      : most_(static_cast<std::size_t>(entries)), keeps_(static_cast<std::uint64_t>(instructions)) {}

  std::uint64_t instructions() const { return instructions_; }
  std::deque<Entry>& entries() { return entries_; }
  const std::deque<Entry>& entries() const { return entries_; }

  Entry* find(RegId reg) {
    for (Entry& entry : entries_)
      if (entry.reg == reg) return &entry;
    return nullptr;
  }
  /// Returns the entry in a way, or nullptr if the way is free or kNoWay.
  Entry* at(std::uint32_t way) {
    for (Entry& entry : entries_)
      if (entry.way == way) return &entry;
    return nullptr;
  }

  void count_instruction() { ++instructions_; }
  /// The last counted instruction lacks operands until it holds all of them.
  void awaits_operands(std::uint64_t uid) { reading_.push_back({uid, instructions_}); }
  void holds_operands(std::uint64_t uid);
  bool lacks_operands() const { return !reading_.empty(); }
  /// Returns the number of instructions since the oldest one that lacks operands. There must be one.
  std::uint64_t oldest_reading() const { return instructions_ - reading_.front().number; }

  bool is_old(const Entry& entry) const { return entry.age + keeps_ <= instructions_; }
  bool is_wanted(const Entry& entry) const {
    return entry.fill || (lacks_operands() && reading_.front().number <= entry.read);
  }
  bool leaves(const Entry& entry) const { return is_old(entry) && !is_wanted(entry); }

  bool full() const { return entries_.size() >= most_; }
  /// Chooses the way of a further register: the first free one, or, if the window is full, that of the oldest entry
  /// that nothing outstanding concerns; kNoWay if there is none.
  std::uint32_t choose_way() const;
  Entry& add(RegId reg, std::uint32_t way);
  void drop(Entry& entry);
  /// The values of a read below come, for the lanes that the register lacks.
  static void fill(Entry& entry, const LaneVec& values, LaneMask lanes, Cycle ready);
  /// The outstanding reads of the register do not fill it any more.
  void cancel_fill(Entry& entry) {
    entry.fill = 0;
    entry.generation = ++generation_;
  }

  // Write-backs of the warp that the stage below has not completed yet. They outlast clear().
  void back_sent() { ++backs_; }
  void back_done() { --backs_; }
  bool has_backs() const { return backs_ != 0; }

  /// Forgets the registers and instructions, as the warp ends.
  void clear();

 private:
  struct Reading {
    std::uint64_t uid, number;
  };

  std::size_t most_;
  std::uint64_t keeps_, instructions_ = 0;
  int backs_ = 0;
  std::uint32_t generation_ = 0;  ///< outlasts clear(), as reads of before may still be outstanding
  std::deque<Entry> entries_;
  std::bitset<kMostEntries> ways_;  ///< ways in use
  std::deque<Reading> reading_;     ///< announced instructions that lack operands, oldest first
};

}  // namespace heddle
