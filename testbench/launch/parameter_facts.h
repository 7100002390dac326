#pragma once

// Derives facts about a kernel's parameters and the module's variables from its code: which parts of the
// parameter block are addresses, and the types and distances of the elements accessed there.

#include <cstdint>
#include <map>
#include <set>
#include <vector>

#include "models/isa/program.h"
#include "testbench/launch/element_type.h"

namespace heddle::launch {

/// Returns the element type of a number with this many bytes.
ElementType element_of(isa::DataType type, unsigned bytes);

/// A part of the parameter block that the kernel loads, an address that it loads through another address, or
/// the address of a variable.
struct PartFacts {
  std::uint32_t offset = 0;  ///< byte offset of the part in the parameter block
  std::uint32_t bytes = 0;
  ElementType type = ElementType::u32;  ///< type of the part, if it is a number and no address
  bool address = false;
  /// True: the number is an address of shared memory; `elements` are those of its accesses.
  bool shared = false;
  /// True: the part is stored to local memory at addresses that the code computes. The uses of the part are
  /// then not followed.
  bool lost = false;
  // The following members describe the memory at the address, if the part is an address.
  bool read = false, written = false, atomics = false;
  std::vector<ElementType> elements;  ///< element types of the accesses, the most frequent first
  std::uint64_t stride =
      0;  ///< distance of the elements in bytes: greatest common divisor of all offsets; 0: unknown
  /// Addresses that this memory contains: none, or one entry that represents all.
  std::vector<PartFacts> targets;
  /// True: the memory holds addresses of functions that the kernel calls. For a part that is no address of
  /// memory: true if the part itself is the address of a function.
  bool functions = false;
};

struct KernelFacts {
  std::vector<PartFacts> parts;  ///< parts of the parameter block that the kernel loads, by offset
  int grid_dimensions = 1, block_dimensions = 1;
  bool dynamic_shared = false;
  bool atomics = false, float_atomics = false;
  std::map<std::uint64_t, PartFacts> variables;  ///< module variables that the code names, by address
};

/// `program` is as parsed. Copies and sums are followed without regard to the order of instructions. The
/// result may therefore contain facts that do not hold, but no fact is missing. Copies may pass through fixed
/// places of local memory that are accessed as a whole. `functions`: numbers that represent addresses of
/// functions (models/ptx/function_addresses.h).
KernelFacts find_facts(const isa::Program& program, const std::vector<isa::ModuleVariable>& variables,
                       int address_bits, const std::set<std::uint64_t>& functions);

}  // namespace heddle::launch
