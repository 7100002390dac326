#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "table_writer.h"
#include "words.h"

namespace heddle::semantics {

/// Sixteen bytes of memory. Each row of a load or store table has one block.
using Block = std::array<std::uint8_t, 16>;

Block block_of(std::uint64_t low, std::uint64_t high);
std::uint64_t low_of(const Block& block);
std::uint64_t high_of(const Block& block);

/// Returns twelve blocks with all kinds of signs and NaNs in all positions.
std::vector<Block> sample_blocks();

/// One load or store of one or more elements. `prefix`: its PTX spelling before the vector length and the
/// type.
struct Access {
  std::string prefix;
  int count;         ///< number of vector elements: 1, 2 or 4
  std::string type;  ///< PTX type of an element, for example u8, s16, b32, f64

  int element_bits() const { return std::stoi(type.substr(1)); }
  int bytes() const { return count * element_bits() / 8; }
  /// Returns the PTX type of the registers; 8-bit elements use 16-bit registers.
  std::string column() const;
  std::string spelled() const;
  /// Returns the byte offset of the access in the block: a multiple of the access's size that differs between
  /// types.
  int offset() const;
  /// Returns the name of the access in column names, for example v2_u32.
  std::string name() const;
};

/// Returns an access for every type and every vector length that fits 16 bytes.
std::vector<Access> all_types(const std::string& prefix);
/// Returns a smaller set of types, for PTX spellings that are rarely used.
std::vector<Access> usual_types(const std::string& prefix);
/// Returns accesses of 8, 32 and 64 bits without vectors.
std::vector<Access> few_types(const std::string& prefix);

/// The memory in which a table entry's blocks lie, and how the PTX of the entry accesses it.
struct Place {
  std::string name;    ///< name of the table entry for this memory
  std::string space;   ///< state space of the accesses that set up and read back the block; "" is generic
  std::string memory;  ///< memory to which the state space belongs: global, shared or local
};

/// Adds PTX that sets %base to the address of this row's block.
void add_base(FormWriter& form, const Place& place);

}  // namespace heddle::semantics
