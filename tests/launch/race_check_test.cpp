// The race check of the reference names what makes a result depend on time, and nothing else.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "models/ptx/module.h"
#include "models/reference/race_check.h"
#include "testbench/launch/reference_executor.h"
#include "tests/support/kernel_list.h"

namespace heddle::launch {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using Findings = std::vector<std::string>;

Findings check(const LaunchFile& file, std::shared_ptr<const ptx::Module> module, bool strict) {
  PtxPrograms programs(std::move(module));
  MemoryImage memory;
  LaunchRun run(file, programs, memory);
  run.prepare();
  reference::RaceCheck races(strict);
  reference::ReferenceOptions options;
  options.observer = &races;
  ReferenceExecutor executor(options);
  run.run(executor);
  return races.findings();
}

// One CTA of 64 threads; the body has %t (the thread), %a (its word of `words` in shared memory) and %o (of
// the output).
Findings check(const std::string& body, bool strict = false) {
  const auto module = ptx::parse_module(
      ".version 7.5\n.target sm_75\n.address_size 64\n.visible .entry k(.param .u64 out) {\n"
      ".reg .b32 %t, %a, %x, %y; .reg .b64 %o, %w; .reg .pred %p;\n"
      ".shared .align 4 .b8 words[512];\nld.param.u64 %o, [out]; mov.u32 %t, %tid.x; mul.wide.u32 %w, %t, "
      "4;\n"
      "add.s64 %o, %o, %w; mov.u32 %a, words; shl.b32 %x, %t, 2; add.s32 %a, %a, %x;\n" +
          body + "\nst.global.u32 [%o], %x; ret; }\n",
      "k.ptx");
  const LaunchFile file = read_launch_text(
      R"({"ptx": "k.ptx", "buffers": {"o": {"type": "u32", "count": 64, "init": {"kind": "zeros"}}},
          "steps": [{"kernel": "k", "grid": [1], "block": [64], "args": [{"buffer": "o"}]}],
          "outputs": [{"buffer": "o"}]})",
      "k.json");
  return check(file, module, strict);
}

LaunchFile kernel_file(const std::string& name) {
  return read_launch_file("testbench/kernels/" + name + "/small.json");
}

TEST(RaceCheck, ABarrierBetweenWritersAndReadersIsEnough) {
  EXPECT_THAT(check("st.shared.u32 [%a], %t; bar.sync 0; xor.b32 %y, %t, 32; shl.b32 %y, %y, 2;\n"
                    "mov.u32 %x, words; add.s32 %y, %y, %x; ld.shared.u32 %x, [%y];"),
              IsEmpty());
}

TEST(RaceCheck, NamesWhoReadsWhatAnotherWarpWrites) {
  const Findings found = check(
      "st.shared.u32 [%a], %t; xor.b32 %y, %t, 32; shl.b32 %y, %y, 2;\n"
      "mov.u32 %x, words; add.s32 %y, %y, %x; ld.shared.u32 %x, [%y];");
  EXPECT_THAT(found, Contains(HasSubstr("with no barrier between: shared memory")));
}

// What clang-14 makes of `if (threadIdx.x == 0) u = p[0]; __syncthreads(); use(u);`: the load of the shared
// word stands before the barrier.
TEST(RaceCheck, NamesALoadThatTheCompilerMovedBeforeTheBarrier) {
  const Findings found = check(
      "setp.ne.u32 %p, %t, 0; @%p bra L; st.shared.u32 [words], %t;\nL: ld.shared.u32 %x, [words];\nbar.sync "
      "0;");
  EXPECT_THAT(found, Contains(HasSubstr("\"ld.shared.u32")));
}

TEST(RaceCheck, NamesSharedMemoryReadBeforeItIsWritten) {
  EXPECT_THAT(check("ld.shared.u32 %x, [%a];"), Contains(HasSubstr("before anything is written there")));
}

