#pragma once

// What a kernel's code tells about its parameters and the module's variables: which parts of the parameter block are
// addresses, what is read and written there, in elements of which type and how far apart.

#include <cstdint>
#include <map>
#include <set>
#include <vector>

#include "models/isa/program.h"
#include "testbench/launch/element_type.h"

namespace heddle::launch {

/// The element of a number of so many bytes.
ElementType element_of(isa::DataType type, unsigned bytes);

/// A part of the parameter block that the kernel loads, an address that it loads through another one, or that of a
/// variable.
struct PartFacts {
  std::uint32_t offset = 0;  ///< in the parameter block
  std::uint32_t bytes = 0;
  ElementType type = ElementType::u32;  ///< as a number
  bool address = false;
  /// Kept in local memory at places that the code does not fix: what becomes of it there is not followed.
  bool lost = false;
  // Of an address:
  bool read = false, written = false, atomics = false;
  std::vector<ElementType> elements;  ///< types of accesses, the most frequent first
  std::uint64_t stride = 0;  ///< bytes: greatest common divisor of all distances from the start; 0: unknown
  std::vector<PartFacts> targets;  ///< the addresses that the memory there holds: none, or one for them all
  /// What is read there are addresses of functions, which the kernel calls. Of no address: it is one itself.
  bool functions = false;
};

struct KernelFacts {
  std::vector<PartFacts> parts;  ///< by offset
  int grid_dimensions = 1, block_dimensions = 1;
  bool dynamic_shared = false;
  bool atomics = false, float_atomics = false;
  std::map<std::uint64_t, PartFacts> variables;  ///< of the module that the code names, by address
};

/// `program` is as parsed. Follows copies and sums without regard to the order of instructions, so it may see
/// more than happens, not less. Copies may go through fixed places of local memory, each accessed as a whole.
/// `functions`: the numbers that stand for addresses of functions (models/ptx/function_addresses.h).
KernelFacts find_facts(const isa::Program& program, const std::vector<isa::ModuleVariable>& variables,
                       int address_bits, const std::set<std::uint64_t>& functions);

}  // namespace heddle::launch
