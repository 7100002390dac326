#pragma once

// Derives facts about parameters and module variables from a kernel's code: which parts of the parameter
// block are addresses, and the types and distances of the elements accessed there.

#include <cstdint>
#include <map>
#include <set>
#include <vector>

#include "models/isa/program.h"
#include "testbench/launch/element_type.h"

namespace heddle::launch {

ElementType element_of(isa::DataType type, unsigned bytes);

/// A part of the parameter block that the kernel loads, an address loaded through another address, or the
/// address of a variable.
struct PartFacts {
  std::uint32_t offset = 0;
  std::uint32_t bytes = 0;
  ElementType type = ElementType::u32;  ///< type of a number that is no address
  bool address = false;
  /// The number is an address of shared memory; `elements` are the elements of accesses there.
  bool shared = false;
  /// The value is stored to local memory at computed addresses, so its uses are not followed.
  bool lost = false;
  // If the value is an address: how the memory there is accessed.
  bool read = false, written = false, atomics = false;
  std::vector<ElementType> elements;  ///< element types of the accesses, the most frequent first
  std::uint64_t stride = 0;  ///< greatest common divisor of the elements' offsets in bytes; 0: unknown
  /// Addresses that this memory contains: none, or one entry that represents all.
  std::vector<PartFacts> targets;
  /// The memory holds addresses of functions, or the value itself is one.
  bool functions = false;
};

struct KernelFacts {
  std::vector<PartFacts> parts;
  int grid_dimensions = 1, block_dimensions = 1;
  bool dynamic_shared = false;
  bool atomics = false, float_atomics = false;
  std::map<std::uint64_t, PartFacts> variables;
};

/// `program`: as parsed. Ignores the order of instructions, so facts may be false, but none is missing.
/// Copies may pass through fixed places of local memory. `functions`: numbers that represent addresses of
/// functions (models/ptx/function_addresses.h).
KernelFacts find_facts(const isa::Program& program, const std::vector<isa::ModuleVariable>& variables,
                       int address_bits, const std::set<std::uint64_t>& functions);

}  // namespace heddle::launch
