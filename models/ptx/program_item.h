#pragma once

// Instructions and storage of a kernel while labels, shared memory and call parameters are symbolic.

#include <cstdint>
#include <initializer_list>
#include <string>

#include "models/isa/instruction.h"
#include "models/ptx/source.h"

namespace heddle::ptx {

using LabelId = int;
using StorageId = int;
inline constexpr int kNone = -1;

/// A variable whose address is assigned when the whole kernel has been lowered.
struct Storage {
  enum class Kind : std::uint8_t {
    shared,          ///< static shared memory of the CTA
    dynamic_shared,  ///< extern .shared; follows all static shared memory
    local,           ///< local memory of the thread
    call_parameter,  ///< .param of a call: registers if all accesses allow it, otherwise local memory
  };
  Kind kind = Kind::shared;
  std::string name;
  std::uint64_t bytes = 0;
  std::uint64_t align = 1;
  std::uint64_t order = 0;     ///< static shared memory is laid out in ascending order
  bool address_taken = false;  ///< the call parameter must stay in memory
  std::uint64_t address = 0;
  Position position;
};

/// An instruction with its symbolic parts.
struct Item {
  isa::Instruction instruction;
  LabelId target = kNone;
  StorageId storage = kNone;  ///< storage whose address is added to an immediate source
  int storage_source = 0;     ///< slot of that source
  /// Function whose frame size (call_stack.h) is added to the offset or to the last source.
  int frame = kNone;
  enum class Stack : std::uint8_t {
    none,
    begin,
    end
  } stack = Stack::none;  ///< stack address (begin or end) that is added in the same way
  /// Call of a function with a frame: its return point. The item branches, or registers are saved before it.
  LabelId returns = kNone;
  bool restores = false;  ///< saved registers are restored after this item
};

inline Item make_item(isa::Opcode op, isa::DataType type, std::initializer_list<isa::Operand> sources) {
  Item item;
  item.instruction.op = op;
  item.instruction.type = item.instruction.source_type = type;
  for (const isa::Operand& o : sources) item.instruction.add_src(o);
  return item;
}

}  // namespace heddle::ptx
