#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "models/ptx/module.h"
#include "models/reference/checks.h"
#include "testbench/launch/reference_executor.h"
#include "tests/support/kernel_list.h"

namespace heddle::launch {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using Findings = std::vector<std::string>;

Findings check(const LaunchFile& file, std::shared_ptr<const ptx::Module> module, const std::string& kinds) {
  PtxPrograms programs(std::move(module));
  MemoryImage memory;
  LaunchRun run(file, programs, memory);
  run.prepare();
  reference::Checks checks(reference::read_check_kinds("", kinds, {}));
  reference::ReferenceOptions options;
  checks.observe(options);
  ReferenceExecutor executor(options);
  run.run(executor);
  return checks.findings().lines();
}

// Runs `body` in CTAs of 64 threads and returns the findings. `body` may use %t (thread number), %a (address
// of the thread's word of the array `words` in shared memory) and %o (address of the thread's output word).
Findings check_for(const std::string& kinds, const std::string& body, int ctas = 1) {
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
          "steps": [{"kernel": "k", "grid": [)" +
          std::to_string(ctas) + R"(], "block": [64], "args": [{"buffer": "o"}]}],
          "outputs": [{"buffer": "o"}]})",
      "k.json");
  return check(file, module, kinds);
}

Findings check(const std::string& body) { return check_for("races", body); }

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

// PTX of clang 14 for `if (threadIdx.x == 0) u = p[0]; __syncthreads(); use(u);`. The compiler has moved the
// load of the shared word before the barrier, which is a race.
TEST(RaceCheck, NamesALoadThatTheCompilerMovedBeforeTheBarrier) {
  const Findings found = check(
      "setp.ne.u32 %p, %t, 0; @%p bra L; st.shared.u32 [words], %t;\nL: ld.shared.u32 %x, [words];\nbar.sync "
      "0;");
  EXPECT_THAT(found, Contains(HasSubstr("\"ld.shared.u32")));
}

TEST(InitCheck, NamesSharedMemoryReadBeforeItIsWritten) {
  EXPECT_THAT(check_for("init", "ld.shared.u32 %x, [%a];"),
              Contains(HasSubstr("before anything is written there")));
}

TEST(RaceCheck, AtomicsOfDifferentWarpsAreNoRace) {
  EXPECT_THAT(check("setp.eq.u32 %p, %t, 0; @%p st.shared.u32 [words], %t; bar.sync 0;\n"
                    "atom.shared.add.u32 %x, [words], 1;"),
              IsEmpty());
}

// Every atomic must count as a write, even an atomic that follows another warp's atomic on the same word.
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

// Runs a kernel on 256 words that are also bound to a texture and a surface. The kernel has 64 threads. %t is
// the thread number, %b is the address of the words.
Findings check_image(const std::string& body) {
  const auto module = ptx::parse_module(
      ".version 7.5\n.target sm_75\n.address_size 64\n.visible .entry k(.param .u64 out, .param .u64 image, "
      ".param .u64 canvas) {\n"
      ".reg .b32 %t, %o, %x, %y<4>; .reg .b64 %b, %i, %c, %a;\n"
      "ld.param.u64 %b, [out]; ld.param.u64 %i, [image]; ld.param.u64 %c, [canvas]; mov.u32 %t, %tid.x;\n"
      "mad.wide.u32 %a, %t, 4, %b; xor.b32 %o, %t, 32;\n" +
          body + "\nret; }\n",
      "k.ptx");
  const LaunchFile file = read_launch_text(
      R"({"ptx": "k.ptx", "buffers": {"o": {"type": "u32", "count": 256, "init": {"kind": "zeros"}}},
          "textures": {"image": {"buffer": "o", "shape": "1d", "extents": [256], "texel": "u32"},
                       "canvas": {"kind": "surface", "buffer": "o", "shape": "1d", "extents": [256], "texel": "u32"}},
          "steps": [{"kernel": "k", "grid": [1], "block": [64],
                     "args": [{"buffer": "o"}, {"texture": "image"}, {"texture": "canvas"}]}]})",
      "k.json");
  return check(file, module, "races");
}

