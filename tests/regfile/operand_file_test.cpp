// Tests the register stage operand-file, with one test for each rule. Instructions write and read the stage's
// entries in program order, as the compiler's annotations state. Entries become invalid at the end of a
// strand.

#include <gtest/gtest.h>

#include "models/core/error.h"
#include "tests/regfile/stage_driver.h"

namespace heddle {
namespace {

using isa::Operand;

constexpr std::uint8_t kMainAndEntry = isa::level_bit(isa::kMainLevel) | isa::level_bit(isa::kOperandLevel);
constexpr std::uint8_t kEntryAlone = isa::level_bit(isa::kOperandLevel);
constexpr std::uint8_t kLastAlone = isa::level_bit(isa::kLastResultLevel);

std::string file(const std::string& options = "") {
  return R"({"type": "operand-file", "read_ports": 0, "write_ports": 0)" +
         (options.empty() ? "" : ", " + options) + "}";
}

class Program {
 public:
  explicit Program(StageRig& rig) : rig_(rig) {}

  struct Op {
    isa::Instruction instruction = make_int_add();
    Op& dst(int reg, std::uint8_t levels, int entry = 0, int slot = 0) {
      Operand o = Operand::make_reg(RegId(static_cast<std::uint32_t>(reg)), 32);
      o.annotation.write_levels = levels;
      o.annotation.entry = static_cast<std::uint8_t>(entry);
      o.annotation.slot = static_cast<std::uint8_t>(slot);
      instruction.add_dst(o);
      return *this;
    }
    Op& src(int reg, std::uint8_t level, int entry = 0, std::uint8_t fills = 0, int slot = 0) {
      Operand o = Operand::make_reg(RegId(static_cast<std::uint32_t>(reg)), 32);
      o.annotation.read_level = level;
      o.annotation.write_levels = fills;
      o.annotation.entry = static_cast<std::uint8_t>(entry);
      o.annotation.slot = static_cast<std::uint8_t>(slot);
      instruction.add_src(o);
      return *this;
    }
  };

  Op& op() { return ops_.emplace_back(); }
  void issue(Cycle cycle, Op& op, LaneMask mask = kAllLanes, int warp = 0) {
    rig_.script().call(cycle, [this, &op, mask, warp] {
      WarpContext context;
      context.warp = WarpId(static_cast<std::uint32_t>(warp));
      InFlight item;
      item.context = &context;
      item.instruction = &op.instruction;
      item.mask = mask;
      rig_.stage(0).issued(item);
    });
  }
  StageDriver::Line& read(Cycle cycle, Op& op, LaneMask mask = kAllLanes, int slot = 0, int warp = 0) {
    const Operand& o = op.instruction.src[static_cast<std::size_t>(slot)];
    StageDriver::Line& line = rig_.read(cycle, warp, static_cast<int>(o.reg.value), mask);
    attach(line, op, o, slot);
    return line;
  }
  StageDriver::Line& write(Cycle cycle, Op& op, std::uint32_t value, LaneMask mask = kAllLanes,
                           int warp = 0) {
    const Operand& o = op.instruction.dst[0];
    StageDriver::Line& line = rig_.write(cycle, warp, static_cast<int>(o.reg.value), value, mask);
    attach(line, op, o, 0);
    return line;
  }

