#pragma once

// Reports reads of what nothing has written: registers, shared memory, local memory, and memory of malloc in
// kernels. Each byte is followed, and each lane of a register.

#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

#include "models/reference/device_heap.h"
#include "models/reference/findings.h"

namespace heddle::reference {

class InitCheck : public Observer {
 public:
  /// `heap` receives every call before this check does.
  InitCheck(Findings& findings, DeviceHeap& heap) : findings_(findings), heap_(heap) {}
  void before(const ExecutedInstruction& e) override;
  void after(const ExecutedInstruction& e) override;
  void accessed(const ExecutedInstruction& e, std::span<const std::uint64_t, kLanes> addresses) override;

 private:
  struct Warp {
    std::vector<LaneMask> registers;  ///< lanes that have written it, by register word, then predicate
    std::vector<LaneMask> local;      ///< by byte
  };
  struct Cta {
    std::vector<bool> shared;  ///< bytes that are written
    std::vector<Warp> warps;
    std::uint32_t ended = 0;
  };
  Cta& cta_of(const ExecutedInstruction& e);
  /// Marks bytes as written, or returns true if some are not.
  static bool touch(std::vector<bool>& written, std::uint64_t at, std::uint64_t bytes, bool reads,
                    bool writes);
  static bool touch_local(Warp& warp, int lane, std::uint64_t at, std::uint64_t bytes, bool writes);
  bool touch_heap(std::uint64_t address, std::uint64_t bytes, bool reads, bool writes);
  void check_register(const ExecutedInstruction& e, const Warp& warp, std::uint32_t word, LaneMask lanes);

  Findings& findings_;
  DeviceHeap& heap_;
  const isa::KernelLaunch* launch_ = nullptr;
  KernelId id_{};
  std::unordered_map<std::uint64_t, Cta> ctas_;
};

}  // namespace heddle::reference
