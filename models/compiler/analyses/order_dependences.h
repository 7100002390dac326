#pragma once

// Dependences between the instructions of a stretch: a part of a block within which instructions may be
// reordered.
//
// Reads and writes of one register or predicate keep their order. Two accesses to one state space keep their
// order if one of the two accesses writes. Atomics, non-weak accesses (PTX memory model), cross-lane
// operations, control instructions and reads of clocks end a stretch.

#include <functional>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "models/isa/instruction.h"

namespace heddle::compiler {

/// Returns true if no instruction may move past this one.
bool ends_stretch(const isa::Instruction& i);

class OrderDependences {
 public:
  struct Dependence {
    std::size_t on = 0;
    bool on_result =
        false;  ///< The later instruction reads or overwrites a result of the earlier instruction.
    bool by_guard = false;  ///< The earlier instruction writes the guard of the later instruction.
    bool by_read = false;   ///< The later instruction reads a result of the earlier instruction.
  };

  explicit OrderDependences(std::span<const isa::Instruction> code);

  const std::vector<Dependence>& of(std::size_t n) const { return before_[n]; }

 private:
  using Name = std::pair<int, std::uint32_t>;
  void add(std::size_t n);
  void read(std::size_t n, Name name, bool by_guard);
  void write(std::size_t n, Name name);

  std::span<const isa::Instruction> code_;
  std::vector<std::vector<Dependence>> before_;
  std::map<Name, std::size_t> writer_;
  std::map<Name, std::vector<std::size_t>> readers_;
  std::vector<std::size_t> memory_;
};

/// Reorders the instructions of a program within each stretch (instructions that may be reordered). Calls
/// order(stretch, first) for each stretch of each block, where `first` is the position of the stretch in the
/// program. order() must return the old positions within the stretch in the new order.
void reorder_stretches(std::vector<isa::Instruction>& code,
                       const std::vector<std::pair<std::size_t, std::size_t>>& blocks,
                       const std::function<std::vector<std::size_t>(std::span<const isa::Instruction>,
                                                                    std::size_t first)>& order);

}  // namespace heddle::compiler
