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

std::vector<Block> sample_blocks();

/// A load or store of one or more elements. `prefix`: the PTX text before the vector length and the type.
struct Access {
  std::string prefix;
  int count;
  std::string type;

  int element_bits() const { return std::stoi(type.substr(1)); }
  int bytes() const { return count * element_bits() / 8; }
  std::string column() const;
  std::string spelled() const;
  /// Returns the byte offset in the block: a multiple of the access's size that differs between types.
  int offset() const;
  std::string name() const;
};

std::vector<Access> all_types(const std::string& prefix);
std::vector<Access> usual_types(const std::string& prefix);
std::vector<Access> few_types(const std::string& prefix);

/// The state space in which the blocks of a table entry lie, and how the PTX accesses the blocks.
struct Place {
  std::string name;
  std::string space;   ///< state space of the accesses that set up and read back the block; "" is generic
  std::string memory;  ///< memory to which the state space belongs: global, shared or local
};

void add_base(FormWriter& form, const Place& place);

}  // namespace heddle::semantics
