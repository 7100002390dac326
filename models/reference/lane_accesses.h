#pragma once

// The accesses that the reference makes to memory: finds the data of all lanes, reports faults, and counts.

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

  /// One access of an instruction: `slot` is the source that holds the address, `access` the index of its near
  /// addresses, and `as` the instruction that observers see.
  struct Part {
    const isa::Instruction& as;
    AccessKind kind;
    int slot;
    std::uint32_t access;
  };
  /// `form`: the access that the lanes may make
  void resolve(const WarpState& warp, const DecodedInstruction& d, const Part& part,
               const isa::MemoryAccess& form, LaneMask executing, ResolvedAccess& access);
  /// Reads fewer bytes of a lane than the copy writes.
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
