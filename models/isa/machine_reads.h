#pragma once

// Values that a timed launch has read from the modelled GPU: SM and warp slot of each CTA, and each value of
// a clock register. The untimed reference uses these values, so that a kernel computes the same results in
// both runs. A read is identified by CTA, warp, position in the PTX, and the number of times that each lane
// has executed this position.

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
  /// Position of a read in the PTX: the instruction's line and column (packed into one number), and the
  /// special register.
  using Site = std::pair<std::uint64_t, SpecialRegister>;
  struct Read {
    std::uint64_t value = 0;
    LaneMask lanes = 0;
    LaneMask left = 0;
  };
  struct Reads {
    std::vector<Read> all;
    std::size_t first_left = 0;
  };
  /// Difference between the reads of clock and placement registers in the untimed reference and in the timed
  /// run. `lanes`: number of lanes that read a register a different number of times. `line`: PTX line of one
  /// of these reads.
  struct Mismatch {
    std::uint64_t lanes = 0;
    std::uint32_t line = 0;
  };
  struct Warp {
    std::uint32_t slot = 0;
    std::map<Site, Reads> sites;
    Mismatch missing;
  };
  struct Cta {
    std::uint32_t sm = 0;
    std::vector<Warp> warps;
  };
  MachineReads(const Program& timed, std::uint32_t sms, std::uint32_t warp_slots);

  std::uint32_t sms() const { return static_cast<std::uint32_t>(by_sm_.size()); }
  std::uint32_t warp_slots() const { return warp_slots_; }

  void placed(std::uint32_t sm, std::uint64_t cta, const std::vector<WarpId>& slots);
  void read(std::uint32_t sm, std::uint64_t cta, std::uint32_t warp, const Instruction& instruction,
            SpecialRegister special, LaneMask lanes, std::uint64_t value);

  /// Returns the values that a CTA read from clock and placement registers in the timed launch, and marks all
  /// these values as not used yet. Returns nullptr if the CTA was not timed.
  Cta* begin(std::uint64_t cta);
  using Values = std::array<std::uint64_t, kLanes>;
  /// Writes the next recorded value of each lane in `lanes` to `values`. If a lane has no further recorded
  /// value, its element stays unchanged.
  void take(Warp& warp, const Instruction& instruction, SpecialRegister special, LaneMask lanes,
            Values& values);
  /// Returns the difference between the timed run's and the untimed reference's reads of clock and placement
  /// registers. Recorded values that the reference has not read also count as differences.
  Mismatch mismatch() const;

 private:
  static Site site_of(const Instruction& instruction, SpecialRegister special);

  std::vector<std::unordered_map<std::uint64_t, Cta>> by_sm_;
  std::uint32_t warp_slots_;
  std::set<Site> sites_;
};

}  // namespace heddle::isa
