// Runs random kernels. The race check of the untimed reference must find the same races as a simple check
// that stores every access.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <bit>
#include <map>
#include <random>

#include "models/isa/address_map.h"
#include "models/ptx/module.h"
#include "models/reference/checks.h"
#include "models/reference/happens_before.h"
#include "testbench/launch/reference_executor.h"

namespace heddle::check_corpus {
namespace {

using reference::ExecutedInstruction;

class AllPairs : public reference::Observer {
 public:
  void after(const ExecutedInstruction& e) override { order_.after(e); }
  void fenced(const ExecutedInstruction& e) override { order_.fenced(e); }
  void arrived(const ExecutedInstruction& e, std::uint32_t barrier) override { order_.arrived(e, barrier); }
  void synchronized(std::uint64_t cta, std::uint32_t barrier, std::uint32_t released) override {
    order_.synchronized(cta, barrier, released);
  }
  void accessed(const ExecutedInstruction& e, std::span<const std::uint64_t, kLanes> addresses) override {
    order_.accessed(e, addresses);
    const reference::CtaClocks& clocks = order_.of(e);
    const isa::Instruction& i = e.instruction;
    for (LaneMask left = e.executing; left != 0; left &= left - 1) {
      const std::uint64_t address = addresses[static_cast<std::size_t>(std::countr_zero(left))];
      const bool shared = isa::window_of(address) == isa::Window::shared;
      for (std::uint64_t b = address; b < address + i.memory.element_bytes; ++b) {
        const Access now{e.cta, e.warp, clocks.clock[e.warp][e.warp], i.op != isa::Opcode::ld,
                         reference::is_ordered(i)};
        auto& bytes = bytes_[{shared ? e.cta + 1 : 0, b}];
        for (const Access& earlier : bytes)
          races_ = races_ || ((earlier.writes || now.writes) && !(earlier.ordered && now.ordered) &&
                              !reference::HappensBefore::is_before(clocks, e.warp, earlier.cta, earlier.warp,
                                                                   earlier.epoch));
        bytes.push_back(now);
      }
    }
  }
  bool races() const { return races_; }

 private:
  struct Access {
    std::uint64_t cta;
    std::uint32_t warp, epoch;
    bool writes, ordered;
  };
  reference::HappensBefore order_;
  std::map<std::pair<std::uint64_t, std::uint64_t>, std::vector<Access>> bytes_;
  bool races_ = false;
};

std::string random_body(std::mt19937& random) {
  const auto pick = [&](int count) { return static_cast<int>(random() % static_cast<unsigned>(count)); };
  std::string body;
  for (int step = 4 + pick(10); step > 0; --step) {
    const int words = 2 + pick(6), at = pick(words);
    const bool shared = pick(2) != 0;
    const std::string sp = shared ? "shared" : "global", base = shared ? "%s" : "%data";
    const char* const kinds[] = {"32 [", "8 ["};
    const std::string form =
        std::string(".u") + kinds[pick(6) == 0 ? 1 : 0] + base + "+" + std::to_string(4 * at) + "]";
    const std::string some = fmt::format("setp.{}.u32 %p1, %w, {}; ", pick(2) ? "eq" : "ge", pick(4));
    switch (pick(8)) {
      case 0:
      case 1:
        body += some + "@%p1 ld." + (pick(5) ? "" : "volatile.") + sp;
        body += ".u32 %r1, [" + base + "+" + std::to_string(4 * at) + "];\n";
        break;
      case 2:
        body += "ld." + sp + ".u32 %r1, [" + base + "+" + std::to_string(4 * at) + "];\n";
        break;
      case 3:
        body += some + "@%p1 st." + (pick(4) ? "" : "volatile.") + sp + form + ", 1;\n";
        break;
      case 4:
        body += some + fmt::format("@%p1 red.{}.add.u32 [{}+{}], 1;\n", sp, base, 4 * at);
        break;
      case 5:
        body += pick(2) ? "membar.gl;\n" : "membar.cta;\n";
        break;
      default:
        body += "bar.sync 0;\n";
    }
  }
  return body;
}

void compare(const std::string& body, int ctas, int warps, int& racing) {
  const std::string text =
      ".version 7.5\n.target sm_75\n.address_size 64\n.visible .entry k(.param .u64 data) {\n"
      ".reg .b32 %t, %w, %s, %r1; .reg .pred %p1; .reg .b64 %data;\n.shared .align 4 .b8 words[64];\n"
      "ld.param.u64 %data, [data]; mov.u32 %t, %tid.x; shr.u32 %w, %t, 5; mov.u32 %s, words;\n" +
      body + "ret; }\n";
  const launch::LaunchFile file = launch::read_launch_text(
      fmt::format(
          R"({{"ptx": "k.ptx", "buffers": {{"d": {{"type": "u32", "count": 16, "init": {{"kind": "zeros"}}}}}},
                      "steps": [{{"kernel": "k", "grid": [{}], "block": [{}], "args": [{{"buffer": "d"}}]}}]}})",
          ctas, 32 * warps),
      "k.json");
  const auto module = ptx::parse_module(text, "k.ptx");
  const auto run_with = [&](const auto& observe) {
    launch::PtxPrograms programs(module);
    MemoryImage memory;
    launch::LaunchRun run(file, programs, memory);
    run.prepare();
    reference::ReferenceOptions options;
    observe(options);
    launch::ReferenceExecutor executor(options);
    run.run(executor);
  };
  AllPairs all;
  reference::Checks checks(reference::read_check_kinds("", "races", {}));
  run_with([&](reference::ReferenceOptions& options) { options.observer = &all; });
  run_with([&](reference::ReferenceOptions& options) { checks.observe(options); });
  racing += all.races();
  EXPECT_EQ(checks.findings().total() != 0, all.races())
      << ctas << " CTAs of " << warps << " warps:\n"
      << body << "\n"
      << (checks.findings().lines().empty() ? "" : checks.findings().lines().front());
}

TEST(CheckCorpus, RacesAreThoseOfAllPairs) {
  std::mt19937 random(7);
  int racing = 0;
  constexpr int kKernels = 800;
  for (int kernel = 0; kernel < kKernels && !HasFailure(); ++kernel) {
    const std::string body = random_body(random);
    compare(body, 1 + kernel % 3, 1 + kernel % 4, racing);
  }
  EXPECT_GT(racing, kKernels / 4);
  EXPECT_LT(racing, kKernels * 9 / 10);
}

}  // namespace
}  // namespace heddle::check_corpus
