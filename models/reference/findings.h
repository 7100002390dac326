#pragma once

// Findings of the checks of a reference run. There is one line per kind and pair of instructions; only the
// first kMost lines are kept.

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

  /// `first` and `second`: instructions in the text. For kRegister, `second` is a register.
  void report(const isa::Program& program, std::uint32_t first, std::uint32_t second, Kind kind,
              const std::string& text);
  const std::vector<std::string>& lines() const { return lines_; }
  std::uint64_t further() const { return further_; }  ///< number of findings that were dropped

 private:
  std::set<std::tuple<std::string, std::uint32_t, std::uint32_t, Kind>> known_;
  std::vector<std::string> lines_;
  std::uint64_t further_ = 0;
};

/// Returns a text such as `line 12 "st.shared.u32 [%r1], %r2"`.
std::string line_of(const isa::Program& program, std::uint32_t pc);

}  // namespace heddle::reference
