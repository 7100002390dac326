#include "models/scheduler/scoreboard.h"

#include <fmt/format.h>

#include "models/core/error.h"

namespace heddle {

std::vector<InstructionFootprint> footprints_of(const isa::Program& program) {
  if (program.registers > 255 || program.predicates > 64)
    throw Error(program.file,
                fmt::format("kernel {} uses {} registers and {} predicates", program.kernel,
                            program.registers, program.predicates),
                "at most 255 registers and 64 predicates");
  std::vector<InstructionFootprint> all(program.code.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    const isa::Instruction& in = program.code[i];
    InstructionFootprint& f = all[i];
    const auto words = [&f](const isa::Operand& o, RegisterSet& set, std::uint8_t& count) {
      for (int w = 0; w < o.words(); ++w) set.set(o.reg.value + static_cast<std::uint32_t>(w));
      count = static_cast<std::uint8_t>(count + o.words());
      if (o.words() == 2) f.pair_words = static_cast<std::uint8_t>(f.pair_words + 2);
    };
    for (const isa::Operand& o : in.sources()) {
      words(o, f.reads, f.read_words);
      if (o.is_pred()) f.predicate_reads |= std::uint64_t{1} << o.pred.value;
    }
    for (const isa::Operand& o : in.destinations()) {
      words(o, f.writes, f.write_words);
      if (o.is_pred()) f.predicate_writes |= std::uint64_t{1} << o.pred.value;
    }
    for (std::size_t w = 0; w < kRegisterWords; ++w) f.touches.bits[w] = f.reads.bits[w] | f.writes.bits[w];
    if (in.guard.present) f.predicate_reads |= std::uint64_t{1} << in.guard.pred.value;
    f.memory = in.unit == isa::UnitClass::ldst;
    f.unit = in.unit;
    f.op_class = in.op_class;
    f.barrier = in.op == isa::Opcode::bar;
    f.long_latency = isa::has_long_latency(in);
  }
  return all;
}

bool depends(const InstructionFootprint& later, const InstructionFootprint& earlier) {
  return later.reads.intersects(earlier.writes) || later.writes.intersects(earlier.writes) ||
         later.writes.intersects(earlier.reads) || (later.predicate_reads & earlier.predicate_writes) ||
         (later.predicate_writes & (earlier.predicate_writes | earlier.predicate_reads));
}

void Scoreboard::results_done(const InstructionFootprint& f) {
  pending_writes_.remove(f.writes);
  pending_long_.remove(f.writes);
  pending_predicates_ &= ~f.predicate_writes;
}

void Scoreboard::issue_results(const InstructionFootprint& f) {
  for (std::size_t i = 0; i < kRegisterWords; ++i) {
    pending_writes_.bits[i] |= f.writes.bits[i];
    if (f.long_latency) pending_long_.bits[i] |= f.writes.bits[i];
  }
  pending_predicates_ |= f.predicate_writes;
}

void Scoreboard::take_reads(const isa::Instruction& instruction) {
  for (const isa::Operand& o : instruction.sources())
    for (int w = 0; w < o.words(); ++w) {
      const std::uint32_t r = o.reg.value + static_cast<std::uint32_t>(w);
      if (read_counts_[r]++ == 0) pending_reads_.set(r);
    }
}

void Scoreboard::reads_done(const isa::Instruction& instruction) {
  for (const isa::Operand& o : instruction.sources())
    for (int w = 0; w < o.words(); ++w) {
      const std::uint32_t r = o.reg.value + static_cast<std::uint32_t>(w);
      if (--read_counts_[r] == 0) pending_reads_.clear(r);
    }
}

}  // namespace heddle
