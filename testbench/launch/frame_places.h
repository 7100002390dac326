#pragma once

// Follows values through frames of local memory, where unoptimised code keeps parameters and variables. A
// place is a part of a frame at a fixed offset. A place that is accessed in one width only is treated like a
// register, numbered after the program's registers. The frames of recursive functions
// (models/ptx/call_stack.h) move, so all places of one width in such frames are treated as one register.

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "models/isa/program.h"

namespace heddle::launch {

/// These functions return the number of elements that a load or store accesses, and the byte offset of an
/// element.
inline int elements_of(const isa::Instruction& i) {
  return i.op == isa::Opcode::ld ? i.num_dst : i.num_src - 1;
}
inline std::uint32_t element_offset(const isa::Instruction& i, int element) {
  return static_cast<std::uint32_t>(element) * i.memory.element_bytes;
}

class FramePlaces {
 public:
  /// The program must outlive this object.
  explicit FramePlaces(const isa::Program& program);

  /// Returns the number of registers of the program plus the number of places in frames.
  std::size_t values() const { return registers_ + kWidths + places_.size(); }
  /// Returns the constant value of an operand, through moves and sums of constants; nothing if it is not
  /// constant.
  std::optional<std::uint64_t> constant(const isa::Operand& o) const { return constant(o, 0); }
  /// Returns the place (a fixed part of a frame) that an element of a load or store accesses. Returns nothing
  /// if the access is outside of local memory, or if the place is accessed in several widths.
  std::optional<isa::Operand> place(const isa::Instruction& i, int element) const;
  /// Returns true if a load or store accesses the frame of a recursive function, whose address moves.
  bool moves(const isa::Instruction& i) const {
    return i.src[0].is_reg() && moving_ && i.src[0].reg.value == *moving_;
  }
  /// Returns true if some load of the program reads the place.
  bool is_read(const isa::Operand& place) const;

 private:
  struct Place {
    std::uint32_t bytes = 0;  ///< width of the accesses to the place in bytes; 0: the place is not followed
    std::uint32_t reg = 0;    ///< index of the place in tables that begin with the registers
    bool read = false;
  };
  struct Definitions {
    const isa::Instruction* only = nullptr;
    int count = 0;
  };
  std::optional<std::uint64_t> constant(const isa::Operand& o, int depth) const;
  void find(const isa::Instruction& i);

  static constexpr std::uint32_t kWidths = 4;  ///< widths of elements: 1, 2, 4 and 8 bytes
  std::uint32_t registers_;
  std::optional<std::uint32_t> moving_;    ///< register that holds the address of the moving frame
  std::vector<Definitions> definitions_;   // known constant values of each register
  std::map<std::uint64_t, Place> places_;  // places (fixed parts of frames), by address
};

}  // namespace heddle::launch