TEST(RaceCheck, SeesLookUpsInTextures) {
  const std::string look_up = "tex.1d.v4.u32.s32 {%x, %y1, %y2, %y3}, [%i, {%t}];";
  EXPECT_THAT(check_image(look_up), IsEmpty());
  // A texture look-up need not return values that the same launch has written, not even after a barrier, and
  // not even in the thread that wrote the values.
  EXPECT_THAT(check_image("st.global.u32 [%a], %t; bar.sync 0;\n" + look_up),
              Contains(HasSubstr("in the same launch: global memory")));
  EXPECT_THAT(check_image("st.global.u32 [%a+512], %t; bar.sync 0;\n" + look_up), IsEmpty());
  // If one warp looks up a texture and another warp later writes the texture's memory, a barrier between
  // look-up and write is sufficient.
  const std::string across = "tex.1d.v4.u32.s32 {%x, %y1, %y2, %y3}, [%i, {%o}];\n";
  EXPECT_THAT(check_image(across + "st.global.u32 [%a], %t;"),
              Contains(HasSubstr("with no barrier between")));
  EXPECT_THAT(check_image(across + "bar.sync 0; st.global.u32 [%a], %t;"), IsEmpty());
}

TEST(RaceCheck, SeesSurfaces) {
  const std::string store = "shl.b32 %y1, %t, 2; sust.b.1d.b32.trap [%c, {%y1}], %t;\n";
  const std::string load = "shl.b32 %y2, %o, 2; suld.b.1d.b32.trap %x, [%c, {%y2}];";
  EXPECT_THAT(check_image(store + load), Contains(HasSubstr("with no barrier between: global memory")));
  EXPECT_THAT(check_image(store + "bar.sync 0;\n" + load), IsEmpty());
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

TEST(InitCheck, NamesRegistersNeverWritten) {
  const std::string body = "add.u32 %x, %y, 1;";
  EXPECT_THAT(check(body), IsEmpty());
  EXPECT_THAT(check_for("init", body), Contains(HasSubstr("reads %y before it is written")));
}

TEST(SyncCheck, NamesBarriersOfAPartOfAWarp) {
  const std::string body = "setp.lt.u32 %p, %t, 48; @%p bar.sync 0; @!%p bar.sync 0; bar.sync 0;";
  EXPECT_THAT(check_for("sync", body),
              Contains(HasSubstr("barrier met by lanes 0-15 of the threads of warp 1")));
}

// In this variant of bitonic_shared, a warp may leave the loop and read last_size, while other warps write
// last_size in the next iteration of the loop.
TEST(RaceCheck, NamesTheRaceOfTheBitonicVariant) {
  const LaunchFile file = kernel_file("bitonic_sort");
  std::ifstream in(file.ptx.front());
  std::string text((std::istreambuf_iterator<char>(in)), {});
  const std::string exchange = "and.b32  \t%r28, %r27, %r1;";
  ASSERT_NE(text.find(exchange), std::string::npos);
  EXPECT_THAT(check(file, ptx::parse_module(text, "bitonic.ptx"), "races"), IsEmpty());
  text.insert(text.find(exchange), "and.b32 %r14, %r10, %r1;\n\t");
  EXPECT_THAT(check(file, ptx::parse_module(text, "bitonic.ptx"), "races"),
              Contains(HasSubstr("what another warp")));
}

TEST(RaceCheck, KernelsAreFreeOfRaces) {
  int kernels = 0;
  for (const std::string& name : testing_support::kernels()) {
    ++kernels;
    const LaunchFile file = kernel_file(name);
    for (const std::string& finding : check(file, ptx::parse_module_file(file.ptx.front()), "races")) {
      const bool agreed = name == "bfs" || name == "jacobi_f64" || name == "kmeans";
      EXPECT_TRUE(agreed && finding.find("global memory") != std::string::npos) << name << ": " << finding;
    }
  }
  EXPECT_GE(kernels, 35);
}

TEST(AtomicOrder, ShowsInOldValuesAndInWhatDoesNotCommute) {
  const std::string order = "atomics";
  const auto has = [](const char* why) {
    return Contains(HasSubstr(std::string("the order of atomics decides (") + why + ")"));
  };
  EXPECT_THAT(check_for(order, "atom.shared.add.u32 %x, [words], 1;"), has("the old value is used"));
  EXPECT_THAT(check_for(order, "red.shared.add.f32 [words], 0f3F800000;"),
              has("sums of floats round by their order"));
  EXPECT_THAT(check_for(order, "atom.shared.exch.b32 %y, [words], %t;"), has("exchanges do not commute"));
  EXPECT_THAT(check_for(order, "atom.global.max.u32 %x, [%o], 1;", 2), has("the old value is used"))
      << "of two CTAs";
}

TEST(AtomicOrder, ShowsInNothingElse) {
  const std::string order = "atomics";
  EXPECT_THAT(check_for(order, "red.shared.add.u32 [words], 1; bar.sync 0; ld.shared.u32 %x, [words];"),
              IsEmpty());
  EXPECT_THAT(check_for(order, "atom.shared.add.u32 %y, [words], 1;"), IsEmpty()) << "nobody reads %y";
  EXPECT_THAT(check_for(order, "setp.lt.u32 %p, %t, 32; @%p atom.shared.add.u32 %x, [words], 1;"), IsEmpty())
      << "lanes of one warp have an order";
  EXPECT_THAT(check_for("memory,init,races,sync,warps", "atom.shared.add.u32 %x, [words], 1;"),
              Not(Contains(HasSubstr("order of atomics"))))
      << "off unless it is asked for";
}

// PTX that sets %y to the address of the neighbouring lane's word
const std::string kBeside = "xor.b32 %y, %t, 1; shl.b32 %y, %y, 2; mov.u32 %x, words; add.s32 %y, %y, %x;\n";
const std::string kWarps = "warps";

TEST(WarpHazards, DifferentValuesOfOneInstruction) {
  EXPECT_THAT(check_for(kWarps, "st.shared.u32 [words], %t;"),
              Contains(HasSubstr(
                  "writes different values at once: lanes 0 and 1 of warp 0 of CTA 0, shared memory")));
  EXPECT_THAT(check_for(kWarps, "st.global.u32 [%o], %t; ld.param.u64 %w, [out]; st.global.u32 [%w], %t;"),
              Contains(HasSubstr("global memory")));
  EXPECT_THAT(check_for(kWarps, "st.shared.u32 [words], 7;"), IsEmpty());
  EXPECT_THAT(check_for(kWarps, "shr.u32 %y, %t, 6; st.shared.u32 [words], %y;"), IsEmpty());
  EXPECT_THAT(check_for(kWarps, "atom.shared.add.u32 %x, [words], %t;"), IsEmpty());
}

TEST(WarpHazards, ExchangesWithoutABarrierOfTheWarp) {
  const std::string write = kBeside + "st.shared.u32 [%a], %t;", read = "ld.shared.u32 %x, [%y];";
  EXPECT_THAT(check_for(kWarps, write + read),
              Contains(HasSubstr("with no bar.warp.sync between: shared memory")));
  EXPECT_THAT(check_for("memory,init,races,sync,atomics", write + read), IsEmpty())
      << "off unless it is asked for";
  EXPECT_THAT(check_for(kWarps, write + "bar.warp.sync 0xffffffff;" + read), IsEmpty());
  EXPECT_THAT(check_for(kWarps, write + "bar.sync 0;" + read), IsEmpty());
  EXPECT_THAT(check_for(kWarps, write + "ld.shared.u32 %x, [%a];"), IsEmpty()) << "its own word";
  const std::string first = write + "bar.warp.sync 0xffffffff;" + read;
  EXPECT_THAT(check_for(kWarps, first + "st.shared.u32 [%a], 5;"),
              Contains(HasSubstr("writes in lane 0 what lane 1 reads")));
  EXPECT_THAT(check_for(kWarps, first + "bar.warp.sync 0xffffffff; st.shared.u32 [%a], 5;"), IsEmpty());
  // If the mask of a warp barrier contains only half of the lanes, the barrier orders only the accesses of
  // these lanes.
  EXPECT_THAT(
      check_for(kWarps,
                write + "setp.lt.u32 %p, %t, 16; @%p bar.warp.sync 0xffff; @%p ld.shared.u32 %x, [%y];"),
      IsEmpty());
  EXPECT_THAT(
      check_for(kWarps,
                write + "setp.lt.u32 %p, %t, 15; @%p bar.warp.sync 0x7fff; @%p ld.shared.u32 %x, [%y];"),
      Contains(HasSubstr("reads in lane 14 what lane 15 writes")));
}

}  // namespace
}  // namespace heddle::launch
