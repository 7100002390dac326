// Each mutant breaks one rule of register rows (Jeon 2015; Radaideh 2021; Abdel-Majeed 2016, chapters 5 and
// 6). A program written for the rule must then compute wrong values. If the fault concerns only times or
// counters, the times or counters must change.

#include <gtest/gtest.h>

#include "tests/hierarchy/mutant_run.h"
#include "tests/hierarchy/row_faults.h"
#include "tests/regfile/stage_driver.h"
#include "tests/timing/timed_kernel.h"

namespace heddle::hierarchy {
namespace {

struct Fault {
  explicit Fault(RowFault fault) { row_fault() = fault; }
  ~Fault() { row_fault() = RowFault::none; }
};

std::string outcome(const fuzz::FuzzCase& fuzz, RowFault fault) {
  const Fault broken(fault);
  fuzz::Coverage coverage;
  return fuzz::run_case(fuzz, coverage);
}

// Without a fault, the copied stages must compute the same values as the reference. With the fault, an output
// must differ.
void expect_noticed(const fuzz::FuzzCase& fuzz, RowFault fault) {
  EXPECT_EQ(outcome(fuzz, RowFault::none), "") << "the program itself";
  const std::string message = outcome(fuzz, fault);
  EXPECT_TRUE(is_of_values(message)) << message;
}

const std::string kMixed =
    "ld.global.u32 %r4, [%rd1];\nmad.lo.u32 %r1, %r0, 3, 1;\nadd.u32 %r2, %r1, 9;\nmul.lo.u32 %r3, %r1, 5;\n"
    "mul.wide.u32 %rd4, %r2, %r3;\nadd.u64 %rd5, %rd4, %rd4;\nxor.b64 %rd4, %rd5, %rd4;\n"
    "cvt.u32.u64 %r5, %rd4;\nshr.u64 %rd5, %rd4, 32;\ncvt.u32.u64 %r6, %rd5;\n"
    "and.b32 %r7, %r0, 5;\nsetp.eq.u32 %p1, %r7, 4;\n@%p1 add.u32 %r5, %r5, 77;\n@!%p1 xor.b32 %r6, %r6, "
    "%r1;\n"
    "xor.b32 %r30, %r4, %r5;\nadd.u32 %r30, %r30, %r6;\nxor.b32 %r30, %r30, %r2;";

fuzz::FuzzCase rows(const std::string& more = "") {
  const std::string banks = "gpu.sm.register_file.banks.";
  return case_on(program_of(kMixed), "fermi-gtx480",
                 {R"(gpu.sm.register_file.stages=["faulty-banks"])", banks + R"(power="faulty-tri-modal")",
                  banks + "lane_gating=" + (more.empty() ? "none" : more)});
}

TEST(RowMutants, StatesOfRowsAreNoticedByValues) {
  for (const RowFault fault : {RowFault::drowse_at_accept, RowFault::drowse_at_first_reader,
                               RowFault::low_word_only, RowFault::drowse_at_issue, RowFault::off_early}) {
    SCOPED_TRACE(static_cast<int>(fault));
    expect_noticed(rows(), fault);
  }
}

TEST(RowMutants, AnotherCollectorsMaskIsNoticedByValues) {
  expect_noticed(rows("active-mask"), RowFault::other_mask);
}

// Returns a case in which two CTAs run at a time, and the first warp (the pilot) ends early. Warps of later
// CTAs therefore use the swapping table that follows from the pilot's accesses. `hot`: the most accessed
// registers among %r1 to %r23. If `hot` names only two registers, the register of the output address is also
// among the most accessed registers; it is in a fast row even before the swaps. `above`: stages above the
// swapping stage, each followed by a comma.
fuzz::FuzzCase swaps(const std::vector<int>& hot = {20, 21, 22, 23}, const std::string& above = "") {
  std::string body =
      "mov.u32 %r24, %ctaid.x;\nmul.lo.u32 %r24, %r24, 3;\nshr.u32 %r25, %r0, 5;\n"
      "mad.lo.u32 %r24, %r25, 6, %r24;\nadd.u32 %r24, %r24, 2;\n";
  for (int i = 1; i <= 23; ++i) body += fmt::format("mad.lo.u32 %r{}, %r0, {}, {};\n", i, 2 * i + 1, 100 * i);
  body += "$loop:\n";
  for (std::size_t i = 0; i < hot.size(); ++i)
    body += fmt::format("mad.lo.u32 %r{0}, %r{0}, %r{1}, %r{0};\n", hot[i], hot[(i + 1) % hot.size()]);
  body += "sub.u32 %r24, %r24, 1;\nsetp.ne.u32 %p1, %r24, 0;\n@%p1 bra $loop;\nld.global.u32 %r30, [%rd1];\n";
  for (int i = 1; i <= 23; ++i) body += fmt::format("xor.b32 %r30, %r30, %r{};\n", i);
  return case_on(program_of(body, 6), "kepler-gtx780",
                 {"gpu.sm.max_ctas=2", "gpu.sm.register_file.banks.partition.kind=fast-slow",
                  "gpu.sm.register_file.stages=[" + above + R"("faulty-swapping","banks"])"});
}

TEST(RowMutants, PlacesOfRegistersAreNoticedByValues) {
  expect_noticed(swaps(), RowFault::resident_tables);
  expect_noticed(swaps({20, 21, 22, 23}, R"({"type":"register-cache","entries":2},)"), RowFault::past_table);
  expect_noticed(swaps({22, 23}), RowFault::miss_to_slow);
}

// The counter pilot_accesses must count only accesses of the pilot warp (warp 0). Here, warp 0 makes two of
// the three accesses.
TEST(RowMutants, OtherWarpsAccessesAreNoticedByTheCounter) {
  const auto counted = [](RowFault fault) {
    const Fault broken(fault);
    StageRig rig({"\"faulty-swapping\""}, R"({"ports": "1r1w", "partition": {"kind": "fast-slow"}})");
    isa::Program program;
    program.kernel = "k";
    rig.script().call(1, [&] { rig.stage(0).kernel_begins({KernelId(0), &program, 1}); });
    rig.script().call(2, [&] {
      for (std::uint32_t w = 0; w < 2; ++w)
        rig.stage(0).warp_begins(
            {WarpId(w), KernelId(0), &program, StageRig::kRegisters, kAllLanes, CtaSlot(0)});
    });
    rig.read(10, 0, 7);
    rig.read(12, 1, 5);
    rig.read(14, 0, 7);
    rig.run();
    return rig.count("faulty_swapping.pilot_accesses");
  };
  EXPECT_EQ(counted(RowFault::none), 2u);
  EXPECT_NE(counted(RowFault::any_warp), 2u);
}

TEST(RowMutants, OtherWarpsAccessesEndARun) {
  EXPECT_EQ(outcome(swaps(), RowFault::none), "");
  const std::string message = outcome(swaps(), RowFault::any_warp);
  EXPECT_NE(message.find("words were counted for a pilot that has accessed"), std::string::npos) << message;
}

// Fault: registers are ranked by the accesses of all warps, not only of the pilot warp. A run with `--check
// on` must find this (testbench/run/run_laws.h). In each CTA, the first warp accesses %r1 most often, the
// second warp %r20.
TEST(RowMutants, RanksOfOtherWarpsEndACheckedRun) {
  std::string body =
      "mov.u32 %r1, 3;\nmov.u32 %r20, 5;\nmov.u32 %r24, 9;\nshr.u32 %r25, %r0, 5;\n"
      "setp.eq.u32 %p2, %r25, 0;\n$loop:\n@!%p2 bra $second;\nmad.lo.u32 %r1, %r1, %r1, %r1;\n"
      "bra $next;\n$second:\nmad.lo.u32 %r20, %r20, %r20, %r20;\nmad.lo.u32 %r20, %r20, %r20, %r20;\n"
      "$next:\nsub.u32 %r24, %r24, 1;\nsetp.ne.u32 %p1, %r24, 0;\n@%p1 bra $loop;\n"
      "xor.b32 %r30, %r1, %r20;";
  const fuzz::FuzzCase ranks =
      case_on(program_of(body, 6), "kepler-gtx780",
              {"gpu.sm.max_ctas=2", "gpu.sm.register_file.banks.partition.kind=fast-slow",
               "compiler.passes=[]", R"(gpu.sm.register_file.stages=["faulty-swapping","banks"])"});
  EXPECT_EQ(outcome(ranks, RowFault::none), "");
  const std::string message = outcome(ranks, RowFault::ranks_of_all);
  EXPECT_NE(message.find("the pilot profile ranks registers"), std::string::npos) << message;
}

TEST(RowMutants, ResultsWithoutAPortOfTheRenamingTableEndACheckedRun) {
  const fuzz::FuzzCase ports = case_on(program_of(kMixed, 2), "fermi-virtualization",
                                       {R"(gpu.sm.register_file.stages=["faulty-renaming","banks"])"});
  EXPECT_EQ(outcome(ports, RowFault::none), "");
  const std::string message = outcome(ports, RowFault::free_results);
  EXPECT_NE(message.find("results written without a port of their own"), std::string::npos) << message;
}

TEST(RowMutants, APairThatOverlapsIsNoticedByValues) {
  const std::string banks = "gpu.sm.register_file.banks.";
  expect_noticed(case_on(program_of(kMixed), "fermi-cmrc",
                         {R"(gpu.sm.register_file.stages=["faulty-banks"])", banks + "format=sub-banked",
                          banks + "arbiter=faulty-coalescing", banks + "layout=wid",
                          "gpu.sm.register_file.collector_port=sliced"}),
                 RowFault::overlapping_pair);
}

// A loop that overwrites registers after it has read them. The result of a load, %r1, is read on only one
// side of a branch. Therefore a release list (pbr) at $skip, where both sides meet, releases %r1.
const std::string kReleases =
    "mov.u32 %r30, %r0;\nmov.u32 %r9, 6;\n$loop:\nld.global.u32 %r1, [%rd1];\nmad.lo.u32 %r2, %r9, 5, %r0;\n"
    "and.b32 %r3, %r0, 1;\nsetp.eq.u32 %p1, %r3, 0;\n@%p1 bra $skip;\nadd.u32 %r30, %r30, %r1;\n$skip:\n"
    "mul.lo.u32 %r4, %r2, 7;\nxor.b32 %r30, %r30, %r4;\nsub.u32 %r9, %r9, 1;\nsetp.ne.u32 %p2, %r9, 0;\n"
    "@%p2 bra $loop;";

void expect_stopped(RowFault fault, const std::string& message) {
  const auto fuzz = case_on(
      program_of(kReleases, 4, 1000), "fermi-virtualization",
      {R"(compiler.passes=["release-flags"])", R"(gpu.sm.front_end.stages=["faulty-release-flag-cache"])",
       R"(gpu.sm.register_file.stages=[{"type":"faulty-renaming","gating":{"policy":"conventional"}},"banks"])"});
  EXPECT_EQ(outcome(fuzz, RowFault::none), "") << "the program itself";
  const std::string stopped = outcome(fuzz, fault);
  EXPECT_NE(stopped.find(message), std::string::npos) << stopped;
}

TEST(RowMutants, ASubarrayThatIsOffWithRegistersInItEndsARun) {
  expect_stopped(RowFault::occupied_off, "hold registers and are off");
}

TEST(RowMutants, AnEntryThatIsFreeBeforeItsReleaseEndsARun) {
  expect_stopped(RowFault::freed_at_acceptance, "is free while its release is at the banks");
}

TEST(RowMutants, AListOfReleasesThatIsLostEndsARun) {
  expect_stopped(RowFault::lost_list, "releases of registers were due");
}

TEST(RowMutants, APartThatIsOnEarlyIsNoticed) {
  std::uint64_t awake = 0;
  EXPECT_EQ(wake_a_part(awake), "");
  EXPECT_EQ(awake, 3u);
  const Fault broken(RowFault::awake_early);
  const std::string stopped = wake_a_part(awake);
  EXPECT_NE(stopped.find("on after 2 cycles of 3 that it takes to wake up"), std::string::npos) << stopped;
}

// The fast rows run in slow mode only after an epoch with fewer than 85 issues (Abdel-Majeed 2016, 6.5.2.1).
TEST(RowMutants, AThresholdTakenAsFewIsNoticed) {
  EXPECT_TRUE(low_behind(84, 85));
  EXPECT_FALSE(low_behind(85, 85));
  const Fault broken(RowFault::late_threshold);
  EXPECT_TRUE(low_behind(85, 85)) << "the fault";
}

// A dependent addition whose registers are in slow rows takes 12 cycles. Ten dependent additions take 5
// (until the first issue) + 11 (the first addition) + 9 * 12 (the others) = 124 cycles.
TEST(RowMutants, TimesOfSlowRowsAreNoticed) {
  const auto cycles = [](RowFault fault) {
    const Fault broken(fault);
    return timing::measure(timing::on("kepler-gtx780")
                               .with("sm.scheduler=lrr")
                               .with(R"(sm.register_file.stages=["faulty-banks"])")
                               .with("sm.register_file.banks.partition.kind=all-slow")
                               .with("sm.register_file.banks.partition.busy=whole-access"),
                           timing::repeated(10, "add.u32 %r0, %r0, 1;"))
        .cycles;
  };
  EXPECT_EQ(cycles(RowFault::none), 5u + 11u + 9u * 12u);
  EXPECT_NE(cycles(RowFault::free_bank), 5u + 11u + 9u * 12u);
  EXPECT_NE(cycles(RowFault::own_latency), 5u + 11u + 9u * 12u);
}

}  // namespace
}  // namespace heddle::hierarchy
