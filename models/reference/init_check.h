#pragma once

// Reports reads of storage that was never written: registers, shared memory, local memory, and memory that
// malloc returned in kernels. Records writes for each byte of memory, and for each lane of a register.

#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

#include "models/reference/current_launch.h"
#include "models/reference/device_heap.h"
#include "models/reference/findings.h"

namespace heddle::reference {

class InitCheck : public Observer {
 public:
  /// Creates a check that gets the blocks of malloc from `heap`. The caller must pass each event of the run
  /// to `heap` before it passes the event to this check.
  InitCheck(Findings& findings, DeviceHeap& heap) : findings_(findings), heap_(heap) {}
  void before(const ExecutedInstruction& e) override;
  void after(const ExecutedInstruction& e) override;
  void accessed(const ExecutedInstruction& e, std::span<const std::uint64_t, kLanes> addresses) override;

 private:
  struct Warp {
    std::vector<LaneMask> registers;
    std::vector<LaneMask> local;
  };
  struct Cta {
    std::vector<bool> shared;
    std::vector<Warp> warps;
    std::uint32_t ended = 0;
  };
  Cta& cta_of(const ExecutedInstruction& e);
  static bool touch(std::vector<bool>& written, std::uint64_t at, std::uint64_t bytes, bool reads,
                    bool writes);
  static bool touch_local(Warp& warp, int lane, std::uint64_t at, std::uint64_t bytes, bool writes);
  bool touch_heap(std::uint64_t address, std::uint64_t bytes, bool reads, bool writes);
  void check_register(const ExecutedInstruction& e, const Warp& warp, std::uint32_t word, LaneMask lanes);

  Findings& findings_;
  DeviceHeap& heap_;
  CurrentLaunch launch_;
  std::unordered_map<std::uint64_t, Cta> ctas_;
};

}  // namespace heddle::reference
