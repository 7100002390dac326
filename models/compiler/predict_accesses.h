#pragma once

// Counts the register accesses of a program by level of the register hierarchy, from the annotations of its
// operands. Each 32-bit word of an operand counts as one access.

#include <array>
#include <cstdint>
#include <functional>

#include "models/compiler/analyses/access_energy.h"
#include "models/isa/program.h"

namespace heddle::compiler {

struct LevelAccesses {
  /// Accesses by level (isa::kMainLevel and others), then by unit: [0] private datapath, [1] shared units
  /// (SFU, memory).
  std::array<std::array<std::uint64_t, 2>, 3> reads{}, writes{};
  std::uint64_t read(int level) const {
    return reads[static_cast<std::size_t>(level)][0] + reads[static_cast<std::size_t>(level)][1];
  }
  std::uint64_t written(int level) const {
    return writes[static_cast<std::size_t>(level)][0] + writes[static_cast<std::size_t>(level)][1];
  }
  void add(const isa::Instruction& instruction, std::uint64_t times = 1);
  /// Adds the accesses of an instruction as if all its operands were in the main register file.
  void add_flat(const isa::Instruction& instruction, std::uint64_t times = 1);
  LevelAccesses& operator+=(const LevelAccesses& other);
  bool operator==(const LevelAccesses&) const = default;
  /// Returns the energy of all accesses in pJ, including wires, where one access moves 128 bits. `energy`
  /// must have been completed by AccessEnergy::resolved().
  double energy_pj(const AccessEnergy& energy) const;
};

/// Returns the register accesses of one warp that executes instruction n `executions(n)` times with at least
/// one active lane. Without `executions`, each instruction counts once, as in a program without branches and
/// guards. Sources of control instructions and of metadata do not count, because they do not use the register
/// port.
LevelAccesses predict_accesses(const isa::Program& program,
                               const std::function<std::uint64_t(std::size_t)>& executions = {});

/// Returns how many operand-level entries per warp the program uses: the largest entry number plus 1.
int entries_used(const isa::Program& program);

}  // namespace heddle::compiler
