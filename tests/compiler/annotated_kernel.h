#pragma once

// A small kernel with labels. Tests compare the annotations of its instructions with expected ones that were
// derived by hand.

#include <string>
#include <utility>
#include <vector>

#include "models/compiler/analyses/control_flow.h"
#include "models/isa/program.h"

namespace heddle::compiler::test {

class AnnotatedKernel {
 public:
  /// Compiles `body` as bare_kernel() does, with declarations of %r0..%r29, %d0..%d9 and %p0..%p9 in front of
  /// it. `passes`: compiler passes as JSON texts.
  AnnotatedKernel(const std::string& body, const std::vector<std::string>& passes);

  const isa::Program& program() const { return program_; }
  std::size_t at(const std::string& label) const;
  /// Returns the annotations of the instruction at the label, in the form of level_text().
  std::string levels(const std::string& label) const;
  /// end(): returns "ends", "ends waits" or "" for the strand end of the instruction at the label.
  /// end_before(): the same for the instruction in front of the label.
  std::string end(const std::string& label) const;
  std::string end_before(const std::string& label) const;
  int strand(const std::string& label) const;
  /// Checks the annotations (in the form of level_text()) of the instructions at these labels.
  void expect(const std::vector<std::pair<std::string, std::string>>& by_label) const;
  /// Returns the number of words read from and written to levels other than the main register file, if each
  /// instruction executes once.
  int upper_accesses() const;

 private:
  std::string end_of(std::size_t n) const;
  isa::Program program_;
  std::vector<int> strands_;
};

/// Returns the JSON text of the pass operand-file with this number of entries. `on` switches options on: p
/// partial ranges, r read operands, f forward branches. The energies in pJ of a read and a write are those of
/// Gebhart 2012, Table IV, without wires: 8 and 11 for the main file, 1.2 and 4.4 for the operand file, 0.7
/// and 2 for the last-result level. `more`: further JSON members, each after a comma.
std::string operand_file(int entries, const std::string& on, const std::string& more = "");
/// Returns the JSON text of the pass scratchpad, with the same energies as operand_file().
std::string scratchpad(int entries, const std::string& more = "");

}  // namespace heddle::compiler::test
