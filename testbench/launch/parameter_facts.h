#pragma once

// Analyses a kernel's code to learn how the kernel uses its parameters and module variables. Finds which
// parts of the parameter block are addresses, and the types and distances of the elements that are accessed
// through them.

#include <cstdint>
#include <map>
#include <set>
#include <vector>

#include "models/isa/program.h"
#include "testbench/launch/element_type.h"

namespace heddle::launch {

ElementType element_of(isa::DataType type, unsigned bytes);

/// Facts about a value that the kernel uses. The value is one of these: a part of the parameter block, the
/// address of a module variable, or an address that the kernel loads from the memory at another such address.
struct PartFacts {
  std::uint32_t offset = 0;
  std::uint32_t bytes = 0;
  ElementType type = ElementType::u32;  ///< type of a number that is no address
  bool address = false;
  /// True if the value is an address of shared memory. The members below then describe the accesses to
  /// shared memory through this address.
  bool shared = false;
  /// True if the value is stored to local memory at a computed address. Later uses of the value are then
  /// unknown.
  bool lost = false;
  // If the value is an address: how the memory there is accessed.
  bool read = false, written = false, atomics = false;
  std::vector<ElementType> elements;  ///< element types of the accesses, the most frequent first
  std::uint64_t stride = 0;  ///< greatest common divisor of the elements' offsets in bytes; 0: unknown
  /// If the value is an address: facts about addresses that are stored in the memory there. Empty, or one
  /// entry that combines the facts about all stored addresses.
  std::vector<PartFacts> targets;
  /// True if the value is the address of a function, or if the memory contains addresses of functions.
  bool functions = false;
};

struct KernelFacts {
  std::vector<PartFacts> parts;
  int grid_dimensions = 1, block_dimensions = 1;
  bool dynamic_shared = false;
  bool atomics = false, float_atomics = false;
  std::map<std::uint64_t, PartFacts> variables;
};

/// Returns the facts about a kernel. `program`: the program before all passes. The analysis ignores the order
/// of instructions, so it may report too much, but never misses a fact. The analysis follows values through
/// fixed offsets of local memory. `functions`: numbers that stand for addresses of functions
/// (models/ptx/function_addresses.h).
KernelFacts find_facts(const isa::Program& program, const std::vector<isa::ModuleVariable>& variables,
                       int address_bits, const std::set<std::uint64_t>& functions);

}  // namespace heddle::launch
