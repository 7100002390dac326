#pragma once

// Operations on rows. A row consists of the 32-bit words of a warp's 32 lanes. kRows holds the functions for
// this host: either code that runs on every host, or code for AVX2. Rows must not overlap unless a comment
// permits it.

#include <cstdint>

#include "models/core/lanes.h"

namespace heddle::isa {

/// Differences between the 32-bit words of a row and a base word, as signed numbers modulo 2^32.
struct RowSpread {
  std::int32_t lowest = 0, highest = 0;
  std::uint32_t bits = 0;
};
/// Summary of the words of some lanes. `any`: bits that are set in at least one lane's word. `all`: bits that
/// are set in all lanes' words.
struct RowBits {
  std::uint32_t any = 0, all = ~std::uint32_t{0};
};

struct RowOperations {
  void (*merge)(LaneVec& into, const LaneVec& from, LaneMask lanes);
  /// Loads one word from host memory into each lane of `into` that is in `lanes`. The address is origin +
  /// (offset - base) with the lane's `offset`; offset - base is less than 2^31. The remaining lanes of `into`
  /// keep their words.
  void (*gather)(const std::uint8_t* origin, const LaneVec& offset, std::uint32_t base, LaneMask lanes,
                 LaneVec& into);
  /// Copies into each lane i of `lanes` the word of lane from[i]. All remaining lanes get poison.
  void (*permute)(LaneVec& into, const LaneVec& values, const std::uint8_t* from, LaneMask lanes);
  /// Loads a row from host memory. Lane i < 16 of `lanes` gets the word at origin + first + 4 * i, lane i >=
  /// 16 the word at origin + second + 4 * i. The other lanes of `into` keep their words.
  void (*load)(const std::uint8_t* origin, std::int32_t first, std::int32_t second, LaneMask lanes,
               LaneVec& into);
  /// Stores the words of `lanes` at the host addresses from which load() reads with the same arguments.
  /// Stores lanes 16 to 31 last.
  void (*store)(std::uint8_t* origin, std::int32_t first, std::int32_t second, LaneMask lanes,
                const LaneVec& from);

  /// Adds an offset to the addresses of a row. `high`: upper words of 64-bit addresses; nullptr for 32-bit
  /// addresses, which wrap around. `lanes` must not be empty. Lanes outside `lanes` get the sum of the first
  /// lane in `lanes`. Returns true if the upper words of all sums are equal.
  bool (*add_offset)(const LaneVec& low, const LaneVec* high, std::int64_t offset, LaneMask lanes,
                     LaneVec& low_sum, LaneVec& high_sum);
  /// Returns true if the word of each lane in `lanes` is `base` plus the lane's element of `distances`.
  bool (*has_distances)(const LaneVec& words, std::uint32_t base, const LaneVec& distances, LaneMask lanes);
  /// Writes the distance of each lane's word from `base` to `distances`, 0 for lanes outside `lanes`. Returns
  /// the lowest and the highest distance, and the bits set in any distance.
  RowSpread (*measure)(const LaneVec& words, std::uint32_t base, LaneMask lanes, LaneVec& distances);
  /// Returns the lanes whose address (word plus `add`) lies in memory block number `block`. Blocks have 1 <<
  /// shift bytes.
  LaneMask (*in_block)(const LaneVec& words, std::uint32_t add, int shift, std::uint32_t block);
  /// Returns lane 0, and each lane whose address lies in a different memory block from the address of the
  /// previous lane. The address is the lane's word plus `add`. Blocks have 1 << shift bytes.
  LaneMask (*block_changes)(const LaneVec& words, std::uint32_t add, int shift);

  RowBits (*bits)(const LaneVec& words, LaneMask lanes);
  /// Assembles words from four arrays of bytes: byte[k] holds byte k (0: the lowest) of each lane's word.
  void (*interleave)(const std::uint8_t* const* byte, LaneVec& into);
  void (*split)(const LaneVec& words, std::uint8_t* const* byte);
};

extern const RowOperations kRows;

}  // namespace heddle::isa
