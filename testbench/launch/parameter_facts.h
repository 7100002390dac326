#pragma once

// Derives facts about a kernel's parameters and the module's variables from its code: parts of the parameter
// block that are addresses, and the types and distances of the elements read and written there.

#include <cstdint>
#include <map>
#include <set>
#include <vector>

#include "models/isa/program.h"
#include "testbench/launch/element_type.h"

namespace heddle::launch {

/// The element of a number of so many bytes.
ElementType element_of(isa::DataType type, unsigned bytes);

/// A part of the parameter block that the kernel loads, an address that it loads through another one, or the
/// address of a variable.
struct PartFacts {
  std::uint32_t offset = 0;  ///< in the parameter block
  std::uint32_t bytes = 0;
  ElementType type = ElementType::u32;  ///< as a number
  bool address = false;
  /// Stored to local memory at places that the code does not determine; its uses are not followed.
  bool lost = false;
  // For an address:
  bool read = false, written = false, atomics = false;
  std::vector<ElementType> elements;  ///< types of accesses, the most frequent first
  std::uint64_t stride = 0;  ///< bytes: greatest common divisor of all distances from the start; 0: unknown
  std::vector<PartFacts> targets;  ///< addresses stored in this memory: none, or one that stands for all
  /// The memory holds addresses of functions that the kernel calls. Without an address: the value itself is
  /// one.
  bool functions = false;
};

struct KernelFacts {
  std::vector<PartFacts> parts;  ///< by offset
  int grid_dimensions = 1, block_dimensions = 1;
  bool dynamic_shared = false;
  bool atomics = false, float_atomics = false;
  std::map<std::uint64_t, PartFacts> variables;  ///< variables of the module that the code names, by address
};

/// `program` is as parsed. Follows copies and sums without regard to the order of instructions, so it may
/// find too much, but not too little. Copies may pass through fixed places of local memory that are accessed
/// as a whole. `functions`: numbers that stand for addresses of functions (models/ptx/function_addresses.h).
KernelFacts find_facts(const isa::Program& program, const std::vector<isa::ModuleVariable>& variables,
                       int address_bits, const std::set<std::uint64_t>& functions);

}  // namespace heddle::launch
