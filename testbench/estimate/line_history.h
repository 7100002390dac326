#pragma once

// Records the cache lines of global memory that an untimed execution accesses. From these records, caches can
// be filled as earlier CTAs would have left them.

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include "models/reference/reference.h"

namespace heddle::estimate {

/// The cache lines that were accessed last. An access to a line makes a new record only if enough other
/// records were made since the line's last record: at least half as many as the cache has lines. A line's
/// position in the recorded order may therefore be wrong by up to this number.
class LastLines : public reference::AccessSink {
 public:
  static constexpr std::uint64_t kLineBytes = kReadBytes, kSectorBytes = kWriteBytes;
  /// Prepares to record the lines accessed last. `cache_lines`: size in lines of the cache that will be
  /// filled from the records.
  explicit LastLines(std::size_t cache_lines)
      : kept_(kept_of(cache_lines)),
        ring_(kept_ ? std::bit_ceil(kept_) : 0),
        noted_(ring_.size()),
        last_place_(ring_.size() - 1),
        again_after_(cache_lines / 2) {}
  static std::size_t kept_of(std::size_t cache_lines) { return 4 * cache_lines; }
  void accessed(std::span<const std::uint64_t> addresses, bool writes) override {
    if (kept_ == 0) return;
    for (const std::uint64_t address : addresses) touch(address, writes);
  }
  /// Returns the addresses of the lines in the order of their last accesses. The low bits of an address mark
  /// written sectors (IMemoryModel::hold).
  std::vector<std::uint64_t> addresses() const {
    const auto all = static_cast<std::ptrdiff_t>(std::min<std::uint64_t>(count_, kept_)),
               first = static_cast<std::ptrdiff_t>((count_ - static_cast<std::uint64_t>(all)) & last_place_),
               straight = std::min(all, static_cast<std::ptrdiff_t>(ring_.size()) - first);
    std::vector<std::uint64_t> addresses;
    addresses.reserve(static_cast<std::size_t>(all));
    addresses.assign(ring_.begin() + first, ring_.begin() + first + straight);
    addresses.insert(addresses.end(), ring_.begin(), ring_.begin() + (all - straight));
    return addresses;
  }
  bool keeps_any() const { return kept_ != 0; }

 private:
  struct Note {
    std::uint64_t line = ~std::uint64_t{0}, at = 0;
  };
  void touch(std::uint64_t address, bool writes) {
    const std::uint64_t line = address & ~(kLineBytes - 1),
                        touched =
                            writes ? line | std::uint64_t{1} << address % kLineBytes / kSectorBytes : line;
    if (touched == last_) return;
    last_ = touched;
    Note& before = noted_[line / kLineBytes & last_place_];
    if (before.line == line && count_ - before.at < again_after_) {
      if (writes) ring_[before.at & last_place_] |= touched;
      return;
    }
    before = {line, count_};
    ring_[count_++ & last_place_] = touched;
  }

  std::size_t kept_;
  std::vector<std::uint64_t> ring_;
  /// Table of the last record of each line. The index is the low bits of the line number. Of lines with the
  /// same index, the table has only the line recorded last; the other lines get a new record at their next
  /// access.
  std::vector<Note> noted_;
  std::uint64_t last_place_;  ///< mask for indices into the ring and the table of records
  std::uint64_t again_after_;
  std::uint64_t count_ = 0, last_ = ~std::uint64_t{0};
};

/// The lines that a launch accessed last: a record at the start of some CTAs, and one at the end of the
/// launch.
struct LineMarks {
  struct Mark {
    std::uint64_t cta = 0;
    std::vector<std::uint64_t> addresses;
  };
  /// The records for the starts of CTAs, in the order of CTAs. The first record is for the start of the
  /// launch. Not every CTA has a record.
  std::vector<Mark> marks = std::vector<Mark>(1);
  std::vector<std::uint64_t> at_end;
  /// Returns the record at the start of CTA `cta`. If there is none, returns the record of the nearest
  /// earlier CTA.
  const Mark& before(std::uint64_t cta) const;
  /// Appends the records that another thread has made for later CTAs. The other thread did not see the lines
  /// that this object's CTAs accessed. These lines are therefore added to each record, up to `kept` lines in
  /// total.
  void append(LineMarks later, std::size_t kept);
};

class LineHistory : public reference::AccessSink {
 public:
  static constexpr std::uint64_t kMarks = 64;
  /// Minimum number of warp-instructions between two records. For fewer instructions, executing CTAs again is
  /// cheaper than storing a record.
  static constexpr std::uint64_t kLeastInstructions = 20000;

  struct Ctas {
    std::uint64_t first = 0, end = 0, grid = 0;
  };
  /// Records the lines that `ctas` access. `cache_lines`: size of the cache in lines. `resident`: number of
  /// CTAs that the untimed execution runs interleaved.
  LineHistory(std::size_t cache_lines, const Ctas& ctas, std::uint64_t resident)
      : lines_(cache_lines),
        next_(ctas.first + resident),
        end_(ctas.end),
        step_((ctas.grid + kMarks - 1) / kMarks) {
    noted_.marks.front().cta = ctas.first;
  }
  void accessed(std::span<const std::uint64_t> addresses, bool writes) override {
    lines_.accessed(addresses, writes);
  }
  /// Records the lines accessed last, if enough CTAs and instructions have been executed since the last
  /// record. Call when a CTA has ended after `warp_instructions` warp-instructions, before the next CTA
  /// begins.
  void cta_ended(std::uint64_t warp_instructions);
  /// Returns all records. Call once, after all CTAs have ended.
  LineMarks take();

 private:
  LastLines lines_;
  std::uint64_t next_, end_, step_;
  std::uint64_t instructions_ = 0;
  LineMarks noted_;
};

}  // namespace heddle::estimate
