#pragma once

// Values read within a region (strand_regions.h): results of the region, on all or some paths, and values
// from before the region.

#include <cstdint>
#include <vector>

#include "models/compiler/analyses/bit_set.h"
#include "models/compiler/analyses/liveness.h"
#include "models/compiler/strand_regions.h"
#include "models/isa/program.h"

namespace heddle::compiler {

/// A register operand that the region writes.
struct RegionWrite {
  int at = 0;  ///< position in Region::code
  std::uint8_t operand = 0;
  std::uint32_t reg = 0;
  int words = 1;
  bool guarded = false;  ///< lanes whose guard fails keep the old value
  /// May be written above main: neither a long-latency result nor the result of a barrier.
  bool upper_able = true;
  bool leaves = false;  ///< the value may be read after the region
  int web = -1;         ///< number of its web; writes that share reads belong to one web
};

/// A register operand that the region reads.
struct RegionRead {
  enum class Kind {
    own,       ///< on all paths a whole result of the region that may be above main; see `writes`
    entering,  ///< on all paths the value from before the region
    mixed,     ///< different values by path, or another width than the write: only main has the value
  };
  int at = 0;
  std::uint8_t operand = 0;
  std::uint32_t reg = 0;
  int words = 1;
  bool upper_able = true;
  Kind kind = Kind::mixed;
  std::vector<int> writes;  ///< writes that reach the read, ascending
  int web = -1;             ///< web of `writes`, if `kind` is own
};

class RegionValues {
 public:
  RegionValues(const isa::Program& program, const Region& region, const LiveSets& live);

  const Region& region() const { return region_; }
  const std::vector<RegionWrite>& writes() const { return writes_; }
  const std::vector<RegionRead>& reads() const { return reads_; }
  const RegionWrite& write(int w) const { return writes_[static_cast<std::size_t>(w)]; }
  const RegionRead& read(int r) const { return reads_[static_cast<std::size_t>(r)]; }
  int webs() const { return webs_; }
  /// Reads that write w reaches, ascending.
  const std::vector<int>& reached(int w) const { return reached_[static_cast<std::size_t>(w)]; }
  /// True if a word of [reg, reg + words) is written at the position.
  bool writes_at(int position, std::uint32_t reg, int words) const;
  /// True if write w affects a word of [reg, reg + words).
  bool overlaps(int w, std::uint32_t reg, int words) const {
    return write(w).reg < reg + static_cast<std::uint32_t>(words) &&
           reg < write(w).reg + static_cast<std::uint32_t>(write(w).words);
  }
  /// Writes at one position, as range [first, last) of writes().
  std::pair<int, int> writes_of(int position) const {
    return write_range_[static_cast<std::size_t>(position)];
  }

 private:
  void collect(const isa::Program& program);
  void follow(const LiveSets& live);
  void classify(std::size_t read, const BitSet& reaching);
  void note_leaving(const BitSet& reaching, const LiveSets::Point& needed);
  void join_webs();

  const Region& region_;
  std::size_t registers_;
  std::vector<RegionWrite> writes_;
  std::vector<RegionRead> reads_;
  std::vector<std::vector<int>> reached_;
  std::vector<std::pair<int, int>> write_range_;
  int webs_ = 0;
};

}  // namespace heddle::compiler
