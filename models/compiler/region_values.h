#pragma once

// Finds which values the instructions of a region read. A region is a strand, or the part of a strand in one
// basic block. A read gets a result of the region, or a value from before the region.

#include <cstdint>
#include <vector>

#include "models/compiler/analyses/bit_set.h"
#include "models/compiler/analyses/liveness.h"
#include "models/compiler/strand_regions.h"
#include "models/isa/program.h"

namespace heddle::compiler {

struct RegionWrite {
  int at = 0;
  std::uint8_t operand = 0;
  std::uint32_t reg = 0;
  int words = 1;
  /// True: the instruction has a guard, so lanes whose guard fails keep the register's old value.
  bool guarded = false;
  /// True if an upper level of the register hierarchy may hold the result: it is neither a long-latency
  /// result nor the result of a barrier.
  bool upper_able = true;
  bool leaves = false;
  int web = -1;
};

struct RegionRead {
  enum class Kind {
    /// On all paths, the read gets a result of an instruction in the region, and an upper level may hold this
    /// result.
    own,
    entering,  ///< On all paths, the read gets the register's value from before the region.
    /// The read gets different values on different paths, or its width differs from the width of the write.
    /// Such a read must read the main register file.
    mixed,
  };
  int at = 0;
  std::uint8_t operand = 0;
  std::uint32_t reg = 0;
  int words = 1;
  bool upper_able = true;
  Kind kind = Kind::mixed;
  std::vector<int> writes;
  int web = -1;
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
  const std::vector<int>& reached(int w) const { return reached_[static_cast<std::size_t>(w)]; }
  bool writes_at(int position, std::uint32_t reg, int words) const;
  bool overlaps(int w, std::uint32_t reg, int words) const {
    return write(w).reg < reg + static_cast<std::uint32_t>(words) &&
           reg < write(w).reg + static_cast<std::uint32_t>(write(w).words);
  }
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
