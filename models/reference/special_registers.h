#pragma once

// Values of special registers in the reference (docs/reference.md).

#include <cstdint>

#include "models/core/lanes.h"
#include "models/isa/launch.h"

namespace heddle::reference {

/// Position of a warp in its launch.
struct WarpPlace {
  const isa::KernelLaunch* launch = nullptr;
  isa::Dim3 cta;
  std::uint32_t warp = 0;                           ///< index in the CTA
  const isa::MachineReads::Cta* machine = nullptr;  ///< place of the timed CTA; nullptr: untimed
};

/// Clocks that a warp read on the timed machine. Without them, counters return warp-instructions.
struct WarpClock {
  isa::MachineReads* reads = nullptr;
  isa::MachineReads::Warp* warp = nullptr;
};

/// Returns the position of thread `linear` in its CTA.
isa::Dim3 thread_position(const isa::Dim3& block, std::uint32_t linear);
/// Returns the position of CTA `linear` in its grid.
isa::Dim3 cta_position(const isa::Dim3& grid, std::uint64_t linear);

/// True for %clock and %globaltimer registers, whose value changes with every instruction.
bool is_counter(isa::SpecialRegister special);

/// True for registers that differ between the CTAs of a launch. Others depend at most on the warp's index in
/// its CTA.
bool differs_by_cta(isa::SpecialRegister special);

/// Sets both words of a counter that `lanes` read by `instruction` at `steps` warp-instructions.
void fill_counter(isa::SpecialRegister special, const isa::Instruction& instruction, LaneMask lanes,
                  const WarpClock& clock, std::uint64_t steps, LaneVec (&words)[2]);

/// Sets the low word of `special` in every lane, cut to `bits` bits. `index` is n of %envreg<n>. The high
/// word of these registers is 0.
void fill_special(isa::SpecialRegister special, std::uint8_t index, int bits, const WarpPlace& place,
                  LaneVec& into);

}  // namespace heddle::reference
