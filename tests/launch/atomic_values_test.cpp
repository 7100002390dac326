// The reference must find the memory words whose values depend on old values that atomics return, and no
// other words.

#include <gtest/gtest.h>

#include "models/ptx/module.h"
#include "models/reference/atomic_values.h"
#include "testbench/launch/reference_executor.h"

namespace heddle::launch {
namespace {

// Runs `body` in CTAs of 64 threads. Returns true if all output words depend on old values of atomics. The
// body must set %x; the kernel then stores %x at %o. The body may use %t (thread number), %a (address of the
// thread's word of shared memory) and %n (address of a global word that all threads share).
bool output_follows_atomics(const std::string& body, int ctas = 2) {
  const auto module = ptx::parse_module(
      ".version 7.5\n.target sm_75\n.address_size 64\n.visible .entry k(.param .u64 out, .param .u64 next) "
      "{\n"
      ".reg .b32 %t, %a, %x, %y; .reg .b64 %o, %n, %w; .reg .pred %p; .shared .align 4 .b8 words[512];\n"
      "ld.param.u64 %o, [out]; ld.param.u64 %n, [next]; mov.u32 %t, %tid.x; mul.wide.u32 %w, %t, 4;\n"
      "add.s64 %o, %o, %w; mov.u32 %a, words; shl.b32 %x, %t, 2; add.s32 %a, %a, %x;\n" +
          body + "\nst.global.u32 [%o], %x; ret; }\n",
      "k.ptx");
  const LaunchFile file = read_launch_text(
      R"({"ptx": "k.ptx", "buffers": {"o": {"type": "u32", "count": 64}, "n": {"type": "u32", "count": 64}},
          "steps": [{"kernel": "k", "grid": [)" +
          std::to_string(ctas) + R"(], "block": [64], "args": [{"buffer": "o"}, {"buffer": "n"}]}],
          "outputs": [{"buffer": "o"}]})",
      "k.json");
  PtxPrograms programs(module);
  reference::AtomicValues values;
  reference::ReferenceOptions options;
  options.observer = &values;
  MemoryImage first_memory, memory;
  LaunchRun first(file, programs, first_memory), run(file, programs, memory);
  for (LaunchRun* each : {&first, &run}) {
    each->prepare();
    values.observe_again();
    ReferenceExecutor executor(options);
    each->run(executor);
  }
  const BufferView output = run.outputs().front();
  std::vector<std::uint8_t> other(output.data.begin(), output.data.end());
  for (std::uint8_t& byte : other) byte ^= 1;
  EXPECT_TRUE(values.explain(output.address, output.data, output.data) || ctas == 1) << "equal";
  return values.explain(output.address, other, output.data);
}

const std::string kTake = "atom.global.add.u32 %y, [%n], 1;\n";

TEST(AtomicValues, AreFollowedThroughRegistersPredicatesLanesAndMemory) {
  EXPECT_TRUE(output_follows_atomics("atom.global.add.u32 %x, [%n], 1;"));
  EXPECT_TRUE(output_follows_atomics("atom.global.exch.b32 %x, [%n], %t;"));
  EXPECT_TRUE(output_follows_atomics("atom.shared.add.u32 %x, [words], 1;"));
  EXPECT_TRUE(output_follows_atomics(kTake + "mad.lo.u32 %x, %y, 3, %t;"));
  EXPECT_TRUE(output_follows_atomics(kTake + "setp.lt.u32 %p, %y, 5; selp.b32 %x, 1, 2, %p;"));
  EXPECT_TRUE(output_follows_atomics(kTake + "setp.lt.u32 %p, %y, 5; mov.u32 %x, 0; @%p mov.u32 %x, 1;"));
  EXPECT_TRUE(output_follows_atomics(kTake + "shfl.sync.bfly.b32 %x, %y, 1, 31, -1;"));
  EXPECT_TRUE(output_follows_atomics(kTake + "st.shared.u32 [%a], %y; ld.shared.u32 %x, [%a];"));
  EXPECT_TRUE(
      output_follows_atomics("atom.global.exch.b32 %y, [%n], %t; bar.sync 0; ld.global.u32 %x, [%n];"))
      << "the word itself: exchanges do not commute";
  EXPECT_TRUE(output_follows_atomics("red.global.add.u32 [%n], 1; bar.sync 0; ld.global.u32 %x, [%n];"))
      << "the other CTA may have added";
}

TEST(AtomicValues, DoNotExplainOtherWords) {
  EXPECT_FALSE(output_follows_atomics(kTake + "mov.u32 %x, %t;"));
  EXPECT_FALSE(output_follows_atomics(kTake + "mov.u32 %x, %y; mov.u32 %x, %t;")) << "written again";
  EXPECT_FALSE(output_follows_atomics(
      kTake + "st.shared.u32 [%a], %y; st.shared.u32 [%a], %t; ld.shared.u32 %x, [%a];"));
  EXPECT_FALSE(
      output_follows_atomics(kTake + "setp.lt.u32 %p, %t, 32; @%p mov.u32 %x, %y; @!%p mov.u32 %x, 7;"))
      << "half of the words";
  EXPECT_FALSE(output_follows_atomics("red.global.add.u32 [%n], 1; bar.sync 0; ld.global.u32 %x, [%n];", 1))
      << "sums of integers commute";
  EXPECT_FALSE(
      output_follows_atomics("red.shared.add.u32 [words], 1; bar.sync 0; ld.shared.u32 %x, [words];"));
  EXPECT_FALSE(output_follows_atomics("add.s64 %n, %n, %w; atom.global.add.u32 %x, [%n], 1;", 1))
      << "one thread a word";
}

}  // namespace
}  // namespace heddle::launch
