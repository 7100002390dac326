#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "table_writer.h"
#include "words.h"

namespace heddle::semantics {

/// Sixteen bytes of memory, as the tables of loads and stores use them: one block a row.
using Block = std::array<std::uint8_t, 16>;

Block block_of(std::uint64_t low, std::uint64_t high);
std::uint64_t low_of(const Block& block);
std::uint64_t high_of(const Block& block);

/// Twelve blocks with all kinds of signs and NaNs in all places.
std::vector<Block> sample_blocks();

/// One load or store of one or more elements: `prefix` is all of its spelling before the vector and the type.
struct Access {
  std::string prefix;
  int count;         ///< 1, 2 or 4 elements
  std::string type;  ///< as u8, s16, b32, f64

  int element_bits() const { return std::stoi(type.substr(1)); }
  int bytes() const { return count * element_bits() / 8; }
  /// The type of the registers: 8-bit elements take 16-bit ones.
  std::string column() const;
  std::string spelled() const;
  /// Where in the block it lies: a multiple of its size that differs from type to type.
  int offset() const;
  /// A name for its columns, as v2_u32.
  std::string name() const;
};

/// Every type in every vector length that fits 16 bytes.
std::vector<Access> all_types(const std::string& prefix);
/// The types that remain interesting for rarely used spellings.
std::vector<Access> usual_types(const std::string& prefix);
/// Scalars of 32 and 64 bits and bytes, for spellings that allow little more.
std::vector<Access> few_types(const std::string& prefix);

/// Where a form's blocks live, and how the body gets at them.
struct Place {
  std::string name;    ///< of the entry
  std::string space;   ///< state space of plain accesses for set-up and read-back; "" is generic
  std::string memory;  ///< what lies behind: global, shared or local
};

/// Sets up %base as the address of this row's block.
void add_base(FormWriter& form, const Place& place);

}  // namespace heddle::semantics
