#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "table_writer.h"
#include "words.h"

namespace heddle::semantics {

/// Sixteen bytes of memory; each row of a load or store table has one block.
using Block = std::array<std::uint8_t, 16>;

Block block_of(std::uint64_t low, std::uint64_t high);
std::uint64_t low_of(const Block& block);
std::uint64_t high_of(const Block& block);

/// Returns twelve blocks with all kinds of signs and NaNs in all places.
std::vector<Block> sample_blocks();

/// One load or store of one or more elements. `prefix` is its spelling before the vector and the type.
struct Access {
  std::string prefix;
  int count;         ///< 1, 2 or 4 elements
  std::string type;  ///< such as u8, s16, b32, f64

  int element_bits() const { return std::stoi(type.substr(1)); }
  int bytes() const { return count * element_bits() / 8; }
  /// Type of the registers; 8-bit elements take 16-bit registers.
  std::string column() const;
  std::string spelled() const;
  /// Offset in the block: a multiple of the access's size that differs between types.
  int offset() const;
  /// Name for its columns, such as v2_u32.
  std::string name() const;
};

/// Returns every type in every vector length that fits 16 bytes.
std::vector<Access> all_types(const std::string& prefix);
/// Returns a smaller set of types for rarely used spellings.
std::vector<Access> usual_types(const std::string& prefix);
/// Returns scalars of 32 and 64 bits and bytes.
std::vector<Access> few_types(const std::string& prefix);

/// The memory of a form's blocks, and how the body accesses it.
struct Place {
  std::string name;    ///< name of the entry
  std::string space;   ///< state space of plain accesses for set-up and read-back; "" is generic
  std::string memory;  ///< memory that the space means: global, shared or local
};

/// Sets up %base as the address of this row's block.
void add_base(FormWriter& form, const Place& place);

}  // namespace heddle::semantics
