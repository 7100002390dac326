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
/// `any`: bits that are set in at least one lane's word. `all`: bits that are set in all lanes' words.
struct RowBits {
  std::uint32_t any = 0, all = ~std::uint32_t{0};
};

struct RowOperations {
  void (*merge)(LaneVec& into, const LaneVec& from, LaneMask lanes);
  /// Loads one word into each lane of `lanes`, from host address origin + (offset - base). offset - base is
  /// less than 2^31. The other lanes of `into` keep their words.
  void (*gather)(const std::uint8_t* origin, const LaneVec& offset, std::uint32_t base, LaneMask lanes,
                 LaneVec& into);
  /// Copies into each lane i of `lanes` the word of lane from[i]. The other lanes get poison.
  void (*permute)(LaneVec& into, const LaneVec& values, const std::uint8_t* from, LaneMask lanes);
  /// Loads a row from host memory. Lane i < 16 of `lanes` gets the word at origin + first + 4 * i, lane i >=
  /// 16 the word at origin + second + 4 * i. The other lanes of `into` keep their words.
  void (*load)(const std::uint8_t* origin, std::int32_t first, std::int32_t second, LaneMask lanes,
               LaneVec& into);
  /// Stores the words of `lanes` at the addresses from which load() loads. Stores lanes 16 to 31 last.
  void (*store)(std::uint8_t* origin, std::int32_t first, std::int32_t second, LaneMask lanes,
                const LaneVec& from);

  /// Adds an offset to the addresses of a row. `high`: upper words of 64-bit addresses; nullptr for 32-bit
  /// addresses, which wrap around. `lanes` must not be empty. Lanes outside `lanes` get the sum of the first
  /// lane in `lanes`. Returns true if the upper words of all sums are equal.
  bool (*add_offset)(const LaneVec& low, const LaneVec* high, std::int64_t offset, LaneMask lanes,
                     LaneVec& low_sum, LaneVec& high_sum);
  /// Returns true if the word of each lane in `lanes` is `base` plus the lane's element of `distances`.
  bool (*has_distances)(const LaneVec& words, std::uint32_t base, const LaneVec& distances, LaneMask lanes);
  /// Computes the distance of each lane's word from `base`. Lanes outside `lanes` get the distance 0.
  RowSpread (*measure)(const LaneVec& words, std::uint32_t base, LaneMask lanes, LaneVec& distances);
  /// Memory is divided into blocks of 1 << shift bytes. Returns the lanes whose address (word plus `add`)
  /// lies in block number `block`.
  LaneMask (*in_block)(const LaneVec& words, std::uint32_t add, int shift, std::uint32_t block);
  /// Returns lane 0, and each lane whose address lies in a different block from the address of the previous
  /// lane. Address: word plus `add`. Size of a block: 1 << shift bytes.
  LaneMask (*block_changes)(const LaneVec& words, std::uint32_t add, int shift);

  RowBits (*bits)(const LaneVec& words, LaneMask lanes);
  /// Assembles words from four arrays of bytes: byte[k] holds byte k (0: the lowest) of each lane's word.
  void (*interleave)(const std::uint8_t* const* byte, LaneVec& into);
  void (*split)(const LaneVec& words, std::uint8_t* const* byte);
};

extern const RowOperations kRows;

}  // namespace heddle::isa
