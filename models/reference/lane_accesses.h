#pragma once

// Memory accesses of the reference run: finds the host addresses of all lanes, reports faults, and counts the
// accesses.

#include <vector>

#include "models/reference/faults.h"
#include "models/reference/lane_memory.h"
#include "models/reference/sight.h"

namespace heddle::reference {

class LaneAccesses {
 public:
  LaneAccesses(const isa::KernelLaunch& launch, const DecodedProgram& decoded, MemoryImage& memory,
               const ReferenceOptions& options, Progress& progress, ReferenceResult& counts,
               const Sight& sight);

  void enter(WarpState& warp);
  const Faults& faults() const { return faults_; }
  SourceWords source(const WarpState& warp, const DecodedInstruction& d, int slot, LaneMask executing,
                     LaneVec (&counter)[2]) const {
    return words_of(decoded_, warp, d, slot, executing, progress_.steps(), counter);
  }

  /// One of the accesses of an instruction (an instruction may have several). `slot`: source operand with the
  /// address. `access`: index in near_, which stores addresses for the next execution of the same access.
  /// `as`: instruction that observers receive in place of the executed one.
  struct Part {
    const isa::Instruction& as;
    AccessKind kind;
    int slot;
    std::uint32_t access;
  };
  /// Finds the host addresses of an access, counts the access and reports it to the observer. Throws
  /// FaultError if the access is not allowed. `form`: state space, size and offset of the access.
  void resolve(const WarpState& warp, const DecodedInstruction& d, const Part& part,
               const isa::MemoryAccess& form, LaneMask executing, ResolvedAccess& access);
  /// Reads the bytes of one lane for an asynchronous copy that reads fewer bytes than it writes.
  void read_part(const WarpState& warp, const DecodedInstruction& copy, int lane, std::uint64_t address,
                 unsigned bytes, std::uint8_t* into);

 private:
  const DecodedProgram& decoded_;
  const ReferenceOptions& options_;
  Faults faults_;
  std::vector<std::uint8_t> parameters_;
  std::vector<NearAddresses> near_;
  MemoryView view_;
  const Progress& progress_;
  ReferenceResult& counts_;
  const Sight& sight_;
};

}  // namespace heddle::reference
