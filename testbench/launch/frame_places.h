#pragma once

// Unoptimised code keeps parameters and variables in a frame of local memory. A fixed place of the frame that
// is accessed in one width only is followed like a register, with a number after the program's registers.
// Frames of functions that call themselves (models/ptx/call_stack.h) move: all their places of one width are
// followed as one register.

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "models/isa/program.h"

namespace heddle::launch {

/// Of a load or store: number of elements, and distance between them in bytes.
inline int elements_of(const isa::Instruction& i) {
  return i.op == isa::Opcode::ld ? i.num_dst : i.num_src - 1;
}
inline std::uint32_t element_offset(const isa::Instruction& i, int element) {
  return static_cast<std::uint32_t>(element) * i.memory.element_bytes;
}

class FramePlaces {
 public:
  /// The program must outlive it.
  explicit FramePlaces(const isa::Program& program);

  /// Number of registers of the program and of places.
  std::size_t values() const { return registers_ + kWidths + places_.size(); }
  /// Value of an operand that is a constant, through moves and sums of constants.
  std::optional<std::uint64_t> constant(const isa::Operand& o) const { return constant(o, 0); }
  /// Place that an element of a load or store accesses; nothing if it is outside of local memory or not
  /// followed.
  std::optional<isa::Operand> place(const isa::Instruction& i, int element) const;
  /// True if a load or store accesses a frame that moves.
  bool moves(const isa::Instruction& i) const {
    return i.src[0].is_reg() && moving_ && i.src[0].reg.value == *moving_;
  }
  /// True if some load reads the place.
  bool is_read(const isa::Operand& place) const;

 private:
  struct Place {
    std::uint32_t bytes = 0;  ///< 0: not followed
    std::uint32_t reg = 0;    ///< its number in tables by register
    bool read = false;
  };
  struct Definitions {
    const isa::Instruction* only = nullptr;
    int count = 0;
  };
  std::optional<std::uint64_t> constant(const isa::Operand& o, int depth) const;
  void find(const isa::Instruction& i);

  static constexpr std::uint32_t kWidths = 4;  ///< of elements: 1, 2, 4, 8 bytes
  std::uint32_t registers_;
  std::optional<std::uint32_t> moving_;    ///< register with the address of the frame that moves
  std::vector<Definitions> definitions_;   // by register
  std::map<std::uint64_t, Place> places_;  // by address
};

}  // namespace heddle::launch
