#pragma once

// The L1 data cache of an SM, or its texture cache: tags, and the bytes of its lines, from which hits are served.
// Write-through, no allocation on writes, least recently used line replaced. Misses wait in a table of status holding registers
// (MissTable).

#include <cstdint>
#include <vector>

#include "models/memory/cache_array.h"
#include "models/memory/load_store_parameters.h"

namespace heddle {

class L1Cache {
 public:
  /// Throws Error (`key`) if the bytes are no whole number of sets.
  L1Cache(const char* key, int bytes, int ways);

  /// The line's bytes and makes it the most recently used one; nullptr: not held.
  std::uint8_t* lookup(std::uint64_t line);
  /// As lookup, without a trace.
  std::uint8_t* probe(std::uint64_t line);
  void install(std::uint64_t line, const std::uint8_t* bytes);
  bool invalidate(std::uint64_t line);
  void invalidate_all();
  bool flip_bit(std::uint64_t address, unsigned bit);

 private:
  std::size_t set_of(std::uint64_t line) const {
    const std::uint64_t index = line / kSegmentBytes;
    return static_cast<std::size_t>(mask_ ? index & mask_ : index % array_.sets());
  }

  CacheArray array_;
  std::uint64_t mask_ = 0;  ///< if the number of sets is a power of two
};

/// Lines in flight to the L1, and the accesses that wait for them. A write or an invalidation closes a line's
/// entry: waiting accesses still get the bytes that memory sent, but the line is not installed and no further
/// access may join, since the bytes are older than the write.
template <class Waiter>
class MissTable {
 public:
  MissTable(int entries, int merges) : lines_(entries, kFree), entries_(entries), merges_(merges) {
    for (auto& e : entries_) e.waiters.reserve(merges_);
  }

  static constexpr int kNone = -1;
  int find_open(std::uint64_t line) const {
    for (std::size_t i = 0; i < lines_.size(); ++i)
      if (lines_[i] == line) return static_cast<int>(i);
    return kNone;
  }
  bool can_merge(int entry) const { return entries_[entry].waiters.size() < merges_; }
  int find_free() const {
    if (used_ == entries_.size()) return kNone;
    for (std::size_t i = 0; i < entries_.size(); ++i)
      if (!entries_[i].used) return static_cast<int>(i);
    return kNone;
  }
  void open(int entry, std::uint64_t line) {
    lines_[entry] = line;
    entries_[entry].used = true;
    ++used_;
  }
  void join(int entry, const Waiter& waiter) { entries_[entry].waiters.push_back(waiter); }
  void close(std::uint64_t line) {
    if (used_ == 0) return;
    const int entry = find_open(line);
    if (entry != kNone) lines_[entry] = kClosed;
  }
  void close_all() {
    for (std::size_t i = 0; i < lines_.size(); ++i)
      if (entries_[i].used) lines_[i] = kClosed;
  }
  bool is_open(int entry) const { return lines_[entry] != kClosed; }
  const std::vector<Waiter>& waiters(int entry) const { return entries_[entry].waiters; }
  void release(int entry) {
    lines_[entry] = kFree;
    entries_[entry].used = false;
    entries_[entry].waiters.clear();
    --used_;
  }
  std::size_t used() const { return used_; }

 private:
  // No line address ends in these bits.
  static constexpr std::uint64_t kFree = 1, kClosed = 2;
  struct Entry {
    bool used = false;
    std::vector<Waiter> waiters;
  };
  std::vector<std::uint64_t> lines_;
  std::vector<Entry> entries_;
  std::size_t merges_;
  std::size_t used_ = 0;
};

}  // namespace heddle