TEST(RaceCheck, AtomicsOfDifferentWarpsAreNoRace) {
  EXPECT_THAT(check("setp.eq.u32 %p, %t, 0; @%p st.shared.u32 [words], %t; bar.sync 0;\n"
                    "atom.shared.add.u32 %x, [words], 1;"),
              IsEmpty());
}

// What one warp's atomics wrote is not forgotten when another warp's follow.
TEST(RaceCheck, AStoreRacesWithEveryWarpsAtomics) {
  const std::string atomics = "atom.shared.add.u32 %x, [words], 1;\n@@setp.eq.u32 %p, %t, 32; ";
  for (const char* last : {"@%p st.shared.u32 [words], %t;", "@%p ld.shared.u32 %y, [words];"}) {
    std::string racing =
                    "setp.eq.u32 %p, %t, 0; @%p st.shared.u32 [words], %t; bar.sync 0;\n" + atomics + last,
                clean = racing;
    racing.replace(racing.find("@@"), 2, "");
    clean.replace(clean.find("@@"), 2, "bar.sync 0; ");
    EXPECT_THAT(check(racing), Contains(HasSubstr("with no barrier between: shared memory"))) << last;
    EXPECT_THAT(check(clean), IsEmpty()) << last;
  }
}

TEST(RaceCheck, ArrivingOrdersWhatComesBeforeIt) {
  const std::string body =
      "setp.lt.u32 %p, %t, 32; @%p bra W;\nbar.sync 1, 64; ld.shared.u32 %x, [words]; bra E;\n"
      "W: st.shared.u32 [words], %t; bar.arrive 1, 64; @@\nE:";
  std::string later = body, clean = body;
  later.replace(later.find("@@"), 2, "st.shared.u32 [words], %a;");
  clean.replace(clean.find("@@"), 2, "");
  EXPECT_THAT(check(clean), IsEmpty());
  EXPECT_THAT(check(later), Not(IsEmpty()));
}

TEST(RaceCheck, StrictNamesRegistersNeverWritten) {
  const std::string body = "add.u32 %x, %y, 1;";
  EXPECT_THAT(check(body), IsEmpty());
  EXPECT_THAT(check(body, true), Contains(HasSubstr("reads %y before it is written")));
}

TEST(RaceCheck, StrictNamesBarriersOfAPartOfAWarp) {
  const std::string body = "setp.lt.u32 %p, %t, 48; @%p bar.sync 0; @!%p bar.sync 0; bar.sync 0;";
  EXPECT_THAT(check(body, true), Contains(HasSubstr("met by 16 of the 32 threads")));
}

// With last_size overwritten in its loop, bitonic_shared lets a warp leave and read while the others write
// their next round.
TEST(RaceCheck, NamesTheRaceOfTheBitonicVariant) {
  const LaunchFile file = kernel_file("bitonic_sort");
  std::ifstream in(file.ptx.front());
  std::string text((std::istreambuf_iterator<char>(in)), {});
  const std::string exchange = "and.b32  \t%r28, %r27, %r1;";
  ASSERT_NE(text.find(exchange), std::string::npos);
  EXPECT_THAT(check(file, ptx::parse_module(text, "bitonic.ptx"), false), IsEmpty());
  text.insert(text.find(exchange), "and.b32 %r14, %r10, %r1;\n\t");
  EXPECT_THAT(check(file, ptx::parse_module(text, "bitonic.ptx"), false),
              Contains(HasSubstr("what another warp")));
}

TEST(RaceCheck, KernelsAreFreeOfRaces) {
  int kernels = 0;
  for (const std::string& name : testing_support::kernels()) {
    ++kernels;
    const LaunchFile file = kernel_file(name);
    for (const std::string& finding : check(file, ptx::parse_module_file(file.ptx.front()), false)) {
      // Threads that write one and the same value: levels, "changed", "converged".
      const bool agreed = name == "bfs" || name == "jacobi_f64" || name == "kmeans";
      EXPECT_TRUE(agreed && finding.find("global memory") != std::string::npos) << name << ": " << finding;
    }
  }
  EXPECT_GE(kernels, 35);
}

}  // namespace
}  // namespace heddle::launch
