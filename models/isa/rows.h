#pragma once

// Operations on rows: the words of a warp's 32 lanes, all of them at once. Compiled for any host and for hosts with AVX2
// (lanes/rows.cpp); kRows holds those of this host. Rows of one call do not overlap unless stated.

#include <cstdint>

#include "models/core/lanes.h"

namespace heddle::isa {

/// Distances of words from one word, modulo 2^32 and read as signed.
struct RowSpread {
  std::int32_t lowest = 0, highest = 0;  ///< at most 0; at least 0
  std::uint32_t bits = 0;                ///< set in any distance
};
/// Bits that are set in some lane, and in all lanes.
struct RowBits {
  std::uint32_t any = 0, all = ~std::uint32_t{0};
};

struct RowOperations {
  /// Lanes of `lanes` take the new word, the others keep theirs.
  void (*merge)(LaneVec& into, const LaneVec& from, LaneMask lanes);
  /// Lanes of `lanes` take the word at origin + (offset - base), which is below 2^31 from the origin; the others keep theirs.
  void (*gather)(const std::uint8_t* origin, const LaneVec& offset, std::uint32_t base, LaneMask lanes,
                 LaneVec& into);
  /// Lane i of `lanes` takes the word of lane from[i]; the others are poisoned.
  void (*permute)(LaneVec& into, const LaneVec& values, const std::uint8_t* from, LaneMask lanes);
  /// Lane i of `lanes` takes the word at origin + 4 * i + first, of the upper 16 lanes + second; the others keep theirs.
  void (*load)(const std::uint8_t* origin, std::int32_t first, std::int32_t second, LaneMask lanes,
               LaneVec& into);
  /// Writes them there, the upper 16 lanes last.
  void (*store)(std::uint8_t* origin, std::int32_t first, std::int32_t second, LaneMask lanes,
                const LaneVec& from);

  /// Adds an offset to addresses with these upper words; nullptr: addresses of 32 bits, which wrap. Lanes outside of
  /// `lanes`, which is not empty, take the address of the first lane in it. True if all upper words are equal.
  bool (*add_offset)(const LaneVec& low, const LaneVec* high, std::int64_t offset, LaneMask lanes,
                     LaneVec& low_sum, LaneVec& high_sum);
  /// True if each lane of `lanes` is at that distance from `base`.
  bool (*has_distances)(const LaneVec& words, std::uint32_t base, const LaneVec& distances, LaneMask lanes);
  /// Distances from `base`; 0 outside of `lanes`.
  RowSpread (*measure)(const LaneVec& words, std::uint32_t base, LaneMask lanes, LaneVec& distances);
  /// Lanes whose word plus `add` lies in that block of 1 << shift bytes.
  LaneMask (*in_block)(const LaneVec& words, std::uint32_t add, int shift, std::uint32_t block);
  /// Lanes whose word plus `add` lies in another block than the lane before; lane 0 too.
  LaneMask (*block_changes)(const LaneVec& words, std::uint32_t add, int shift);

  /// Of the lanes in `lanes`.
  RowBits (*bits)(const LaneVec& words, LaneMask lanes);
  /// The words from their bytes, the lowest first: byte[k] has byte k of all lanes.
  void (*interleave)(const std::uint8_t* const* byte, LaneVec& into);
  /// The other way.
  void (*split)(const LaneVec& words, std::uint8_t* const* byte);
};

extern const RowOperations kRows;

}  // namespace heddle::isa
