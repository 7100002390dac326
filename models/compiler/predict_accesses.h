#pragma once

// Counts the register accesses of a program at each level of the register hierarchy. Each 32-bit word of an
// operand counts as one access.

#include <array>
#include <cstdint>
#include <functional>

#include "models/compiler/analyses/access_energy.h"
#include "models/isa/program.h"

namespace heddle::compiler {

struct LevelAccesses {
  /// Numbers of accesses. First index: level of the register hierarchy (isa::kMainLevel and others). Second
  /// index: 0 for accesses by ALU instructions (private datapath), 1 for accesses by instructions of shared
  /// units (SFU, memory).
  std::array<std::array<std::uint64_t, 2>, 3> reads{}, writes{};
  std::uint64_t read(int level) const {
    return reads[static_cast<std::size_t>(level)][0] + reads[static_cast<std::size_t>(level)][1];
  }
  std::uint64_t written(int level) const {
    return writes[static_cast<std::size_t>(level)][0] + writes[static_cast<std::size_t>(level)][1];
  }
  void add(const isa::Instruction& instruction, std::uint64_t times = 1);
  void add_flat(const isa::Instruction& instruction, std::uint64_t times = 1);
  LevelAccesses& operator+=(const LevelAccesses& other);
  bool operator==(const LevelAccesses&) const = default;
  /// Returns the energy of all accesses in pJ, including wires. Each access counts with the energy of an
  /// access of 128 bits (four 32-bit values). `energy` must come from AccessEnergy::resolved(), which
  /// replaces operand-level energies of 0 by the values of the paper.
  double energy_pj(const AccessEnergy& energy) const;
};

/// Counts the register accesses of one warp. The warp executes instruction n `executions(n)` times, or once if
/// `executions` is empty. Sources of control instructions and of metadata do not pass the operand collectors
/// and are not counted.
LevelAccesses predict_accesses(const isa::Program& program,
                               const std::function<std::uint64_t(std::size_t)>& executions = {});

/// Returns the number of operand-level entries per warp that the program uses: the largest entry number plus
/// 1.
int entries_used(const isa::Program& program);

}  // namespace heddle::compiler
