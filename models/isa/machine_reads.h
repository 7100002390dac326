#pragma once

// What a timed launch read of its machine: where each CTA ran, and each value of a clock. The timed SMs record it; the
// untimed reference takes the values, so that what a kernel computes from them agrees. A read is known by its CTA, its
// warp, its place in the PTX and, for each lane, its position among the lane's reads there: the order of lanes and
// warps may differ between both runs. SMs may record at the same time, each into its own part.

#include <array>
#include <map>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

#include "models/core/ids.h"
#include "models/core/lanes.h"
#include "models/isa/program.h"

namespace heddle::isa {

class MachineReads {
 public:
  /// Line and column in the PTX, and the register.
  using Site = std::pair<std::uint64_t, SpecialRegister>;
  /// One value, and the lanes that read it.
  struct Read {
    std::uint64_t value = 0;
    LaneMask lanes = 0;
    LaneMask left = 0;  ///< lanes that have not taken it
  };
  struct Reads {
    std::vector<Read> all;
    std::size_t first_left = 0;
  };
  /// Lanes that read more, or less often than on the timed machine, and the line of one such read.
  struct Mismatch {
    std::uint64_t lanes = 0;
    std::uint32_t line = 0;
  };
  struct Warp {
    std::uint32_t slot = 0;  ///< %warpid
    std::map<Site, Reads> sites;
    Mismatch missing;  ///< reads without a value, since begin()
  };
  struct Cta {
    std::uint32_t sm = 0;
    std::vector<Warp> warps;
  };
  /// `timed`: as the machine executes it; passes may have removed reads whose value is not used.
  MachineReads(const Program& timed, std::uint32_t sms, std::uint32_t warp_slots);

  std::uint32_t sms() const { return static_cast<std::uint32_t>(by_sm_.size()); }
  std::uint32_t warp_slots() const { return warp_slots_; }

  // The timed machine's side.
  void placed(std::uint32_t sm, std::uint64_t cta, const std::vector<WarpId>& slots);
  void read(std::uint32_t sm, std::uint64_t cta, std::uint32_t warp, const Instruction& instruction,
            SpecialRegister special, LaneMask lanes, std::uint64_t value);

  // The reference's side.
  /// nullptr for a CTA that was not timed. All its values can be taken again.
  Cta* begin(std::uint64_t cta);
  using Values = std::array<std::uint64_t, kLanes>;
  /// The next value of each lane of `lanes` at this read; a lane without one keeps what `values` holds.
  void take(Warp& warp, const Instruction& instruction, SpecialRegister special, LaneMask lanes,
            Values& values);
  /// Since begin() of all CTAs that the reference has executed; values that it has not taken count too.
  Mismatch mismatch() const;

 private:
  static Site site_of(const Instruction& instruction, SpecialRegister special);

  std::vector<std::unordered_map<std::uint64_t, Cta>> by_sm_;
  std::uint32_t warp_slots_;
  std::set<Site> sites_;  ///< of the timed program
};

}  // namespace heddle::isa
