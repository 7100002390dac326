#pragma once

// A small kernel with labels. Tests compare its annotations with expected ones that were derived by hand.

#include <string>
#include <utility>
#include <vector>

#include "models/compiler/analyses/control_flow.h"
#include "models/isa/program.h"

namespace heddle::compiler::test {

class AnnotatedKernel {
 public:
  /// Compiles `body` as bare_kernel does, with declarations of %r0..%r29, %d0..%d9 and %p0..%p9 before it.
  /// `passes` are JSON texts.
  AnnotatedKernel(const std::string& body, const std::vector<std::string>& passes);

  const isa::Program& program() const { return program_; }
  std::size_t at(const std::string& label) const;
  /// Returns level_text of the instruction at the label.
  std::string levels(const std::string& label) const;
  /// Returns "ends", "ends waits" or "" for the instruction at the label; end_before for the instruction
  /// before it.
  std::string end(const std::string& label) const;
  std::string end_before(const std::string& label) const;
  int strand(const std::string& label) const;
  /// Expects level_text at each label.
  void expect(const std::vector<std::pair<std::string, std::string>>& by_label) const;
  /// Returns the words read and written above the main file if each instruction executes once.
  int upper_accesses() const;

 private:
  std::string end_of(std::size_t n) const;
  isa::Program program_;
  std::vector<int> strands_;
};

/// Returns the pass operand-file with this number of entries. `on` switches options on: p partial ranges, r
/// read operands, f forward branches. Energies in pJ of a read and a write are those of Gebhart 2012, Table IV,
/// without wires: 8 and 11 of the main file, 1.2 and 4.4 of the operand level, 0.7 and 2 of the last-result
/// level. `more` is further JSON members, each after a comma.
std::string operand_file(int entries, const std::string& on, const std::string& more = "");
/// Returns the pass scratchpad with the same energies.
std::string scratchpad(int entries, const std::string& more = "");

}  // namespace heddle::compiler::test
