#pragma once

// Instructions and storage of a kernel while labels, shared memory and call parameters are still symbolic.

#include <cstdint>
#include <initializer_list>
#include <string>

#include "models/isa/instruction.h"
#include "models/ptx/source.h"

namespace heddle::ptx {

using LabelId = int;
using StorageId = int;
inline constexpr int kNone = -1;

/// Storage whose place is known only when the whole kernel has been lowered.
struct Storage {
  enum class Kind : std::uint8_t {
    shared,          ///< static shared memory of the CTA
    dynamic_shared,  ///< extern .shared: after all static shared memory
    local,           ///< a thread's own memory
    call_parameter,  ///< .param of a call: registers if every access fits, else a thread's own memory
  };
  Kind kind = Kind::shared;
  std::string name;
  std::uint64_t bytes = 0;
  std::uint64_t align = 1;
  std::uint64_t order = 0;     ///< static shared memory is laid out by rising order
  bool address_taken = false;  ///< a call parameter that must lie in memory
  std::uint64_t address = 0;
  Position position;
};

/// An instruction with what is still symbolic in it.
struct Item {
  isa::Instruction instruction;
  LabelId target = kNone;
  StorageId storage = kNone;  ///< the address of this storage is to be added to the immediate ...
  int storage_source = 0;     ///< ... in this source slot
  int frame =
      kNone;  ///< the size of this function's frame (call_stack.h) is to be added to the offset or last source
  enum class Stack : std::uint8_t {
    none,
    begin,
    end
  } stack = Stack::none;    ///< the same of a place of the stack
  LabelId returns = kNone;  ///< of a call of a function with frames: registers are saved here, or it branches
  bool restores = false;    ///< registers that were saved are read after it
};

inline Item make_item(isa::Opcode op, isa::DataType type, std::initializer_list<isa::Operand> sources) {
  Item item;
  item.instruction.op = op;
  item.instruction.type = item.instruction.source_type = type;
  for (const isa::Operand& o : sources) item.instruction.add_src(o);
  return item;
}

}  // namespace heddle::ptx
