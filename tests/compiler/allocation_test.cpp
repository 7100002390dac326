// Register allocation stays within its limits, spills correctly and rarely, and compiles large kernels
// quickly.

#include <gtest/gtest.h>

#include <chrono>

#include "models/compiler/i_compiler_pass.h"
#include "models/compiler/listing.h"
#include "models/core/error.h"
#include "tests/compiler/compiler_harness.h"

namespace heddle::compiler {
namespace {

using test::expect_same;
using test::kernel;
using test::limits;
using test::with_passes;

std::string many_live(int n, const std::string& between = "") {
  std::string body = ".reg .b32 %r<" + std::to_string(n + 1) + ">;\n";
  for (int r = 0; r < n; ++r)
    body += "ld.global.u32 %r" + std::to_string(r) + ", [%in+" + std::to_string(512 * (r % 32)) + "];\n";
  body += between;
  for (int r = 0; r < n; ++r)
    body += "add.u32 %r" + std::to_string(n) + ", %r" + std::to_string(r) + ", %r" +
            std::to_string((r + 1) % n) + ";\nst.global.u32 [%out+" + std::to_string(512 * (r % 127)) +
            "], %r" + std::to_string(n) + ";\n";
  return body;
}

int spill_code(const isa::Program& program) {
  int count = 0;
  for (const auto& i : program.code) count += i.overhead && i.is_memory();
  return count;
}

TEST(Allocation, UsesNoMoreThanIsLive) {
  const isa::Program p = expect_same(kernel(many_live(20)), limits(63));
  CompilationUnit unit(p);
  EXPECT_LE(p.registers, static_cast<std::uint32_t>(unit.thread_liveness().max_words()) + 1);
  EXPECT_EQ(p.local_bytes, 0u);
  EXPECT_TRUE(p.register_names.empty());
}

TEST(Allocation, KeepsEveryLimit) {
  const isa::Program parsed = kernel(many_live(40));
  int last = 0;
  for (const int n : {63, 48, 40, 32, 24, 17, 16, 12, 9, 8}) {
    SCOPED_TRACE(n);
    const isa::Program p = expect_same(parsed, limits(n));
    EXPECT_GE(spill_code(p), last);
    last = spill_code(p);
  }
  EXPECT_GT(last, 60);
}

// With spilling, a register file of half the size can hold as many warps as the full register file (Jeon
// 2015, 9.2). In this test, an SM holds at most six CTAs of eight warps.
TEST(Allocation, HalfTheFileIsSpilledIntoAtUnchangedResidency) {
  const auto warps_in = [](std::uint32_t file, std::uint32_t registers) {
    return static_cast<int>(std::min(48u, file / registers / 8 * 8));
  };
  for (const int live : {15, 19, 20, 21, 24, 30, 40}) {
    SCOPED_TRACE(live);
    const isa::Program parsed = kernel(many_live(live));
    const isa::Program whole = expect_same(parsed, limits(63));
    CompilerParameters half = with_passes({});
    half.passes.push_back(parse_config_text(R"({"type":"allocate-registers","file_percent":50})", "test"));
    half.resident_warps = [&](const isa::Program& p) { return warps_in(512, p.registers); };
    const isa::Program spilled = expect_same(parsed, half);
    EXPECT_GE(warps_in(512, spilled.registers), warps_in(1024, whole.registers)) << spilled.registers;
    EXPECT_GT(spill_code(spilled), 0);
    EXPECT_TRUE(spilled.registers + 1 >= whole.registers ||
                warps_in(512, spilled.registers + 1) < warps_in(512, spilled.registers))
        << spilled.registers << " of " << whole.registers;
  }
}

TEST(Allocation, SpillCodeIsMarkedAndNamesItsLine) {
  const isa::Program p = expect_same(kernel(many_live(30)), limits(16));
  EXPECT_GT(p.local_bytes, 0u);
  EXPECT_EQ(p.local_bytes % 4, 0u);
  for (const auto& i : p.code) {
    const bool local = i.is_memory() && i.memory.space == isa::Space::local;
    EXPECT_EQ(i.overhead && i.is_memory(), local);
    EXPECT_GT(i.location.ptx_line, 0u);
  }
}

TEST(Allocation, TooFewRegistersIsAnErrorThatNamesTheLine) {
  const isa::Program wide = kernel(
      ".reg .b32 %r<8>;\n.reg .b64 %a;\nmul.wide.u32 %a, %gid, 16;\nadd.s64 %out, %out, %a;\n"
      "mul.wide.u32 %a, %gid, 4;\nsub.s64 %out, %out, %a;\nld.global.v4.u32 {%r0, %r1, %r2, %r3}, [%out];\n"
      "mad.lo.u32 %r4, %r0, %r1, %gid;\nst.global.v4.u32 [%out], {%r4, %r3, %r2, %r1};");
  expect_same(wide, limits(8));
  try {
    compile(wide, limits(5));
    FAIL() << "five registers cannot do";
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find("test.ptx:25: kernel k: 5 registers are too few"), std::string::npos)
        << e.what();
    EXPECT_NE(std::string(e.what()).find("holds 6 at once"), std::string::npos) << e.what();
  }
}

TEST(Allocation, ConstantsAreRecomputedNotSpilled) {
  std::string body = ".reg .b32 %c<20>;\n";
  for (int c = 0; c < 20; ++c)
    body += "mov.u32 %c" + std::to_string(c) + ", " + std::to_string(c * 1000) + ";\n";
  body += ".reg .b32 %s;\nmov.u32 %s, %laneid;\n";
  for (int c = 0; c < 20; ++c) body += "add.u32 %s, %s, %c" + std::to_string(c) + ";\n";
  for (int c = 0; c < 20; ++c) body += "xor.b32 %s, %s, %c" + std::to_string(c) + ";\n";
  body += "st.global.u32 [%out], %s;\n";
  const isa::Program p = expect_same(kernel(body), with_passes({}, 16));
  EXPECT_EQ(spill_code(p), 0);
  EXPECT_EQ(p.local_bytes, 0u);
}

TEST(Allocation, LoopsSpillWhatTheyDoNotUse) {
  const std::string loop =
      ".reg .b32 %k, %a, %b;\n.reg .pred %q;\nmov.u32 %k, 0;\nmov.u32 %a, 1;\nmov.u32 %b, %gid;\n"
      "LOOP: mad.lo.u32 %a, %a, %b, %k;\nxor.b32 %b, %b, %a;\nadd.u32 %k, %k, 1;\nsetp.lt.u32 %q, %k, "
      "20;\n@%q bra LOOP;\n"
      "st.global.u32 [%out+65024], %a;\n";
  const isa::Program p = expect_same(kernel(many_live(24, loop)), limits(16));
  CompilationUnit unit(p);
  EXPECT_GT(spill_code(p), 0);
  for (std::size_t n = 0; n < p.code.size(); ++n)
    if (p.code[n].overhead) {
      EXPECT_EQ(unit.control_flow().block(unit.control_flow().block_of(n)).loop_depth, 0) << n;
    }
}

TEST(Allocation, CopiesAreCoalesced) {
  const isa::Program p = expect_same(
      kernel(".reg .b32 %r<6>;\n.reg .pred %p0;\nld.global.u32 %r0, [%in];\nand.b32 %r1, %r0, 1;\n"
             "setp.eq.u32 %p0, %r1, 0;\n@%p0 bra ELSE;\nadd.u32 %r2, %r0, 3;\nmov.u32 %r4, %r2;\nbra JOIN;\n"
             "ELSE: mul.lo.u32 %r3, %r0, 5;\nmov.u32 %r4, %r3;\nJOIN: st.global.u32 [%out], %r4;"),
      with_passes({}));
  EXPECT_EQ(test::count_of(p, "mov.u32 r"), 2) << test::text_of(p);
}

TEST(Allocation, PredicatesMoveToRegisters) {
  std::string body = ".reg .pred %p<20>;\n.reg .b32 %r<3>;\nld.global.u32 %r0, [%in];\nmov.u32 %r1, 0;\n";
  for (int p = 0; p < 20; ++p)
    body += "setp.lt.u32 %p" + std::to_string(p) + ", %r0, " +
            std::to_string(200'000'000u * static_cast<unsigned>(p)) + ";\n";
  for (int p = 0; p < 20; ++p)
    body += "@%p" + std::to_string(p) + " add.u32 %r1, %r1, " + std::to_string(1 << p) + ";\n";
  for (int p = 0; p < 19; ++p)
    body += "@%p" + std::to_string(p) + " setp.gt.and.u32 %p" + std::to_string(p) + ", %r1, 5, %p" +
            std::to_string(p + 1) + ";\n";
  for (int p = 0; p < 20; ++p)
    body += "@%p" + std::to_string(p) + " xor.b32 %r1, %r1, " + std::to_string(1 << p) + ";\n";
  body += "st.global.u32 [%out], %r1;\n";
  const isa::Program parsed = kernel(body);
  EXPECT_EQ(expect_same(parsed, limits(63, 64)).predicates, 20u);
  for (const int predicates : {12, 7, 5, 4}) {
    SCOPED_TRACE(predicates);
    const isa::Program p = expect_same(parsed, limits(63, predicates));
    EXPECT_EQ(p.predicates, static_cast<std::uint32_t>(predicates));
    EXPECT_EQ(p.local_bytes, 0u);
  }
  EXPECT_GT(expect_same(parsed, limits(8, 4)).local_bytes, 0u);
}

TEST(Allocation, PairsAreEvenAndLocalDepotsKeepTheirPlace) {
  const isa::Program p = expect_same(
      kernel(".local .align 8 .b8 depot[24];\n.reg .b64 %d<12>;\n.reg .b32 %r<4>;\n"
             "ld.global.u32 %r0, [%in];\nst.local.u32 [depot+4], %r0;\nmul.wide.u32 %d0, %r0, %r0;\n"
             "add.s64 %d1, %d0, 1;\nadd.s64 %d2, %d1, %d0;\nxor.b64 %d3, %d2, %d1;\nadd.s64 %d4, %d3, %d0;\n"
             "st.local.u64 [depot+16], %d4;\nadd.s64 %d5, %d4, %d3;\nadd.s64 %d6, %d5, %d2;\nadd.s64 %d7, "
             "%d6, %d1;\n"
             "add.s64 %d7, %d7, %d0;\nld.local.u64 %d8, [depot+16];\nld.local.u32 %r1, [depot+4];\nadd.s64 "
             "%d7, %d7, %d8;\n"
             "mov.b64 {%r2, %r3}, %d7;\nadd.u32 %r2, %r2, %r1;\nst.global.u32 [%out], %r2;\nst.global.u32 "
             "[%out+512], %r3;"),
      limits(9));
  EXPECT_GT(p.local_bytes, 24u);
}

TEST(Allocation, IsFast) {
  const int n = 400;
  std::string loop = ".reg .b32 %k;\n.reg .pred %q;\nmov.u32 %k, 0;\nLOOP:\n";
  for (int round = 0; round < 18; ++round)
    for (int r = 0; r < n; ++r)
      loop += "mad.lo.u32 %r" + std::to_string(r) + ", %r" + std::to_string((r * 7 + round) % n) + ", 3, %r" +
              std::to_string(r) + ";\n";
  loop += "add.u32 %k, %k, 1;\nsetp.lt.u32 %q, %k, 2;\n@%q bra LOOP;\n";
  const isa::Program parsed = kernel(many_live(n, loop));
  ASSERT_GT(parsed.code.size(), 8000u);
  for (const int registers : {255, 63, 16}) {
    const auto start = std::chrono::steady_clock::now();
    const isa::Program p = compile(parsed, limits(registers));
    EXPECT_LT(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(), 10.0);
    EXPECT_LE(p.registers, static_cast<std::uint32_t>(registers));
  }
  expect_same(parsed, limits(63));
}

}  // namespace
}  // namespace heddle::compiler
