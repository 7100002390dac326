#pragma once

// The decoded instructions that wait for one warp, in its order: runs of such that follow each other in the program and
// came together. What arrives in a cycle can issue in a later one (DecodedInstruction::ready), so who runs first in a
// cycle cannot be observed.

#include <vector>

#include "models/ports/instruction_path.h"

namespace heddle {

class DecodedRuns {
 public:
  /// Room for so many instructions.
  explicit DecodedRuns(std::size_t entries) : ring_(entries) {}

  /// False, and nothing happens, if there is no room for all of the run.
  bool add(const DecodedInstruction& run) {
    if (size_ + run.count > ring_.size()) return false;
    ring_[index(runs_++)] = run;
    size_ += run.count;
    return true;
  }
  /// Whether the first can issue in cycle `now`.
  bool can_issue(Cycle now) const { return size_ != 0 && ring_[head_].ready <= now; }
  /// Whether the one `i` places after it can.
  bool can_issue(Cycle now, std::size_t i) const { return i < size_ && peek(i).ready <= now; }
  const DecodedInstruction& front() const { return ring_[head_]; }
  DecodedInstruction peek(std::size_t i) const {
    std::size_t run = 0;
    for (; i >= at(run).count; ++run) i -= at(run).count;
    DecodedInstruction instruction = at(run);
    instruction.pc += static_cast<std::uint32_t>(i);
    return instruction;
  }
  DecodedInstruction pop() {
    DecodedInstruction& run = ring_[head_];
    const DecodedInstruction first = run;
    --size_;
    ++run.pc;
    if (--run.count == 0) {
      head_ = index(1);
      --runs_;
    }
    return first;
  }
  void reset() { size_ = runs_ = 0; }

  bool empty() const { return size_ == 0; }
  std::size_t size() const { return size_; }

 private:
  const DecodedInstruction& at(std::size_t run) const { return ring_[index(run)]; }
  std::size_t index(std::size_t run) const {
    run += head_;
    return run >= ring_.size() ? run - ring_.size() : run;
  }

  std::vector<DecodedInstruction> ring_;  ///< runs
  std::size_t head_ = 0, runs_ = 0, size_ = 0;
};

}  // namespace heddle