 private:
  static void attach(StageDriver::Line& line, Op& op, const Operand& operand, int slot) {
    line.access.instruction = &op.instruction;
    line.operand.annotation = operand.annotation;
    line.operand.slot = static_cast<std::uint8_t>(slot);
  }
  StageRig& rig_;
  std::deque<Op> ops_;
};

std::string failure(StageRig& rig) {
  try {
    rig.run();
  } catch (const Error& error) {
    return error.what();
  }
  return "none";
}

TEST(OperandFile, LevelsAreWrittenAndReadAsAnnotated) {
  StageRig rig({file(R"("last_result": "unified")")});
  Program p(rig);
  auto& both = p.op().dst(1, kMainAndEntry, 2);
  auto& alone = p.op().dst(2, kEntryAlone, 0);
  auto& last = p.op().dst(3, kLastAlone);
  auto& main = p.op().dst(4, 0);
  auto& use =
      p.op().src(1, isa::kOperandLevel, 2).src(2, isa::kOperandLevel, 0).src(3, isa::kLastResultLevel);
  for (auto* op : {&both, &alone, &last, &main}) p.issue(5, *op);
  p.write(8, both, 11);
  p.write(8, alone, 12);
  p.write(8, last, 13);
  p.write(8, main, 14);
  p.issue(9, use);
  const auto &a = p.read(10, use, kAllLanes, 0), &b = p.read(10, use, kAllLanes, 1),
             &c = p.read(10, use, kAllLanes, 2);
  rig.run();
  EXPECT_EQ(a.lane(0), 11u);
  EXPECT_EQ(b.lane(0), 12u);
  EXPECT_EQ(c.lane(0), 13u);
  EXPECT_EQ(a.data_at(), 11u) << "when an undisturbed read of the banks would come";
  EXPECT_EQ(rig.count("banks.reads"), 0u);
  EXPECT_EQ(rig.count("banks.writes"), 2u);
  EXPECT_EQ(rig.value(1, 0, 1), 11u);
  EXPECT_EQ(rig.value(1, 0, 2), kPoison);
  EXPECT_EQ(rig.value(0, 0, 2), 12u) << "the current value, wherever it is";
  EXPECT_EQ(rig.count("operand_file.operand_private_reads"), 2u);
  EXPECT_EQ(rig.count("operand_file.last_result_private_reads"), 1u);
  EXPECT_EQ(rig.count("operand_file.operand_private_writes"), 2u);
  EXPECT_EQ(rig.count("operand_file.last_result_private_writes"), 1u);
}

TEST(OperandFile, WhatAnEntryDoesNotHoldStopsTheRun) {
  StageRig rig({file()});
  Program p(rig);
  auto& use = p.op().src(1, isa::kOperandLevel, 1);
  p.issue(9, use);
  p.read(10, use);
  EXPECT_NE(failure(rig).find("does not hold it in lanes ffffffff"), std::string::npos);
}

TEST(OperandFile, UncheckedItIsPoison) {
  StageRig rig({file(R"("checked": false)")});
  Program p(rig);
  auto& make = p.op().dst(1, kEntryAlone, 1);
  make.instruction.ends_strand = true;
  auto& use = p.op().src(1, isa::kOperandLevel, 1);
  p.issue(5, make);
  p.write(8, make, 7);
  p.issue(9, use);
  const auto& read = p.read(10, use);
  rig.run();
  EXPECT_EQ(read.lane(5), kPoison);
}

TEST(OperandFile, AnotherRegistersValueIsNoValue) {
  StageRig rig({file()});
  Program p(rig);
  auto& make = p.op().dst(1, kEntryAlone, 1);
  auto& use = p.op().src(2, isa::kOperandLevel, 1);
  p.issue(5, make);
  p.write(8, make, 7);
  p.issue(9, use);
  p.read(10, use);
  EXPECT_NE(failure(rig).find("reads r2 from entry 1"), std::string::npos);
}

TEST(OperandFile, AStaleValueIsNoValue) {
  StageRig rig({file()});
  Program p(rig);
  auto& make = p.op().dst(1, kMainAndEntry, 1);
  auto& again = p.op().dst(1, 0);
  auto& use = p.op().src(1, isa::kOperandLevel, 1);
  p.issue(5, make);
  p.write(8, make, 7);
  p.issue(9, again);
  p.write(10, again, 8, 0xf0u);
  p.issue(11, use);
  p.read(12, use, 0x0fu);
  p.read(13, use, 0xffu);
  EXPECT_NE(failure(rig).find("does not hold it in lanes 000000f0"), std::string::npos);
}

// While a warp is divergent, lanes of one entry may hold different registers. Each lane delivers its own
// register's value.
TEST(OperandFile, LanesOfAnEntryBelongToTheirOwnRegisters) {
  StageRig rig({file()});
  Program p(rig);
  auto& left = p.op().dst(1, kEntryAlone, 0);
  auto& right = p.op().dst(2, kEntryAlone, 0);
  auto& use_left = p.op().src(1, isa::kOperandLevel, 0);
  auto& use_right = p.op().src(2, isa::kOperandLevel, 0);
  p.issue(5, left, 0x0000ffffu);
  p.write(8, left, 7, 0x0000ffffu);
  p.issue(9, right, 0xffff0000u);
  p.write(12, right, 8, 0xffff0000u);
  p.issue(13, use_left, 0x0000ffffu);
  p.issue(13, use_right, 0xffff0000u);
  const auto& a = p.read(14, use_left, 0x0000ffffu);
  const auto& b = p.read(14, use_right, 0xffff0000u);
  rig.run();
  EXPECT_EQ(a.lane(3), 7u);
  EXPECT_EQ(b.lane(30), 8u);
}

TEST(OperandFile, AStrandEndTakesEffectBehindTheReadsBeforeIt) {
  StageRig rig({file()});
  Program p(rig);
  auto& make = p.op().dst(1, kEntryAlone, 1);
  auto& use = p.op().src(1, isa::kOperandLevel, 1);
  auto& end = p.op();
  end.instruction.ends_strand = true;
  auto& next = p.op().dst(2, kEntryAlone, 1);
  auto& use_next = p.op().src(2, isa::kOperandLevel, 1);
  p.issue(5, make);
  p.write(8, make, 7);
  p.issue(9, use);
  p.issue(10, end);
  p.issue(11, next);
  const auto& held = p.write(12, next, 8);
  const auto& read = p.read(20, use);
  p.issue(24, use_next);
  const auto& read_next = p.read(25, use_next);
  rig.run();
  EXPECT_EQ(read.lane(0), 7u);
  EXPECT_EQ(held.accepted_at, 12u);
  EXPECT_EQ(held.answered_at, 20u) << "not before the read that was issued before it";
  EXPECT_EQ(read_next.lane(0), 8u);
  EXPECT_EQ(rig.count("operand_file.held_writes"), 1u);
}

// The operand file sends a result to the banks at once, but writes it into its own entry only after earlier
// reads of this entry. As soon as the operand file has accepted the result, a debug read (transport_dbg) must
// return the result.
TEST(OperandFile, AHeldResultIsTheCurrentValue) {
  StageRig rig({file()});
  Program p(rig);
  auto& make = p.op().dst(1, kEntryAlone, 1);
  auto& use = p.op().src(1, isa::kOperandLevel, 1);
  auto& next = p.op().dst(2, kMainAndEntry, 1);
  p.issue(5, make);
  p.write(8, make, 7);
  p.issue(9, use);
  p.issue(10, next);
  p.write(12, next, 8);
  std::uint32_t current = 0;
  rig.script().call(14, [&] { current = rig.value(0, 0, 2); });
  p.read(20, use);
  rig.run();
  EXPECT_EQ(current, 8u);
  EXPECT_EQ(rig.value(1, 0, 2), 8u);
}

// The next value of an entry may arrive before an older result for the same entry, if no instruction on the
// executed path reads the older result. The older result must then not overwrite the newer value.
TEST(OperandFile, AResultThatComesTooLateDoesNotReplaceANewerOne) {
  StageRig rig({file()});
  Program p(rig);
  auto& slow = p.op().dst(1, kEntryAlone, 1);
  auto& quick = p.op().dst(2, kEntryAlone, 1);
  auto& use = p.op().src(2, isa::kOperandLevel, 1);
  p.issue(5, slow);
  p.issue(6, quick);
  p.write(10, quick, 8);
  p.write(12, slow, 7);
  p.issue(14, use);
  const auto& read = p.read(15, use);
  rig.run();
  EXPECT_EQ(read.lane(0), 8u);
}

TEST(OperandFile, ResultsOfAnEndedStrandFillNoEntry) {
  StageRig rig({file()});
  Program p(rig);
  auto& slow = p.op().dst(1, kMainAndEntry, 1);
  auto& end = p.op();
  end.instruction.ends_strand = true;
  auto& use = p.op().src(1, isa::kOperandLevel, 1);
  p.issue(5, slow);
  p.issue(6, end);
  p.write(12, slow, 7);
  p.issue(14, use);
  p.read(15, use);
  EXPECT_NE(failure(rig).find("does not hold it"), std::string::npos);
}

// The first read fills the entry with the value that the next stage returns. A second read must wait for this
// fill (Gebhart 2012, 5.4).
TEST(OperandFile, ReadsWaitForTheFillBeforeThem) {
  StageRig rig({file()}, R"({"latency_cycles": 6})");
  Program p(rig);
  auto& first = p.op().src(1, isa::kMainLevel, 0, kEntryAlone);
  auto& second = p.op().src(1, isa::kOperandLevel, 0);
  rig.write(3, 0, 1, 42);
  p.issue(9, first);
  p.issue(10, second);
  const auto& a = p.read(10, first);
  const auto& b = p.read(11, second);
  const auto& c = p.read(30, second);
  p.issue(29, second);
  rig.run();
  EXPECT_EQ(a.lane(0), 42u);
  EXPECT_EQ(a.data_at(), 16u);
  EXPECT_EQ(b.lane(0), 42u);
  EXPECT_EQ(b.data_at(), 17u) << "its own time; the fill is there before";
  EXPECT_EQ(c.lane(0), 42u);
  EXPECT_EQ(rig.count("operand_file.fill_waits"), 1u);
  EXPECT_EQ(rig.count("operand_file.operand_fills"), 1u);
  EXPECT_EQ(rig.count("banks.reads"), 1u);
}

// An entry is being filled for a read, and then gets a new value. The read must not return the new value, and
// the fill must not overwrite the new value.
TEST(OperandFile, AFillAndTheNextValueKeepTheirOrder) {
  StageRig rig({file()}, R"({"latency_cycles": 20})");
  Program p(rig);
  auto& first = p.op().src(1, isa::kMainLevel, 0, kEntryAlone);
  auto& second = p.op().src(1, isa::kOperandLevel, 0);
  auto& next = p.op().dst(2, kEntryAlone, 0);
  auto& third = p.op().src(2, isa::kOperandLevel, 0);
  rig.write(3, 0, 1, 42);
  p.issue(9, first);
  p.issue(10, second);
  p.issue(11, next);
  p.read(10, first);
  const auto& b = p.read(11, second);
  p.write(14, next, 43);
  p.issue(40, third);
  const auto& c = p.read(41, third);
  rig.run();
  EXPECT_EQ(b.lane(0), 42u);
  EXPECT_EQ(c.lane(0), 43u);
}

TEST(OperandFile, ADescheduledWarpLeavesItsEntriesToOthers) {
  StageRig rig({file()});
  Program p(rig);
  auto& make = p.op().dst(1, kMainAndEntry, 1);
  auto& use = p.op().src(1, isa::kOperandLevel, 1);
  bool bound = true, free = false, flushed = false;
  p.issue(5, make);
  rig.script().call(6, [&] { bound = !rig.stage(0).may_leave(WarpId(0)); });
  p.write(8, make, 7);
  rig.script().call(9, [&] { rig.stage(0).warp_deactivated(WarpId(0)); });
  rig.script().call(10, [&] {
    flushed = rig.stage(0).flushed(WarpId(0));
    free = rig.stage(0).may_leave(WarpId(0));
  });
  p.issue(12, use);
  p.read(13, use);
  EXPECT_NE(failure(rig).find("does not hold it"), std::string::npos);
  EXPECT_TRUE(bound);
  EXPECT_TRUE(flushed);
  EXPECT_TRUE(free);
}

TEST(OperandFile, KeptEntriesSurviveDescheduling) {
  StageRig rig({file(R"("flush_on_deschedule": false)")});
  Program p(rig);
  auto& make = p.op().dst(1, kEntryAlone, 1);
  auto& use = p.op().src(1, isa::kOperandLevel, 1);
  p.issue(5, make);
  p.write(8, make, 7);
  rig.script().call(9, [&] { rig.stage(0).warp_deactivated(WarpId(0)); });
  rig.script().call(12, [&] { rig.stage(0).warp_activated(WarpId(0)); });
  p.issue(14, use);
  const auto& read = p.read(15, use);
  rig.run();
  EXPECT_EQ(read.lane(0), 7u);
}

TEST(OperandFile, WhatDoesNotFitIsNamed) {
  const auto message = [](const std::string& options, auto&& annotate) {
    StageRig rig({file(options)});
    Program p(rig);
    auto& op = p.op();
    annotate(op);
    p.issue(5, op);
    return failure(rig);
  };
  using Op = Program::Op;
  EXPECT_NE(message(R"("entries": 2)", [](Op& op) { op.dst(1, kEntryAlone, 2); }).find("entry 2 of 2"),
            std::string::npos);
  EXPECT_NE(message("", [](Op& op) { op.dst(1, kLastAlone); }).find("no entry for slot 0"),
            std::string::npos);
  EXPECT_NE(
      message(R"("last_result": "unified")", [](Op& op) { op.dst(1, kLastAlone, 0, 2); }).find("slot 2"),
      std::string::npos);
  const auto shared = [](Op& op) {
    op.instruction = make_shared_load();
    op.dst(1, kLastAlone);
  };
  EXPECT_NE(message(R"("last_result": "unified")", shared).find("does not reach"), std::string::npos);
  EXPECT_EQ(message(R"("last_result": "unified", "last_result_shared": true)", shared), "none");
}

// With `transfers` `past-caches`, the operand file bypasses the register caches below it. If an entry gets a
// new value of a register, a register cache must then first free its copy of this register (Bailey 2018,
// IV-D).
TEST(OperandFile, TransfersMayGoPastTheCaches) {
  const auto run = [](const char* transfers) {
    StageRig rig(
        {file(R"("transfers": ")" + std::string(transfers) + "\""), R"({"type": "register-cache"})"});
    Program p(rig);
    auto& fill = p.op().src(1, isa::kMainLevel, 0, kEntryAlone);
    auto& out = p.op().dst(2, kMainAndEntry, 1);
    auto& alone = p.op().dst(3, kEntryAlone, 2);
    for (int r = 1; r <= 3; ++r) rig.write(3, 0, r, static_cast<std::uint32_t>(r) + 40);
    p.issue(9, fill);
    p.issue(9, out);
    p.issue(9, alone);
    const auto& read = p.read(10, fill);
    p.write(12, out, 52);
    p.write(12, alone, 53);
    const auto& after = rig.read(20, 0, 2);
    rig.run();
    EXPECT_EQ(read.lane(0), 41u);
    EXPECT_EQ(after.lane(0), 52u);
    EXPECT_EQ(rig.value(0, 0, 3), 53u);
    return std::vector<std::uint64_t>{rig.count("banks.reads"), rig.count("banks.writes"),
                                      rig.count("register_cache.writebacks")};
  };
  EXPECT_EQ(run("through-caches"), (std::vector<std::uint64_t>{0, 0, 0}));
  EXPECT_EQ(run("past-caches"), (std::vector<std::uint64_t>{2, 3, 2}));
}

TEST(OperandFile, PortsServeSoManyACycle) {
  StageRig rig({R"({"type": "operand-file", "read_ports": 1, "write_ports": 1})"});
  Program p(rig);
  auto& one = p.op().dst(1, kEntryAlone, 0);
  auto& two = p.op().dst(2, kEntryAlone, 1);
  auto& use = p.op().src(1, isa::kOperandLevel, 0).src(2, isa::kOperandLevel, 1);
  p.issue(5, one);
  p.issue(5, two);
  p.write(8, one, 7);
  p.write(8, two, 8);
  p.issue(12, use);
  const auto &a = p.read(13, use, kAllLanes, 0), &b = p.read(13, use, kAllLanes, 1);
  rig.run();
  EXPECT_EQ(a.data_at(), 14u);
  EXPECT_EQ(b.data_at(), 15u);
}

}  // namespace
}  // namespace heddle
