#pragma once

// The values that are read within a region of the program (strand_regions.h). A read gets a result of the
// region, on all or only on some paths, or a value from before the region.

#include <cstdint>
#include <vector>

#include "models/compiler/analyses/bit_set.h"
#include "models/compiler/analyses/liveness.h"
#include "models/compiler/strand_regions.h"
#include "models/isa/program.h"

namespace heddle::compiler {

/// A register result that an instruction of the region writes.
struct RegionWrite {
  int at = 0;  ///< position of the instruction in Region::code
  std::uint8_t operand = 0;
  std::uint32_t reg = 0;
  int words = 1;
  /// The instruction has a guard; lanes whose guard fails keep the register's old value.
  bool guarded = false;
  /// Can be written to a level above the main register file: neither a long-latency result nor the result of
  /// a barrier.
  bool upper_able = true;
  bool leaves = false;  ///< The value may be read after the region, so the main register file needs it too.
  int web = -1;         ///< number of the write's web (writes that share reads form one web); -1 = none
};

/// A register operand that an instruction of the region reads.
struct RegionRead {
  enum class Kind {
    own,  ///< On all paths, the read gets a whole result of the region that may be above main; see `writes`.
    entering,  ///< On all paths, the read gets the register's value from before the region.
    /// The read gets different values on different paths, or is wider or narrower than the write. Only main
    /// has the value.
    mixed,
  };
  int at = 0;
  std::uint8_t operand = 0;
  std::uint32_t reg = 0;
  int words = 1;
  bool upper_able = true;
  Kind kind = Kind::mixed;
  std::vector<int> writes;  ///< indices of the writes that reach the read, ascending
  int web = -1;             ///< number of the web to which `writes` belong, if `kind` is own
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
  /// Returns the indices of the reads that write w reaches, ascending.
  const std::vector<int>& reached(int w) const { return reached_[static_cast<std::size_t>(w)]; }
  /// Returns true if an instruction at this position of the region writes a word of the registers [reg, reg +
  /// words).
  bool writes_at(int position, std::uint32_t reg, int words) const;
  /// Returns true if write w changes a word of the registers [reg, reg + words).
  bool overlaps(int w, std::uint32_t reg, int words) const {
    return write(w).reg < reg + static_cast<std::uint32_t>(words) &&
           reg < write(w).reg + static_cast<std::uint32_t>(write(w).words);
  }
  /// Returns the writes of the instruction at `position` as an index range [first, last) of writes().
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
