#pragma once

// Values that a timed launch read from its machine: the SM and warp slot of each CTA, and each value of a
// clock register. The timed SMs record these values, and the untimed reference uses them, so that a kernel
// computes the same results from them in both runs. A recorded read is identified by its CTA, its warp, its
// place in the PTX and, for each lane, by how often the lane has executed this place. The order of lanes and
// warps may therefore differ between both runs. SMs may record at the same time, because each SM has its own
// storage.

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
  /// Place of a read in the PTX: line and column of the instruction (packed into one number), and the special
  /// register.
  using Site = std::pair<std::uint64_t, SpecialRegister>;
  /// One value that a special register had, and the lanes that read this value together.
  struct Read {
    std::uint64_t value = 0;
    LaneMask lanes = 0;
    LaneMask left = 0;  ///< lanes for which the reference has not yet used the value
  };
  struct Reads {
    std::vector<Read> all;
    std::size_t first_left = 0;
  };
  /// Difference between the reads of both runs: the number of lanes that read more or less often in the
  /// reference than on the timed machine, and the PTX line of one such read.
  struct Mismatch {
    std::uint64_t lanes = 0;
    std::uint32_t line = 0;
  };
  struct Warp {
    std::uint32_t slot = 0;  ///< warp slot on the SM, the value of %warpid
    std::map<Site, Reads> sites;
    /// Reads of the reference for which the timed run recorded no value, since begin() of the CTA.
    Mismatch missing;
  };
  struct Cta {
    std::uint32_t sm = 0;
    std::vector<Warp> warps;
  };
  /// `timed`: the program that the timed machine executes. Compiler passes may have removed reads whose value
  /// is not used from this program.
  MachineReads(const Program& timed, std::uint32_t sms, std::uint32_t warp_slots);

  std::uint32_t sms() const { return static_cast<std::uint32_t>(by_sm_.size()); }
  std::uint32_t warp_slots() const { return warp_slots_; }

  // Functions for the timed SMs, which record values.
  void placed(std::uint32_t sm, std::uint64_t cta, const std::vector<WarpId>& slots);
  void read(std::uint32_t sm, std::uint64_t cta, std::uint32_t warp, const Instruction& instruction,
            SpecialRegister special, LaneMask lanes, std::uint64_t value);

  // Functions for the reference, which uses the recorded values.
  /// Returns the recorded values of a CTA, all of them unused again; nullptr if the CTA was not timed.
  Cta* begin(std::uint64_t cta);
  using Values = std::array<std::uint64_t, kLanes>;
  /// Writes to `values` the next recorded value of each of `lanes` for this read. A lane without a further
  /// recorded value keeps its entry of `values`.
  void take(Warp& warp, const Instruction& instruction, SpecialRegister special, LaneMask lanes,
            Values& values);
  /// Returns the difference between the reads of the timed run and of the reference, over all CTAs that the
  /// reference has executed since begin(). Recorded values that the reference did not use count as well.
  Mismatch mismatch() const;

 private:
  static Site site_of(const Instruction& instruction, SpecialRegister special);

  std::vector<std::unordered_map<std::uint64_t, Cta>> by_sm_;
  std::uint32_t warp_slots_;
  std::set<Site> sites_;  ///< reads of clock registers in the timed program
};

}  // namespace heddle::isa
