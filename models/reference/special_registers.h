#pragma once

// Values of special registers in the reference (README.md).

#include <cstdint>

#include "models/core/lanes.h"
#include "models/isa/launch.h"

namespace heddle::reference {

/// Where a warp stands in its launch.
struct WarpPlace {
  const isa::KernelLaunch* launch = nullptr;
  isa::Dim3 cta;
  std::uint32_t warp = 0;  ///< of the CTA
};

/// Position of thread `linear` of a CTA.
isa::Dim3 thread_position(const isa::Dim3& block, std::uint32_t linear);
/// Position of CTA `linear` of a grid.
isa::Dim3 cta_position(const isa::Dim3& grid, std::uint64_t linear);

/// True for registers whose value changes from one instruction to the next (%clock and %globaltimer).
bool is_counter(isa::SpecialRegister special);

/// True for registers whose value is another in each CTA of a launch; the others depend on the warp's number at most.
bool differs_by_cta(isa::SpecialRegister special);

/// Both words of a counter at `steps`, for all lanes.
void fill_counter(isa::SpecialRegister special, std::uint64_t steps, LaneVec (&words)[2]);

/// The low word of `special` (`index`: of %envreg) in every lane, cut to `bits`; the high word is zero for all of them.
void fill_special(isa::SpecialRegister special, std::uint8_t index, int bits, const WarpPlace& place,
                  LaneVec& into);

}  // namespace heddle::reference
