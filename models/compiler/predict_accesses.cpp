#include "models/compiler/predict_accesses.h"

#include <algorithm>

#include "models/isa/operand_entry.h"

namespace heddle::compiler {

using isa::Instruction;
using isa::Operand;

namespace {

constexpr std::size_t kLevels = 3;

// Returns true if the instruction reads its operands through the operand collectors. Operands of control
// instructions are read directly by the issue stage.
bool reads_through_port(const Instruction& i) { return i.unit != isa::UnitClass::control; }

std::uint8_t effective(std::uint8_t levels) { return levels == 0 ? isa::level_bit(isa::kMainLevel) : levels; }

}  // namespace

void LevelAccesses::add(const Instruction& i, std::uint64_t times) {
  if (i.metadata) return;
  const std::size_t shared = is_shared_unit(i);
  for (const Operand& o : i.sources()) {
    if (!reads_through_port(i)) break;
    const std::uint64_t words = static_cast<std::uint64_t>(o.words()) * times;
    reads[o.annotation.read_level][shared] += words;
    for (std::size_t level = 0; level < kLevels; ++level)
      if (o.annotation.write_levels & isa::level_bit(static_cast<std::uint8_t>(level)))
        writes[level][shared] += words;
  }
  for (const Operand& o : i.destinations())
    for (std::size_t level = 0; level < kLevels; ++level)
      if (effective(o.annotation.write_levels) & isa::level_bit(static_cast<std::uint8_t>(level)))
        writes[level][shared] += static_cast<std::uint64_t>(o.words()) * times;
}

void LevelAccesses::add_flat(const Instruction& i, std::uint64_t times) {
  if (i.metadata) return;
  for (const Operand& o : i.sources())
    if (reads_through_port(i))
      reads[isa::kMainLevel][is_shared_unit(i)] += static_cast<std::uint64_t>(o.words()) * times;
  for (const Operand& o : i.destinations())
    writes[isa::kMainLevel][is_shared_unit(i)] += static_cast<std::uint64_t>(o.words()) * times;
}

LevelAccesses& LevelAccesses::operator+=(const LevelAccesses& other) {
  for (std::size_t level = 0; level < kLevels; ++level) {
    for (std::size_t unit = 0; unit < 2; ++unit) {
      reads[level][unit] += other.reads[level][unit];
      writes[level][unit] += other.writes[level][unit];
    }
  }
  return *this;
}

double LevelAccesses::energy_pj(const AccessEnergy& energy) const {
  double sum = 0;
  for (int level = 0; level < static_cast<int>(kLevels); ++level) {
    for (const bool shared : {false, true}) {
      const auto l = static_cast<std::size_t>(level);
      sum += static_cast<double>(reads[l][shared]) * energy.read(level, shared);
      sum += static_cast<double>(writes[l][shared]) * energy.write(level, shared);
    }
  }
  return sum;
}

LevelAccesses predict_accesses(const isa::Program& program,
                               const std::function<std::uint64_t(std::size_t)>& executions) {
  LevelAccesses sum;
  for (std::size_t n = 0; n < program.code.size(); ++n)
    sum.add(program.code[n], executions ? executions(n) : 1);
  return sum;
}

int entries_used(const isa::Program& program) {
  int most = 0;
  const auto look = [&](const Operand& o, bool used) {
    if (used) most = std::max(most, static_cast<int>(isa::end_of_entries(o)));
  };
  const std::uint8_t bit = isa::level_bit(isa::kOperandLevel);
  for (const Instruction& i : program.code) {
    for (const Operand& o : i.sources())
      look(o, o.annotation.read_level == isa::kOperandLevel || (o.annotation.write_levels & bit) != 0);
    for (const Operand& o : i.destinations()) look(o, (o.annotation.write_levels & bit) != 0);
  }
  return most;
}

}  // namespace heddle::compiler
