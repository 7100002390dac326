#pragma once

// Models the window of one warp in the stage "operand-window": the stored registers, each in one way, and the
// announced instructions that lack operands. The parameter `instructions` is an age limit: a register is old
// after this number of further instructions since its last access. A register is wanted while an instruction
// that reads it lacks operands, or while a read of its value from the stage below is outstanding.
//
// Limits: this class does not access the stages below, nor the compiler's notes "window-hint". The stage that
// owns the window adds and removes registers, writes dirty values to the stage below before it removes them,
// and updates the counters.

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

  /// A register of the warp. `way`: number of its entry. `age`: number of the warp's instruction that accessed
  /// the register last. `read`: number of the last announced instruction that reads the register. `fill`: lanes
  /// that an outstanding read will fill. `expected`: number of results for this register that are announced,
  /// but have not arrived yet. `generation`: number that changes when outstanding reads must no longer fill the
  /// register.
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
  /// Returns the entry in a way. Returns nullptr if the way is free, or if `way` is kNoWay.
  Entry* at(std::uint32_t way) {
    for (Entry& entry : entries_)
      if (entry.way == way) return &entry;
    return nullptr;
  }

  void count_instruction() { ++instructions_; }
  /// Records that the last counted instruction lacks operands, until holds_operands() is called with its
  /// `uid`.
  void awaits_operands(std::uint64_t uid) { reading_.push_back({uid, instructions_}); }
  void holds_operands(std::uint64_t uid);
  bool lacks_operands() const { return !reading_.empty(); }
  /// Returns the number of instructions since the oldest instruction that lacks operands. Must be called only
  /// if lacks_operands() is true.
  std::uint64_t oldest_reading() const { return instructions_ - reading_.front().number; }

  bool is_old(const Entry& entry) const { return entry.age + keeps_ <= instructions_; }
  bool is_wanted(const Entry& entry) const {
    return entry.fill || (lacks_operands() && reading_.front().number <= entry.read);
  }
  bool leaves(const Entry& entry) const { return is_old(entry) && !is_wanted(entry); }

  bool full() const { return entries_.size() >= most_; }
  /// Chooses a way for a new register: the first free way. If the window is full, chooses the way of the
  /// register with the oldest access among those without outstanding reads and results; kNoWay if there is
  /// none.
  std::uint32_t choose_way() const;
  Entry& add(RegId reg, std::uint32_t way);
  void drop(Entry& entry);
  /// Stores the values of a read from the stage below, in the lanes of `lanes` that have no value yet.
  static void fill(Entry& entry, const LaneVec& values, LaneMask lanes, Cycle ready);
  /// Cancels outstanding reads of the register: their values will not fill the entry.
  void cancel_fill(Entry& entry) {
    entry.fill = 0;
    entry.generation = ++generation_;
  }

  // Counts the warp's write-backs that the stage below has not completed yet. clear() does not change this
  // count.
  void back_sent() { ++backs_; }
  void back_done() { --backs_; }
  bool has_backs() const { return backs_ != 0; }

  /// Removes all registers and instructions when the warp ends.
  void clear();

 private:
  struct Reading {
    std::uint64_t uid, number;
  };

  std::size_t most_;
  std::uint64_t keeps_, instructions_ = 0;
  int backs_ = 0;
  std::uint32_t generation_ = 0;  ///< clear() does not reset it, because earlier reads may be outstanding
  std::deque<Entry> entries_;
  std::bitset<kMostEntries> ways_;  ///< ways in use
  std::deque<Reading> reading_;     ///< announced instructions that lack operands, oldest first
};

}  // namespace heddle
