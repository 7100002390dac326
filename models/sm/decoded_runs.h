#pragma once

// Decoded instructions of one warp in program order, stored as runs. A run is a sequence of consecutive
// instructions that arrived together. The instructions of a run can issue from cycle
// DecodedInstruction::ready on, so that results are independent of module order.

#include <bit>
#include <memory>

#include "models/ports/instruction_path.h"

namespace heddle {

class DecodedRuns {
 public:
  explicit DecodedRuns(std::size_t entries)
      : ring_(new DecodedInstruction[std::bit_ceil(entries)]),
        last_(static_cast<std::uint32_t>(std::bit_ceil(entries) - 1)),
        room_(static_cast<std::uint32_t>(entries)) {}

  bool add(const DecodedInstruction& run) {
    if (size_ + run.count > room_) return false;
    ring_[index(runs_++)] = run;
    size_ += run.count;
    return true;
  }
  bool can_issue(Cycle now) const { return size_ != 0 && ring_[head_].ready <= now; }
  bool can_issue(Cycle now, std::size_t i) const { return i < size_ && peek(i).ready <= now; }
  const DecodedInstruction& front() const { return ring_[head_]; }
  DecodedInstruction peek(std::size_t i) const {
    std::size_t run = 0;
    for (; i >= at(run).count; ++run) i -= at(run).count;
    DecodedInstruction instruction = at(run);
    instruction.pc += static_cast<std::uint32_t>(i);
    return instruction;
  }
  struct Popped {
    std::uint32_t pc;
    std::uint64_t attached;
  };
  Popped pop() {
    DecodedInstruction& run = ring_[head_];
    const Popped first{run.pc++, run.attached};
    --size_;
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
  std::uint32_t index(std::size_t run) const { return (static_cast<std::uint32_t>(run) + head_) & last_; }

  std::unique_ptr<DecodedInstruction[]> ring_;
  std::uint32_t last_;
  std::uint32_t room_;
  std::uint32_t head_ = 0, runs_ = 0, size_ = 0;
};

}  // namespace heddle
