#pragma once

// Small kernels with labels, compiled as written, whose annotations tests compare with what they expect by
// hand.

#include <string>
#include <utility>
#include <vector>

#include "models/compiler/analyses/control_flow.h"
#include "models/isa/program.h"

namespace heddle::compiler::test {

class AnnotatedKernel {
 public:
  /// `body` as in bare_kernel (declarations of %r0..%r29, %d0..%d9, %p0..%p9 precede it); `passes` as JSON
  /// texts.
  AnnotatedKernel(const std::string& body, const std::vector<std::string>& passes);

  const isa::Program& program() const { return program_; }
  std::size_t at(const std::string& label) const;
  /// level_text of the instruction at the label.
  std::string levels(const std::string& label) const;
  /// "ends", "ends waits", or empty; of the instruction in front of a label with `before`.
  std::string end(const std::string& label) const;
  std::string end_before(const std::string& label) const;
  int strand(const std::string& label) const;
  /// Expects level_text at each label.
  void expect(const std::vector<std::pair<std::string, std::string>>& by_label) const;
  /// Words read and written above main, whole program once.
  int upper_accesses() const;

 private:
  std::string end_of(std::size_t n) const;
  isa::Program program_;
  std::vector<int> strands_;
};

/// The pass operand-file with N entries and, of its options, those named in `on`: p partial ranges, r read
/// operands, f forward branches. Without wire energies, for savings by hand: main 8 / 11 pJ, operand
/// level 1.2 / 4.4 (Gebhart 2012, Table IV), last-result level 0.7 / 2. `more` is further JSON members, each
/// with a comma in front.
std::string operand_file(int entries, const std::string& on, const std::string& more = "");
/// The pass scratchpad, with the same energies.
std::string scratchpad(int entries, const std::string& more = "");

}  // namespace heddle::compiler::test
