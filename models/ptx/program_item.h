#pragma once

// Instructions and variables of a kernel. Their labels and addresses are still symbolic.

#include <cstdint>
#include <initializer_list>
#include <string>

#include "models/isa/instruction.h"
#include "models/ptx/source.h"

namespace heddle::ptx {

using LabelId = int;
using StorageId = int;
inline constexpr int kNone = -1;

/// A variable whose address is assigned after the translation of the whole kernel.
struct Storage {
  enum class Kind : std::uint8_t {
    shared,
    dynamic_shared,  ///< dynamic shared memory (extern .shared), which follows all static shared memory
    local,
    /// .param variable of a call: it becomes registers if all accesses allow it, otherwise local memory.
    call_parameter,
  };
  Kind kind = Kind::shared;
  std::string name;
  std::uint64_t bytes = 0;
  std::uint64_t align = 1;
  std::uint64_t order = 0;
  bool address_taken = false;  ///< for a call parameter: true if the parameter must stay in memory
  std::uint64_t address = 0;
  Position position;
};

/// An instruction whose branch target, addresses and frame sizes are still symbolic.
struct Item {
  isa::Instruction instruction;
  LabelId target = kNone;
  StorageId storage = kNone;
  int storage_source = 0;
  /// Number of a function with a stack frame. finish() adds the size of this frame to the memory offset or to
  /// the last source of the instruction. kNone: nothing is added.
  int frame = kNone;
  enum class Stack : std::uint8_t {
    none,
    begin,
    end
    /// Address of the begin or end of the call stack, which is added to the instruction's memory offset or
    /// last source.
  } stack = Stack::none;
  /// Label of the return point of a call, if the called function has a stack frame. Set for two instructions:
  /// the branch of the call, and the addition to the frame pointer before it. The caller's registers are
  /// saved directly before this addition.
  LabelId returns = kNone;
  bool restores = false;
};

inline Item make_item(isa::Opcode op, isa::DataType type, std::initializer_list<isa::Operand> sources) {
  Item item;
  item.instruction.op = op;
  item.instruction.type = item.instruction.source_type = type;
  for (const isa::Operand& o : sources) item.instruction.add_src(o);
  return item;
}

}  // namespace heddle::ptx
