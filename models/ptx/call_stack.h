#pragma once

// Functions that may call themselves: lowered once for each call from outside of them, with a frame in local memory for
// every call under way. Since what such a call enters comes back to that call alone, lanes that part around it or in it
// meet behind it.
//
// A frame lies at the address in one register of the kernel. It holds the number of the place to return to, results,
// parameters, local variables, and after them, while the function calls another one, the registers that it needs
// afterwards. A call tests that a frame fits after the caller's, writes the arguments there, saves registers,
// moves the address on and branches; a return moves on to the place that the frame names, by a chain of compares. All of
// that is ordinary code: loads and stores of local memory, and branches.

#include <cstdint>
#include <vector>

#include "models/isa/program.h"
#include "models/ptx/ast.h"
#include "models/ptx/program_item.h"

namespace heddle::ptx {

struct StackedFunction {
  const Function* function = nullptr;
  int site = 0;  ///< the call from outside that it belongs to
  LabelId entry = kNone, leave = kNone;
  std::vector<std::uint64_t> parameters, results;  ///< places in the frame
  std::uint64_t fixed_bytes = 4;                   ///< of the frame, without saved registers
  std::uint64_t saved_bytes = 0;
  std::vector<LabelId> returns;    ///< by number
  std::size_t begin = 0, end = 0;  ///< its items

  /// A place for so many bytes.
  std::uint64_t place(std::uint64_t bytes, std::uint64_t align);
  std::uint64_t frame_bytes() const;
};

class CallStack {
 public:
  explicit CallStack(std::uint32_t bytes, bool keeps_calls) : bytes_(bytes), keeps_calls_(keeps_calls) {}

  bool used() const { return !functions_.empty(); }
  std::uint32_t bytes() const { return bytes_; }
  /// Bytes of local memory. Arguments of a kept call are stored before it fails for lack of room.
  std::uint64_t room() const;
  /// The number of the function of a call from outside; a new one is placed.
  int number_of(const Function& function, int site);
  int new_site() { return sites_++; }
  StackedFunction& at(int number) { return functions_[static_cast<std::size_t>(number)]; }
  std::size_t size() const { return functions_.size(); }

  /// The registers with the address of the frame, and for a predicate on its way.
  isa::Operand pointer, word;

  /// Writes what saves and restores registers around the calls of functions; labels move with it.
  void save_registers(std::vector<Item>& items, std::vector<std::size_t>& labels, std::uint32_t registers,
                      std::uint32_t predicates);
  /// Fills in frame sizes and the place of the stack in the items that need them.
  void resolve(std::vector<Item>& items, std::uint64_t base) const;

 private:
  std::vector<StackedFunction> functions_;
  std::uint32_t bytes_;
  bool keeps_calls_;
  int sites_ = 0;
};

/// A predicate as a word, 1 or 0, and back; without their destinations.
Item word_of(const isa::Operand& predicate);
Item predicate_of(const isa::Operand& word);

}  // namespace heddle::ptx
