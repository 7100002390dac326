#pragma once

// Follows values through local memory, because unoptimised code keeps parameters and variables there. Memory
// at a fixed offset of a function's stack frame is treated as a register if all accesses to it have the same
// width. The stack frame of a recursive function (models/ptx/call_stack.h) moves, so all accesses of one
// width to this frame are treated as accesses to one register.

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "models/isa/program.h"

namespace heddle::launch {

/// Return the number of elements that a load or store accesses, and the byte offset of an element.
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

  std::size_t values() const { return registers_ + kWidths + places_.size(); }
  /// Returns an operand's value if the value is constant, even if it results from moves and additions;
  /// otherwise nothing.
  std::optional<std::uint64_t> constant(const isa::Operand& o) const { return constant(o, 0); }
  /// Returns the pseudo-register for an element of a load or store: a part of a stack frame that is treated
  /// as a register. Returns nothing outside of local memory, or if the part is accessed in several widths.
  std::optional<isa::Operand> place(const isa::Instruction& i, int element) const;
  /// Returns true for an access to the stack frame of a recursive function. The address of this frame moves.
  bool moves(const isa::Instruction& i) const {
    return i.src[0].is_reg() && moving_ && i.src[0].reg.value == *moving_;
  }
  bool is_read(const isa::Operand& place) const;

 private:
  struct Place {
    std::uint32_t bytes = 0;
    std::uint32_t reg = 0;
    bool read = false;
  };
  struct Definitions {
    const isa::Instruction* only = nullptr;
    int count = 0;
  };
  std::optional<std::uint64_t> constant(const isa::Operand& o, int depth) const;
  void find(const isa::Instruction& i);

  static constexpr std::uint32_t kWidths = 4;
  std::uint32_t registers_;
  std::optional<std::uint32_t> moving_;
  std::vector<Definitions> definitions_;
  std::map<std::uint64_t, Place> places_;
};

}  // namespace heddle::launch
