// Tests the register stage renaming (Jeon 2015, 7.1 and 8.2). The stage gives a register an entry when the
// register is written. The tests check the choice and reuse of entries, and reads of registers that were
// never written.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>
#include <set>

#include "models/stages/renaming.h"
#include "tests/regfile/look_up_times.h"
#include "tests/regfile/stage_driver.h"
#include "tests/timing/timed_kernel.h"

namespace heddle {
namespace {

using Packing = Availability::Packing;

class AvailabilityModel : public testing::TestWithParam<int> {};

// Compares the model's list of free entries of a bank with a plain set of entry numbers. An allocation must
// never take an entry that is in use or in a sleeping subarray. `subarrays` must take the lowest free entry,
// `round-robin` the next free one.
TEST_P(AvailabilityModel, ChoosesAsAPlainModelDoes) {
  std::mt19937 random(static_cast<unsigned>(GetParam()));
  const std::uint32_t sizes[] = {8, 39, 128, 153, 179, 256};
  const std::uint32_t entries = sizes[random() % std::size(sizes)], subarrays = 1u << random() % 4;
  const Packing packing = random() % 2 ? Packing::subarrays : Packing::round_robin;
  Availability bank(entries, subarrays, packing);
  const std::uint32_t length = (entries + subarrays - 1) / subarrays;
  std::set<std::uint32_t> taken;
  std::uint32_t last = entries - 1;
  for (int step = 0; step < 3000; ++step) {
    const DomainSet awake = random() % 3 ? ~DomainSet{0} : static_cast<DomainSet>(random());
    std::uint32_t expected = Availability::kNone;
    for (std::uint32_t n = 0; n < entries && expected == Availability::kNone; ++n) {
      const std::uint32_t e = packing == Packing::subarrays ? n : (last + 1 + n) % entries;
      if (taken.count(e)) continue;
      const bool on = awake >> (e / length) & 1;
      if (on) expected = e;
      if (!on && packing == Packing::round_robin) break;
    }
    const std::uint32_t chosen = bank.choose(awake);
    ASSERT_EQ(chosen, expected);
    if (chosen == Availability::kNone && taken.size() < entries) {
      ASSERT_NE(bank.to_wake(awake), 0u);
      ASSERT_NE(bank.choose(awake | bank.to_wake(awake)), Availability::kNone);
    }
    const bool fill = random() % 100 < (step / 500 % 2 ? 65 : 35);
    if (fill && chosen != Availability::kNone) {
      bank.take(chosen);
      taken.insert(last = chosen);
    } else if (!fill && !taken.empty()) {
      auto back = taken.begin();
      std::advance(back, static_cast<std::ptrdiff_t>(random() % taken.size()));
      bank.give(*back);
      taken.erase(back);
    }
    DomainSet occupied = 0;
    for (const std::uint32_t e : taken) occupied |= DomainSet{1} << (e / length);
    ASSERT_EQ(bank.occupied(), occupied);
    ASSERT_EQ(bank.free(), entries - taken.size());
  }
  if (!taken.empty()) bank.give(*taken.begin());
  EXPECT_THROW(bank.give(bank.lowest()), std::exception);
}
INSTANTIATE_TEST_SUITE_P(, AvailabilityModel, testing::Range(0, 6));

const std::string kFourBanks = R"({"count":4,"entries":8,"layout":"wshift","ports":"1r1w"})";

RegisterPlace place(StageRig& rig, std::uint32_t warp, std::uint32_t reg) {
  return rig.stage(0).provided_mapping()->place_of(WarpId(warp), RegId(reg));
}
std::string text(const RegisterPlace& p) {
  return p.set ? std::to_string(p.bank.value) + "/" + std::to_string(p.entry) : "none";
}
int occupied_subarrays(StageRig& rig) {
  int on = 0;
  for (std::size_t b = 0; b < 4; ++b)
    on += std::popcount(dynamic_cast<Renaming&>(rig.stage(0)).register_entries().bank(b).occupied());
  return on;
}

// 4 banks of 8 entries and 2 subarrays each. Register r of warp w lies in bank (w + r) mod 4.
TEST(Renaming, FillsSubarraysAndTakesTheLowestEntryAgain) {
  StageRig rig({R"({"type":"renaming","subarrays":2})"}, kFourBanks);
  Cycle at = 2;
  for (int r = 0; r < 10; ++r) rig.write(at += 2, 0, r, 100u + static_cast<unsigned>(r));
  for (int r = 0; r < 5; ++r) rig.write(at += 2, 1, r, 200u + static_cast<unsigned>(r));
  std::string fifth, reused, gone;
  int on_before = 0, on_after = 0;
  rig.script().call(at += 4, [&] {
    fifth = text(place(rig, 1, 4));
    on_before = occupied_subarrays(rig);
  });
  rig.script().at(at += 2, RegisterCommand::release, 0, 1);
  rig.script().at(at += 2, RegisterCommand::release, 0, 5);
  rig.write(at += 10, 1, 8, 208);
  rig.script().call(at += 2, [&] { reused = text(place(rig, 1, 8)); });
  rig.script().at(at += 2, RegisterCommand::release, 1, 4);
  rig.script().call(at += 10, [&] {
    on_after = occupied_subarrays(rig);
    gone = text(place(rig, 1, 4));
  });
  rig.run();
  EXPECT_EQ(fifth, "1/4");
  EXPECT_EQ(on_before, 5);
  EXPECT_EQ(reused, "1/0");
  EXPECT_EQ(on_after, 4);
  EXPECT_EQ(gone, "none");
  EXPECT_EQ(rig.count("renaming.touched"), 15u);
  EXPECT_EQ(rig.count("renaming.maps"), 16u);
  EXPECT_EQ(rig.count("renaming.unmaps"), 3u);
  EXPECT_EQ(rig.value(0, 1, 8), 208u);
  EXPECT_EQ(rig.value(0, 0, 9), 109u);
  EXPECT_EQ(rig.value(0, 0, 1), kPoison);
}

// The bank has only one entry, which is released. The write of the next register must get the entry in the
// cycle after the banks have responded to the release, and not earlier.
TEST(Renaming, AnEntryCanBeTakenACycleBehindTheAnswer) {
  StageRig rig({R"({"type":"renaming","subarrays":1})"}, R"({"count":1,"entries":1})");
  rig.write(5, 0, 0, 7);
  StageDriver::Line& release = rig.script().at(20, RegisterCommand::release, 0, 0);
  rig.run();
  ASSERT_NE(release.answered_at, kNever);
  const Cycle answer = release.answered_at;
  EXPECT_GT(answer, 20u);
  for (const Cycle write_at : {answer, answer + 1}) {
    StageRig again({R"({"type":"renaming","subarrays":1})"}, R"({"count":1,"entries":1})");
    again.write(5, 0, 0, 7);
    again.script().at(20, RegisterCommand::release, 0, 0);
    StageDriver::Line& write = again.write(write_at, 0, 1, 8);
    again.run();
    EXPECT_EQ(write.refusals > 0, write_at == answer) << write_at;
    EXPECT_EQ(again.value(0, 0, 1), 8u);
  }
}

// An access releases the only register of a subarray. The subarray must count as used until the cycle after
// the banks have completed this access, because its power domain is notified in that cycle.
TEST(Renaming, ASubarrayIsInUseUntilTheCycleBehindTheAnswer) {
  StageRig rig({R"({"type":"renaming","subarrays":2})"}, R"({"count":1,"entries":4})");
  const auto& bank = dynamic_cast<Renaming&>(rig.stage(0)).register_entries().bank(0);
  for (int r = 0; r < 3; ++r) rig.write(5 + static_cast<Cycle>(r), 0, r, 7);
  StageDriver::Line& release = rig.script().at(20, RegisterCommand::release, 0, 2);
  std::vector<DomainSet> occupied(60);
  for (Cycle c = 20; c < 60; ++c) rig.script().call(c, [&, c] { occupied[c] = bank.occupied(); });
  rig.run();
  const Cycle answer = release.answered_at;
  ASSERT_GT(answer, 20u);
  ASSERT_LT(answer, 50u);
  for (Cycle c = 20; c <= answer; ++c) EXPECT_EQ(occupied[c], 0b11u) << c;
  EXPECT_EQ(occupied[answer + 2], 0b01u);
}

// Two warps end in successive cycles. The first warp has no registers, so no completed release will wake the
// stage later. The registers of the second warp must nevertheless be released.
TEST(Renaming, AWarpThatEndsInTheCycleAfterAnotherGivesUpItsRegisters) {
  StageRig rig({R"({"type":"renaming","subarrays":2})"}, kFourBanks);
  for (int r = 0; r < 3; ++r) rig.write(static_cast<Cycle>(5 + r), 1, r, 7);
  for (std::uint32_t w = 0; w < 2; ++w) rig.script().call(40 + w, [&rig, w] { rig.end_warp(w); });
  rig.run();
  EXPECT_EQ(rig.count("renaming.maps"), 3u);
  EXPECT_EQ(rig.count("renaming.unmaps"), 3u);
}

// An access from a stage nearer to the collectors may still contain an entry that the register had earlier.
// The access must go to the entry that the renaming table contains now.
TEST(Renaming, AccessesGoWhereTheTableSaysWhateverPlaceTheyBring) {
  StageRig rig({"\"renaming\""}, kFourBanks);
  rig.write(5, 0, 0, 1);
  rig.write(6, 0, 4, 2);
  StageDriver::Line& write = rig.write(10, 0, 0, 3);
  StageDriver::Line &read = rig.read(14, 0, 0), &other = rig.read(16, 0, 4);
  for (StageDriver::Line* line : {&write, &read, &other}) line->access.place = {BankId(2), 5, true};
  rig.run();
  EXPECT_EQ(read.lane(0), 3u);
  EXPECT_EQ(other.lane(0), 2u);
}

// A partial write keeps the register's entry. With the release rule `flags`, a write of all lanes also keeps
// the entry. With the release rule `redefinition`, a write of all lanes gives the register a new entry.
TEST(Renaming, APartialWriteAndANewValueKeepTheEntry) {
  for (const char* release : {"flags", "redefinition"}) {
    StageRig rig({R"({"type":"renaming","subarrays":1,"release":")" + std::string(release) + R"("})"},
                 R"({"count":1,"entries":4})");
    for (int r = 0; r < 3; ++r) rig.write(5 + static_cast<Cycle>(r), 0, r, 1);
    rig.script().at(10, RegisterCommand::release, 0, 0);
    rig.write(20, 0, 2, 30, 0x0000ffffu);
    if (release == std::string("flags")) rig.write(24, 0, 2, 31);
    std::string kept;
    rig.script().call(30, [&] { kept = text(place(rig, 0, 2)); });
    rig.run();
    EXPECT_EQ(kept, "0/2") << release;
    EXPECT_EQ(rig.count("renaming.maps"), 3u) << release;
  }
}

// A strand begins on one side of a divergent branch. The lanes of the other side execute before the strand
// ends, and must not stall for a free entry. Therefore the strand must also claim the registers that the
// other side writes. If the strand claims a register but does not write it, the claim must be released at the
// end of the strand.
TEST(Renaming, AStrandClaimsTheOtherSidesOfBranchesAroundIt) {
  const auto add_to = [](std::uint32_t reg, bool begins, bool ends) {
    isa::Instruction add = make_int_add();
    add.add_dst(isa::Operand::make_reg(RegId(reg), 32));
    add.dst[0].annotation.write_levels = isa::level_bit(isa::kMainLevel);
    add.begins_strand = begins;
    add.ends_strand = ends;
    return add;
  };
  const auto branch = [](std::int32_t target, bool guarded) {
    isa::Instruction bra;
    bra.op = isa::Opcode::bra;
    isa::classify(bra);
    bra.target = target;
    bra.guard.present = guarded;
    bra.reconvergence = guarded ? 4 : isa::kNoTarget;
    return bra;
  };
  isa::Program program;
  program.code = {branch(3, true), add_to(1, true, false), branch(4, false), add_to(3, true, false),
                  add_to(5, false, true)};
  program.code[0].ends_strand = true;
  BankParameters banks;
  read_fields(parse_config_text(R"({"count":1,"entries":8})", "test"), banks);
  ClaimBook book(banks, 8, false);
  book.set_kept_above(true);
  book.program_begins(program);
  book.warp_begins(WarpId(0), CtaSlot(0));
  const auto issue = [&](std::size_t n) {
    book.issued(WarpId(0), program.code[n], kAllLanes);
    return book.unclaimed()[0];
  };
  EXPECT_EQ(issue(0), 8);
  EXPECT_EQ(issue(1), 5) << "registers 1, 3 and 5";
  EXPECT_EQ(issue(2), 5);
  EXPECT_FALSE(book.claims_of(WarpId(0), program.code[3]).any());
  EXPECT_EQ(issue(4), 6) << "3 was not written";
}

TEST(Renaming, RegistersAreClaimedAtIssue) {
  isa::Program program;
  isa::Instruction add = make_int_add();
  add.add_dst(isa::Operand::make_reg(RegId(1), 64));
  isa::Instruction count;
  count.op = isa::Opcode::bar;
  count.add_dst(isa::Operand::make_reg(RegId(3), 32));
  isa::classify(count);
  program.code = {add, count};
  BankParameters banks;
  read_fields(parse_config_text(R"({"count":4,"entries":8,"layout":"wshift"})", "test"), banks);
  ClaimBook book(banks, 8, false);
  book.program_begins(program);
  book.warp_begins(WarpId(1), CtaSlot(2));
  const auto unclaimed = [&book] {
    return std::vector<int>(book.unclaimed().begin(), book.unclaimed().end());
  };
  book.issued(WarpId(1), program.code[0], 0);
  EXPECT_EQ(unclaimed(), (std::vector<int>{8, 8, 8, 8}));
  book.issued(WarpId(1), program.code[0], 1);
  EXPECT_EQ(unclaimed(), (std::vector<int>{8, 8, 7, 7}));
  book.issued(WarpId(1), program.code[0], kAllLanes);
  book.issued(WarpId(1), program.code[1], kAllLanes);
  EXPECT_EQ(unclaimed(), (std::vector<int>{7, 8, 7, 7}));
  EXPECT_TRUE(book.claimed_by(WarpId(1)).test(3));
  EXPECT_EQ(book.charged(CtaSlot(2))[0], 1);
  EXPECT_TRUE(book.release(WarpId(1), RegId(3)));
  EXPECT_EQ(book.charged(CtaSlot(2))[0], 1) << "until the entry can be given again";
  book.credit(CtaSlot(2), 0);
  EXPECT_EQ(unclaimed(), (std::vector<int>{8, 8, 7, 7}));
  book.warp_ends(WarpId(1), {});
  EXPECT_EQ(unclaimed(), (std::vector<int>{8, 8, 8, 8}));
}

TEST(Renaming, WhatWasNeverWrittenIsPoisonAndNoAccessOfABank) {
  StageRig rig({"\"renaming\""}, kFourBanks);
  StageDriver::Line& never = rig.read(5, 0, 3);
  rig.write(10, 0, 4, 9, 0x0000ffffu);
  StageDriver::Line& half = rig.read(14, 0, 4);
  rig.write(20, 0, 4, 11, 0xff000000u);
  StageDriver::Line& more = rig.read(24, 0, 4);
  rig.run();
  EXPECT_EQ(never.lane(0), kPoison);
  EXPECT_EQ(rig.count("banks.unmapped_reads"), 1u);
  EXPECT_EQ(rig.count("banks.reads"), 2u);
  EXPECT_EQ(half.lane(0), 9u);
  EXPECT_EQ(half.lane(16), kPoison);
  EXPECT_EQ(more.lane(15), 9u);
  EXPECT_EQ(more.lane(31), 11u);
  EXPECT_EQ(more.lane(20), kPoison);
  EXPECT_EQ(rig.count("renaming.maps"), 1u);
}

// A read of r0 must return the value of r0 even if a release of r0 arrives in the same cycle. r2 then gets
// the same entry. Lanes of r2 that have not been written must contain poison, not values of r0.
TEST(Renaming, AReleaseStandsBehindOlderReadsAndPoisonsAllLanes) {
  StageRig rig({R"({"type":"renaming","subarrays":1})"}, R"({"count":1,"entries":1})");
  rig.write(5, 0, 0, 7);
  StageDriver::Line& read = rig.read(10, 0, 0);
  rig.script().at(10, RegisterCommand::release, 0, 0);
  rig.write(11, 0, 2, 5, 1u);
  StageDriver::Line& next = rig.read(30, 0, 2);
  rig.run();
  EXPECT_EQ(read.lane(3), 7u);
  EXPECT_EQ(next.lane(0), 5u);
  EXPECT_EQ(next.lane(1), kPoison);
}

TEST(Renaming, ALookUpTakesACycleAndBanksOfTheTableOneACycle) {
  StageRig rig({R"({"type":"renaming","table_banks":2})"}, kFourBanks);
  expect_a_look_up_a_cycle_and_bank(
      rig, read_without_stages_at(R"({"count":4,"layout":"wshift","ports":"1r1w"})"));
  EXPECT_EQ(rig.count("renaming.look_ups"), 6u);
}

// The look-ups of three sources and a result use one bank of the renaming table, one after the other. For
// each of the run's ten dependent instructions, the sources must wait 0 + 1 + 2 cycles. If the result needs a
// look-up too, the waits must be 0 + 1 + 2 + 3 cycles.
TEST(Renaming, AResultTakesAPortOfTheTable) {
  const auto conflicts = [](const char* destinations) {
    const timing::Machine machine = timing::on("fermi-virtualization")
                                        .with(fmt::format(R"(sm.register_file.stages=[{{"type":"renaming",
                                            "table_banks":1,"destinations":"{}"}},"banks"])",
                                                          destinations));
    return timing::measure(machine, timing::repeated(10, "mad.lo.u32 %r0, %r0, %r1, %r2;"))
        .count("sm0.partition0.renaming.conflict_cycles");
  };
  EXPECT_GE(conflicts("table-port"), conflicts("free") + 30);
}

