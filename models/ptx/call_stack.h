#pragma once

// Calls of functions that may call themselves. Such a function is lowered once per call site outside the
// recursion, with a frame in local memory for each active call. Because each copy returns to a single call
// site, lanes that diverge in the copy reconverge after this call.
//
// One register of the kernel, `pointer`, holds the address of the current frame. A frame contains the number
// of the return point, results, parameters and local variables. After these, the function saves the registers
// that it needs after a call. A call checks that the callee's frame fits, writes the arguments into it, saves
// registers, advances the pointer and branches. A return branches to the return point of the frame by a chain
// of compares. The generated code consists only of loads and stores of local memory, arithmetic and branches.

#include <cstdint>
#include <vector>

#include "models/isa/program.h"
#include "models/ptx/ast.h"
#include "models/ptx/program_item.h"

namespace heddle::ptx {

struct StackedFunction {
  const Function* function = nullptr;
  int site = 0;  ///< number of the outside call site to which the copy belongs
  LabelId entry = kNone, leave = kNone;
  std::vector<std::uint64_t> parameters, results;  ///< byte offsets in the frame
  std::uint64_t fixed_bytes = 4;                   ///< size of the frame without saved registers
  std::uint64_t saved_bytes = 0;
  std::vector<LabelId> returns;    ///< return points, by number
  std::size_t begin = 0, end = 0;  ///< range of the function's items

  /// Allocates `bytes` bytes in the frame; returns their offset.
  std::uint64_t place(std::uint64_t bytes, std::uint64_t align);
  std::uint64_t frame_bytes() const;
};

class CallStack {
 public:
  explicit CallStack(std::uint32_t bytes, bool keeps_calls) : bytes_(bytes), keeps_calls_(keeps_calls) {}

  bool used() const { return !functions_.empty(); }
  std::uint32_t bytes() const { return bytes_; }
  /// Returns the size in bytes of the local memory for the stack. With kept calls this includes space for one
  /// set of arguments past the limit, because a kept call stores its arguments before it fails.
  std::uint64_t room() const;
  /// Returns the number of the copy of `function` for a call site; creates the copy if necessary.
  int number_of(const Function& function, int site);
  int new_site() { return sites_++; }
  StackedFunction& at(int number) { return functions_[static_cast<std::size_t>(number)]; }
  std::size_t size() const { return functions_.size(); }

  /// pointer: address of the current frame. word: temporary for saving a predicate.
  isa::Operand pointer, word;

  /// Inserts the code that saves and restores registers around calls. Adjusts the positions in `labels`.
  void save_registers(std::vector<Item>& items, std::vector<std::size_t>& labels);
  /// Fills in frame sizes and the stack's address where items need them.
  void resolve(std::vector<Item>& items, std::uint64_t base) const;

 private:
  std::vector<StackedFunction> functions_;
  std::uint32_t bytes_;
  bool keeps_calls_;
  int sites_ = 0;
};

/// Conversion of a predicate to a word (1 or 0) and back. The caller adds the destination.
Item word_of(const isa::Operand& predicate);
Item predicate_of(const isa::Operand& word);

}  // namespace heddle::ptx
