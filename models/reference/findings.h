#pragma once

// Collects the findings of the checks of a reference run. A finding is a line of text about a pair of
// instructions, and each pair is reported once. All findings are counted by kind, but only the first
// findings, up to the limit, keep their text.

#include <array>
#include <cstdint>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "models/isa/launch.h"
#include "models/reference/check_kinds.h"

namespace heddle::reference {

class Findings {
 public:
  static constexpr std::uint64_t kDefaultLimit = 16;
  explicit Findings(std::uint64_t limit = kDefaultLimit) : limit_(limit) {}

  /// Reports a finding once for each pair of `first` and `second`, which are indices of instructions or
  /// numbers that the check defines. `text`: function that returns the line of the finding.
  template <class Text>
  void report(CheckKind kind, const isa::Program& program, std::uint32_t first, std::uint32_t second,
              const Text& text) {
    if (is_new(kind, program, first, second)) keep(kind, program, text());
  }
  const std::vector<std::string>& lines() const { return lines_; }
  std::uint64_t total() const;
  std::uint64_t further() const { return total() - lines_.size(); }
  std::string summary() const;

 private:
  bool is_new(CheckKind kind, const isa::Program& program, std::uint32_t first, std::uint32_t second) {
    const bool added = known_.emplace(program.kernel, first, second, kind).second;
    counts_[static_cast<std::size_t>(kind)] += added;
    return added;
  }
  void keep(CheckKind kind, const isa::Program& program, const std::string& text);

  std::uint64_t limit_;
  std::set<std::tuple<std::string, std::uint32_t, std::uint32_t, CheckKind>> known_;
  std::array<std::uint64_t, kCheckKinds.size()> counts_{};
  std::vector<std::string> lines_;
};

/// Returns a text that names an instruction, such as `line 12 "st.shared.u32 [%r1], %r2"`.
std::string line_of(const isa::Program& program, std::uint32_t pc);

}  // namespace heddle::reference
