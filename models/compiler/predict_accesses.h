#pragma once

// Register accesses by level according to the annotations, one for each word of each operand.

#include <array>
#include <cstdint>
#include <functional>

#include "models/compiler/analyses/access_energy.h"
#include "models/isa/program.h"

namespace heddle::compiler {

struct LevelAccesses {
  /// By level (isa::kMainLevel, ...) and by unit: private datapath, shared units.
  std::array<std::array<std::uint64_t, 2>, 3> reads{}, writes{};
  std::uint64_t read(int level) const {
    return reads[static_cast<std::size_t>(level)][0] + reads[static_cast<std::size_t>(level)][1];
  }
  std::uint64_t written(int level) const {
    return writes[static_cast<std::size_t>(level)][0] + writes[static_cast<std::size_t>(level)][1];
  }
  void add(const isa::Instruction& instruction, std::uint64_t times = 1);
  /// Counts the accesses as if all operands were in main.
  void add_flat(const isa::Instruction& instruction, std::uint64_t times = 1);
  LevelAccesses& operator+=(const LevelAccesses& other);
  bool operator==(const LevelAccesses&) const = default;
  /// Returns the energy in pJ for 128 bits per access, including wires. `energy` must be resolved.
  double energy_pj(const AccessEnergy& energy) const;
};

/// Returns the accesses of one warp that executes instruction n `executions(n)` times with at least one lane.
/// Without `executions`, each instruction counts once, as in a program without branches and guards. Sources
/// of control instructions and metadata do not count, because they do not use the register port.
LevelAccesses predict_accesses(const isa::Program& program,
                               const std::function<std::uint64_t(std::size_t)>& executions = {});

/// Returns the number of operand-level entries that the program uses: the largest entry number + 1.
int entries_used(const isa::Program& program);

}  // namespace heddle::compiler
