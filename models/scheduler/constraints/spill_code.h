#pragma once

// Instructions that spill a warp's registers to memory and fill them (Jeon 2015, 8.1: "special spill
// instructions to a system-reserved memory location"). They follow the loaded program, where none of its
// paths leads: for each register a store and a load of all 32 lanes, with or without threads, so that one
// coalesced access moves it. The memory follows the local memory of the warp's threads.

#include <cstdint>

#include "models/isa/program.h"

namespace heddle {

/// Where they stand after a program's own.
class SpillCode {
 public:
  explicit SpillCode(const isa::Program& program)
      : first_(static_cast<std::uint32_t>(program.code.size())), registers_(program.registers) {}

  std::uint32_t first() const { return first_; }
  std::uint32_t store(std::uint32_t reg) const { return first_ + reg; }
  std::uint32_t load(std::uint32_t reg) const { return first_ + registers_ + reg; }
  /// The register that the instruction writes out.
  bool stores(std::uint32_t pc) const { return pc < first_ + registers_; }
  std::uint32_t register_of(std::uint32_t pc) const {
    return stores(pc) ? pc - first_ : pc - first_ - registers_;
  }

 private:
  std::uint32_t first_, registers_;
};

/// The program with them, and with local memory for all its registers.
isa::Program with_spill_code(const isa::Program& program);
/// Bytes of local memory a thread that it then has.
inline std::uint32_t local_bytes_with_spill_code(const isa::Program& program) {
  return program.local_bytes + 4 * program.registers;
}

}  // namespace heddle
