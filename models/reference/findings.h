#pragma once

// Collects the findings of the checks of a reference run, for example races. There is one line for each kind
// of finding and pair of instructions. Only the first kMost lines are kept.

#include <cstdint>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "models/isa/launch.h"

namespace heddle::reference {

class Findings {
 public:
  static constexpr std::size_t kMost = 16;
  enum Kind { kUnwritten, kRace, kOtherCta, kRegister, kPartial, kAtomicOrder, kLaneValues, kLanes };

  /// Adds a finding. `first` and `second`: indices of the two instructions that the text names. For the kind
  /// kRegister, `second` is the number of a register instead.
  void report(const isa::Program& program, std::uint32_t first, std::uint32_t second, Kind kind,
              const std::string& text);
  const std::vector<std::string>& lines() const { return lines_; }
  std::uint64_t further() const { return further_; }  ///< Returns the number of findings that were not kept.

 private:
  std::set<std::tuple<std::string, std::uint32_t, std::uint32_t, Kind>> known_;
  std::vector<std::string> lines_;
  std::uint64_t further_ = 0;
};

/// Returns a text such as `line 12 "st.shared.u32 [%r1], %r2"`.
std::string line_of(const isa::Program& program, std::uint32_t pc);

}  // namespace heddle::reference
