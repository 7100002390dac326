#pragma once

// Executes asynchronous copies of the reference run at once, without waiting. If a program lacks a wait for a
// copy, the result of its timed run can therefore differ from the reference.

#include "models/reference/lane_accesses.h"

namespace heddle::reference {

class CopyInstructions {
 public:
  CopyInstructions(const DecodedProgram& decoded, LaneAccesses& accesses, Progress& progress)
      : decoded_(decoded), accesses_(accesses), progress_(progress) {}

  void execute(const WarpState& warp, const DecodedInstruction& d, LaneMask executing);

 private:
  const DecodedProgram& decoded_;
  LaneAccesses& accesses_;
  Progress& progress_;
};

}  // namespace heddle::reference
