#pragma once

// Detects whether a warp's next instruction directly follows its last issued instruction in the program. The
// compiler's control bits are valid only in this case. With independent thread progress (.target sm_70 and
// above), a warp can change to another path without a branch.

#include <vector>

#include "models/ports/in_flight.h"

namespace heddle {

class PathChanges {
 public:
  explicit PathChanges(int warps) : expected_(static_cast<std::size_t>(warps)) {}

  void begin(const isa::Program& program) {
    follows_ = program.sm >= kIndependentProgress;
    last_ = program.code.data() + program.code.size();
  }
  void started(WarpId warp) { expected_[warp.value] = nullptr; }
  void issued(const InFlight& item) {
    if (!follows_) return;
    const isa::Instruction* next = nullptr;
    if (!item.instruction->is_branch() && item.instruction->op != isa::Opcode::exit) {
      next = item.instruction + 1;
      while (next < last_ && next->metadata) ++next;
    }
    expected_[item.warp().value] = next;
  }
  bool changed(WarpId warp, const isa::Instruction* next) const {
    return expected_[warp.value] != nullptr && expected_[warp.value] != next;
  }

 private:
  static constexpr std::uint32_t kIndependentProgress = 70;
  bool follows_ = false;
  const isa::Instruction* last_ = nullptr;
  /// For each warp: the instruction that follows, in the program, the instruction that the warp issued last.
  /// nullptr: any instruction may come next.
  std::vector<const isa::Instruction*> expected_;
};

}  // namespace heddle
