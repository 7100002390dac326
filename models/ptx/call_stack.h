#pragma once

// Call stack in local memory, for functions that may call themselves. Each call of such a recursive function
// from a function that is not recursive gets its own copy of the recursive function's code. All lanes return
// from this copy to the same call, so lanes that diverge in the copy reconverge after that call. Each active
// call has its own frame in local memory.
//
// One register, `pointer`, holds the address of the current frame. A frame contains the number of the return
// point, results, parameters, local variables, and saved registers. The function saves these registers around
// its own calls. A call checks that the callee's frame fits, writes the arguments into it, saves registers,
// advances `pointer` and branches. A return reads the number of the return point from the frame, and branches
// there by a chain of compares.

#include <cstdint>
#include <vector>

#include "models/isa/program.h"
#include "models/ptx/ast.h"
#include "models/ptx/program_item.h"

namespace heddle::ptx {

struct StackedFunction {
  const Function* function = nullptr;
  int site = 0;
  LabelId entry = kNone, leave = kNone;
  std::vector<std::uint64_t> parameters, results;
  /// Size of the frame in bytes, without saved registers. The first 4 bytes hold the number of the return
  /// point.
  std::uint64_t fixed_bytes = 4;
  std::uint64_t saved_bytes = 0;
  std::vector<LabelId> returns;
  std::size_t begin = 0, end = 0;

  std::uint64_t place(std::uint64_t bytes, std::uint64_t align);
  std::uint64_t frame_bytes() const;
};

class CallStack {
 public:
  explicit CallStack(std::uint32_t bytes, bool keeps_calls) : bytes_(bytes), keeps_calls_(keeps_calls) {}

  bool used() const { return !functions_.empty(); }
  std::uint32_t bytes() const { return bytes_; }
  /// Returns the size in bytes of the call stack in local memory. If the program still contains call
  /// instructions (untimed reference), the stack has one more frame, because a call stores its arguments
  /// before it detects an overflow.
  std::uint64_t room() const;
  /// Returns the number of the copy of `function` (its code and its frame) for the call site `site`. The
  /// first call of number_of() with these arguments creates the copy.
  int number_of(const Function& function, int site);
  int new_site() { return sites_++; }
  StackedFunction& at(int number) { return functions_[static_cast<std::size_t>(number)]; }
  std::size_t size() const { return functions_.size(); }

  /// Registers of the kernel. `pointer`: address of the current frame. `word`: temporary value while a
  /// predicate is saved.
  isa::Operand pointer, word;

  void save_registers(std::vector<Item>& items, std::vector<std::size_t>& labels);
  /// Replaces symbolic frame sizes and call-stack addresses in `items` by numbers. `base`: byte offset of the
  /// call stack in local memory.
  void resolve(std::vector<Item>& items, std::uint64_t base) const;

 private:
  std::vector<StackedFunction> functions_;
  std::uint32_t bytes_;
  bool keeps_calls_;
  int sites_ = 0;
};

Item word_of(const isa::Operand& predicate);
Item predicate_of(const isa::Operand& word);

}  // namespace heddle::ptx