// Without release flags, a register is released when all lanes overwrite it, and the new value gets the
// lowest free entry (Jeon 2015, 9.5).
TEST(Renaming, WithoutFlagsANewValueTakesTheLowestEntry) {
  StageRig rig({R"({"type":"renaming","release":"redefinition","subarrays":1})"},
               R"({"count":1,"entries":4})");
  for (int r = 0; r < 3; ++r) rig.write(5 + static_cast<Cycle>(r), 0, r, 1u + static_cast<unsigned>(r));
  rig.script().at(10, RegisterCommand::release, 0, 0);
  rig.write(20, 0, 2, 30, 0xffu);
  std::string merged, moved;
  rig.script().call(22, [&] { merged = text(place(rig, 0, 2)); });
  rig.write(25, 0, 2, 31);
  rig.script().call(27, [&] { moved = text(place(rig, 0, 2)); });
  rig.run();
  EXPECT_EQ(merged, "0/2");
  EXPECT_EQ(moved, "0/0");
  EXPECT_EQ(rig.value(0, 0, 2), 31u);
  EXPECT_EQ(rig.count("renaming.moves"), 1u);
}

TEST(Renaming, AFlippedBitOfTheTableShowsInWhatIsRead) {
  StageRig rig({"\"renaming\""}, kFourBanks);
  rig.write(5, 0, 0, 1);
  rig.write(5, 0, 4, 2);
  RenamingTable& table = dynamic_cast<Renaming&>(rig.stage(0)).register_entries().table();
  bool mapped = false, unmapped = true;
  rig.script().call(10, [&] {
    mapped = table.flip(WarpId(0), RegId(0), 0);
    unmapped = table.flip(WarpId(0), RegId(9), 0);
  });
  StageDriver::Line& read = rig.read(12, 0, 0);
  rig.run();
  EXPECT_TRUE(mapped);
  EXPECT_FALSE(unmapped);
  EXPECT_EQ(read.lane(0), 2u);
}

}  // namespace
}  // namespace heddle
