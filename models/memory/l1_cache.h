#pragma once

// L1 data cache or texture cache of an SM: tags, and the data of the lines. The cache is write-through with
// LRU replacement, and a write miss allocates no line. Accesses that miss wait in a MissTable (miss status
// holding registers).

#include <cstdint>
#include <vector>

#include "models/memory/cache_array.h"
#include "models/memory/load_store_parameters.h"

namespace heddle {

class L1Cache {
 public:
  /// Throws Error if the cache size is not a multiple of the size of a set. `key`: configuration key that the
  /// error names.
  L1Cache(const char* key, int bytes, int ways);

  /// Returns the data of the line, and makes this line the most recently used line. Returns nullptr on a miss.
  std::uint8_t* lookup(std::uint64_t line);
  /// Returns the data of the line, or nullptr on a miss. Does not change the order of replacement.
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
  std::uint64_t mask_ = 0;
};

/// Table of lines that are being fetched, with the accesses that wait for each line (miss status holding
/// registers). If a line is written or invalidated during its fetch, the fetched data are outdated. These
/// data then go only to accesses that already waited, and not into the cache.
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
