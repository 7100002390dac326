// Tests how Heddle determines, from a program's loops and instructions, whether divergent threads of a warp
// may wait for each other and so must make progress independently.

#include "models/isa/thread_progress.h"

#include <gtest/gtest.h>

namespace heddle::isa {
namespace {

Program loop_over(Opcode op, AtomicOp atomic, Ordering ordering, std::uint64_t added) {
  Program program;
  program.sm = 75;
  Instruction access;
  access.op = op;
  access.modifiers.atomic = atomic;
  access.memory.space = Space::global;
  access.memory.ordering = ordering;
  access.add_src(Operand::make_reg(RegId(0), 64));
  access.add_src(Operand::make_immediate(added, 32));
  Instruction back;
  back.op = Opcode::bra;
  back.target = 0;
  program.code = {access, back};
  return program;
}

TEST(ThreadProgress, LoopsThatTestWordsOfOthersWait) {
  const auto waits = [](Opcode op, AtomicOp atomic, Ordering ordering = Ordering::weak,
                        std::uint64_t added = 1) -> bool {
    return waiting_branches(loop_over(op, atomic, ordering, added))[1];
  };
  EXPECT_TRUE(waits(Opcode::atom, AtomicOp::cas));
  EXPECT_TRUE(waits(Opcode::atom, AtomicOp::exch));
  EXPECT_TRUE(waits(Opcode::atom, AtomicOp::add, Ordering::weak, 0));
  EXPECT_TRUE(waits(Opcode::ld, AtomicOp::none, Ordering::volatile_));
  EXPECT_TRUE(waits(Opcode::ld, AtomicOp::none, Ordering::acquire));
  // A loop with a plain atomic addition may take the next piece of work in each iteration, so it counts as no
  // waiting loop.
  EXPECT_FALSE(waits(Opcode::atom, AtomicOp::add));
  EXPECT_FALSE(waits(Opcode::ld, AtomicOp::none));
  EXPECT_FALSE(waits(Opcode::red, AtomicOp::add));
}

TEST(ThreadProgress, TheTargetDecidesUnlessTheConfigurationDoes) {
  Program program = loop_over(Opcode::atom, AtomicOp::cas, Ordering::weak, 1);
  EXPECT_TRUE(has_thread_progress(program, thread_progress_of("by-target")));
  EXPECT_FALSE(has_thread_progress(program, thread_progress_of("off")));
  program.sm = 61;
  EXPECT_FALSE(has_thread_progress(program, thread_progress_of("by-target")));
  EXPECT_TRUE(has_thread_progress(program, thread_progress_of("on")));
}

// Compiler passes may mark where values end (last use, end of a strand). These marks assume that divergent
// paths run in the order of the SIMT stack, so independent progress of threads must be switched off.
TEST(ThreadProgress, NotesAboutTheEndOfValuesSwitchItOff) {
  Program program = loop_over(Opcode::atom, AtomicOp::cas, Ordering::weak, 1);
  program.code[0].src[0].annotation.last_use = true;
  EXPECT_FALSE(has_thread_progress(program, ThreadProgress::on));
  program.code[0].src[0].annotation.last_use = false;
  program.code[1].ends_strand = true;
  EXPECT_FALSE(has_thread_progress(program, ThreadProgress::on));
}

}  // namespace
}  // namespace heddle::isa
