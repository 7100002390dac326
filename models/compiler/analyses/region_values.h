#pragma once

// Values read within a region: the region's own results, on all paths or on some, and values from before the
// region.

#include <cstdint>
#include <vector>

#include "models/compiler/analyses/bit_set.h"
#include "models/compiler/analyses/liveness.h"
#include "models/compiler/analyses/strand_regions.h"
#include "models/isa/program.h"

namespace heddle::compiler {

/// A register operand that the region writes.
struct RegionWrite {
  int at = 0;  ///< position in Region::code
  std::uint8_t operand = 0;
  std::uint32_t reg = 0;
  int words = 1;
  bool guarded = false;    ///< keeps the old value in lanes whose guard fails
  bool upper_able = true;  ///< may be written above the main level: no long-latency result, no barrier's
  bool leaves = false;     ///< the value may be read after the region
  int web = -1;            ///< writes that share reads belong to one web
};

/// A register operand that the region reads.
struct RegionRead {
  enum class Kind {
    own,       ///< on every path a result of the region, as a whole, that may stand above main: `writes`
    entering,  ///< on every path the value from before the region
    mixed,     ///< uncertain, or of another width than what was written: only the main level has it
  };
  int at = 0;
  std::uint8_t operand = 0;
  std::uint32_t reg = 0;
  int words = 1;
  bool upper_able = true;
  Kind kind = Kind::mixed;
  std::vector<int> writes;  ///< that reach it, ascending
  int web = -1;             ///< of `writes`, if `own`
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
  /// Positions at which some word of [reg, reg + words) is written.
  bool writes_at(int position, std::uint32_t reg, int words) const;
  /// Write w touches a word of [reg, reg + words).
  bool overlaps(int w, std::uint32_t reg, int words) const {
    return write(w).reg < reg + static_cast<std::uint32_t>(words) &&
           reg < write(w).reg + static_cast<std::uint32_t>(write(w).words);
  }
  /// Writes of one position: [first, last) in writes().
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
