#pragma once

// A small kernel with labelled instructions. Tests compare the register-hierarchy annotations of these
// instructions with annotations that were derived by hand.

#include <string>
#include <utility>
#include <vector>

#include "models/compiler/analyses/control_flow.h"
#include "models/isa/program.h"

namespace heddle::compiler::test {

class AnnotatedKernel {
 public:
  /// Compiles `body`, to which declarations of %r0..%r29, %d0..%d9 and %p0..%p9 are added. `passes`: the
  /// compiler passes, as JSON texts.
  AnnotatedKernel(const std::string& body, const std::vector<std::string>& passes);

  const isa::Program& program() const { return program_; }
  std::size_t at(const std::string& label) const;
  std::string levels(const std::string& label) const;
  /// end() returns the strand end at the labelled instruction, end_before() the strand end at the instruction
  /// before it: "ends", "ends waits" (the strand ends, and the warp waits for long-latency results), or "" if
  /// no strand ends there.
  std::string end(const std::string& label) const;
  std::string end_before(const std::string& label) const;
  int strand(const std::string& label) const;
  void expect(const std::vector<std::pair<std::string, std::string>>& by_label) const;
  /// Returns the number of words that instructions read from or write to levels above the main register file.
  /// Counts each instruction once.
  int upper_accesses() const;

 private:
  std::string end_of(std::size_t n) const;
  isa::Program program_;
  std::vector<int> strands_;
};

/// Returns the pass operand-file as JSON. Letters in `on` switch options of the pass on: p partial ranges, r
/// read operands, f forward branches. The energies of a read and of a write are those of Gebhart 2012, Table
/// IV, without wires. They are 8 and 11 pJ for the main file, 1.2 and 4.4 pJ for the operand file, 0.7 and 2
/// pJ for the last-result level. `more`: further JSON members, each with a comma before it.
std::string operand_file(int entries, const std::string& on, const std::string& more = "");
/// Returns the JSON text of the pass scratchpad, with the same energies as operand_file().
std::string scratchpad(int entries, const std::string& more = "");

}  // namespace heddle::compiler::test
