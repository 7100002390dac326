#pragma once

// Computes the values of special registers in the reference (docs/reference.md).

#include <cstdint>

#include "models/core/lanes.h"
#include "models/isa/launch.h"

namespace heddle::reference {

struct WarpPlace {
  const isa::KernelLaunch* launch = nullptr;
  isa::Dim3 cta;
  std::uint32_t warp = 0;
  /// Special-register values that the CTA read in the timed run; nullptr without a timed run.
  const isa::MachineReads::Cta* machine = nullptr;
};

/// Values that the warp read from clock registers in the timed run. Without a timed run, clock registers return
/// the number of warp-instructions.
struct WarpClock {
  isa::MachineReads* reads = nullptr;
  isa::MachineReads::Warp* warp = nullptr;
};

isa::Dim3 thread_position(const isa::Dim3& block, std::uint32_t linear);
isa::Dim3 cta_position(const isa::Dim3& grid, std::uint64_t linear);

/// Returns true for %clock and %globaltimer registers, whose value changes with every instruction.
bool is_counter(isa::SpecialRegister special);

/// Returns true for special registers whose value differs between CTAs of a launch. The values of all other
/// special registers depend only on the launch and the warp's index in its CTA.
bool differs_by_cta(isa::SpecialRegister special);

/// Computes both words of a clock register that `lanes` read by `instruction`. `steps`: number of
/// warp-instructions executed so far.
void fill_counter(isa::SpecialRegister special, const isa::Instruction& instruction, LaneMask lanes,
                  const WarpClock& clock, std::uint64_t steps, LaneVec (&words)[2]);

/// Computes the low word of `special` for every lane, reduced to `bits` bits; the high word is 0. `index`: n
/// of %envreg<n>.
void fill_special(isa::SpecialRegister special, std::uint8_t index, int bits, const WarpPlace& place,
                  LaneVec& into);

}  // namespace heddle::reference
