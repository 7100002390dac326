// Tests function calls in PTX. Calls are inlined; a recursive function has stack frames instead. The tests
// cover parameters in registers and memory, results, guards, returns, nested calls, memory of functions, and
// calls that must be refused.

#include <gtest/gtest.h>

#include <algorithm>

#include "models/isa/address_map.h"
#include "models/isa/kept_calls.h"
#include "models/ptx/module.h"
#include "tests/ptx/ptx_text.h"

namespace heddle::ptx {
namespace {

using isa::Opcode;
using test::complaint;
using test::listing;
using test::lower;
using Lines = std::vector<std::string>;

const std::string kSquare =
    ".func (.param .b32 func_retval0) square(.param .b32 square_param_0)\n"
    "{ .reg .b32 %r<3>; ld.param.u32 %r1, [square_param_0]; mul.lo.s32 %r2, %r1, %r1;\n"
    "  st.param.b32 [func_retval0+0], %r2; ret; }\n";

const std::string kCallSquare =
    "{ .param .b32 param0; st.param.b32 [param0+0], %r7; .param .b32 retval0;\n"
    "call.uni (retval0), square, (param0); ld.param.b32 %r8, [retval0+0]; }";

TEST(Calls, ScalarsTravelInRegisters) {
  EXPECT_EQ(listing(kCallSquare, kSquare), (Lines{"mov.b32 r4, r0", "mov.b32 r1, r4", "mul.lo.s32 r2, r1, r1",
                                                  "mov.b32 r5, r2", "mov.b32 r3, r5"}));
  EXPECT_EQ(lower(kCallSquare, kSquare).register_names,
            (Lines{"%r7", "square.%r1", "square.%r2", "%r8", "param0", "retval0"}));
}

TEST(Calls, EachCallHasRegistersOfItsOwn) {
  const isa::Program once = lower(kCallSquare, kSquare);
  const isa::Program twice = lower(kCallSquare + kCallSquare, kSquare);
  EXPECT_EQ(twice.code.size(), 2 * once.code.size() - 1);
  // Each call has its own copy of the function's registers. Only the kernel's registers %r7 and %r8 are
  // common to both calls, so subtract 2.
  EXPECT_EQ(twice.registers, 2 * once.registers - 2);
}

TEST(Calls, RegistersAndConstantsAsArguments) {
  EXPECT_EQ(listing("call (%r1), square, (5);", kSquare),
            (Lines{"mov.b32 r4, 5", "mov.b32 r1, r4", "mul.lo.s32 r2, r1, r1", "mov.b32 r3, r2",
                   "mov.b32 r0, r3"}));
  const std::string reg_function =
      ".func (.reg .u32 res) twice(.reg .u32 arg, .reg .pred flag) { add.u32 res, arg, arg; ret; }\n";
  EXPECT_EQ(listing("call (%r1), twice, (%r2, %p1);", reg_function),
            (Lines{"mov.b32 r2, r1", "mov.pred p1, p0", "add.u32 r0, r2, r2", "mov.b32 r3, r0"}));
}

TEST(Calls, NarrowArgumentsAreReadFromWideOnes) {
  const std::string f =
      ".func f(.param .b32 a, .param .b32 b) { .reg .b16 %h<2>; .reg .b64 %d1; ld.param.u8 %h1, [a];\n"
      "ld.param.s16 %d1, [b]; ret; }\n";
  EXPECT_EQ(
      listing(
          "{ .param .b32 x; st.param.b32 [x], %r1; .param .b32 y; st.param.b32 [y], %r2; call f, (x, y); }",
          f),
      (Lines{"mov.b32 r5, r0", "mov.b32 r6, r1", "cvt.u16.u8 r2, r5", "cvt.s64.s16 rd3, r6"}));
}

const std::string kPick =
    ".func (.param .b32 r) pick(.param .align 4 .b8 s[12], .param .b32 i) { .reg .b32 %r<9>; .reg .b64 "
    "%d<4>;\n"
    "ld.param.u32 %r1, [i]; ld.param.u32 %r2, [s+4]; mov.b64 %d1, s; ld.param.u32 %r3, [%d1+8]; add.s32 %r4, "
    "%r2, %r3;\n"
    "st.param.b32 [r], %r4; ret; }\n";

TEST(Calls, BlocksWhoseAddressIsTakenLieInLocalMemory) {
  const isa::Program p = lower(
      "{ .param .align 4 .b8 a[12]; st.param.v2.b32 [a], {%r1, %r2}; st.param.b32 [a+8], %r3; .param .b32 "
      "b; st.param.b32 [b], 1; call (%r4), pick, (a, b); }",
      kPick);
  EXPECT_EQ(p.local_bytes, 12u);
  EXPECT_EQ(isa::to_string(p.code[0]), "st.local.v2.b32 [0x2000000], {r0, r1}");
  EXPECT_EQ(isa::to_string(p.code[1]), "st.local.b32 [0x2000008], r2");
  EXPECT_EQ(p.code[4].memory.space, isa::Space::local);
  EXPECT_EQ(p.code[5].src[0].value, isa::kLocalWindow);
  EXPECT_EQ(p.code[6].memory.space, isa::Space::local);
}

TEST(Calls, StructuresBecomeRegistersPieceByPiece) {
  const std::string f =
      ".func f(.param .align 8 .b8 s[16]) { .reg .b64 %d1; .reg .f32 %f<3>; ld.param.u64 %d1, [s];\n"
      "ld.param.v2.f32 {%f1, %f2}, [s+8]; st.global.f32 [%d1], %f2; ret; }\n";
  const isa::Program p = lower(
      "{ .param .align 8 .b8 a[16]; st.param.b64 [a], %d1; st.param.b32 [a+8], %r1; st.param.b32 [a+12], "
      "%r2; call f, (a); }",
      f);
  EXPECT_EQ(p.local_bytes, 0u);
  for (const isa::Instruction& i : p.code) EXPECT_NE(i.op, Opcode::ld);
}

TEST(Calls, PiecesThatOverlapLieInLocalMemory) {
  const std::string f = ".func f(.param .b64 a) { .reg .b32 %r<3>; ld.param.v2.u32 {%r1, %r2}, [a]; ret; }\n";
  const isa::Program p = lower("{ .param .b64 a; st.param.b64 [a], %d1; call f, (a); }", f);
  EXPECT_EQ(p.local_bytes, 8u);
  EXPECT_EQ(p.code[0].op, Opcode::st);
  EXPECT_EQ(p.code[1].op, Opcode::ld);
}

TEST(Calls, GuardsReturnsAndLabels) {
  const std::string f =
      ".func f(.reg .b32 a) { .reg .pred %p1; setp.eq.s32 %p1, a, 0; @%p1 ret; L: @!%p1 bra L; @%p1 bra "
      "OUT; trap; OUT: exit; ret; }\n";
  const isa::Program p = lower("L: @%p1 call f, (%r1); mov.u32 %r2, 1;", f);
  EXPECT_EQ(p.code[0].op, Opcode::bra);
  EXPECT_TRUE(p.code[0].guard.negated);
  EXPECT_EQ(p.code[0].target, 8);
  EXPECT_EQ(p.code[3].op, Opcode::bra);
  EXPECT_TRUE(p.code[3].guard.present);
  EXPECT_EQ(p.code[3].target, 8);
  EXPECT_EQ(p.code[4].target, 4);
  EXPECT_EQ(p.labels[4], "f.L");
  EXPECT_EQ(p.labels[0], "L");
  EXPECT_EQ(p.code[7].op, Opcode::exit);
  EXPECT_EQ(isa::to_string(p.code[8]), "mov.u32 r2, 1");
}

TEST(Calls, LocalMemoryNestsAndIsReused) {
  const std::string top =
      ".func inner() { .local .align 8 .b8 depot[8]; .reg .b64 %d1; mov.u64 %d1, depot; ret; }\n"
      ".func outer() { .local .align 4 .b8 depot[20]; .reg .b64 %d1; mov.u64 %d1, depot; call inner; ret; "
      "}\n";
  const isa::Program p = lower(".local .b8 own[3]; mov.u64 %d1, own; call outer; call inner;", top);
  EXPECT_EQ(p.code[0].src[0].value, isa::kLocalWindow);
  EXPECT_EQ(p.code[1].src[0].value, isa::kLocalWindow + 4);
  EXPECT_EQ(p.code[2].src[0].value, isa::kLocalWindow + 24);
  EXPECT_EQ(p.code[3].src[0].value, isa::kLocalWindow + 8);
  EXPECT_EQ(p.local_bytes, 32u);
}

TEST(Calls, SharedMemoryOfAFunctionExistsOnce) {
  const std::string f = ".func f() { .shared .u32 s; st.shared.u32 [s], 1; ret; }\n";
  const isa::Program p = lower("call f; call f;", f);
  EXPECT_EQ(p.shared_bytes, 4u);
  EXPECT_EQ(p.code[0].src[0].value, p.code[1].src[0].value);
}

TEST(Calls, AliasesAndForwardDeclarations) {
  const std::string top = ".func g();\n.alias h, g;\n.func g() { .reg .b32 x; mov.u32 x, 3; ret; }\n";
  EXPECT_EQ(listing("call h;", top), (Lines{"mov.u32 r0, 3"}));
}

// Each of twenty functions calls the next function twice, so inlining would copy the last function a million
// times. The compiler must end with an error before the memory is full.
TEST(Calls, DoublingIsRefusedBeforeItFillsTheMemory) {
  std::string top = ".func f20(.reg .b32 x) { ret; }\n";
  for (int f = 19; f >= 0; --f)
    top += ".func f" + std::to_string(f) + "(.reg .b32 x) { call f" + std::to_string(f + 1) +
           ", (x); call f" + std::to_string(f + 1) + ", (x); ret; }\n";
  EXPECT_NE(complaint("call f0, (%r1);", top).find("kernel k makes more than 20000 calls"),
            std::string::npos);
}

TEST(Calls, Refused) {
  struct Row {
    const char* body;
    const char* top;
    const char* message;
  };
  const Row rows[] = {
      {"call f, (%r1);", ".func f(.reg .v2 .b32 p) { call f, (p); ret; }",
       "not supported: this parameter of a function that may call itself"},
      {"call (%r1), vprintf, (%d1, %d2);",
       ".extern .func (.param .b32 r) vprintf(.param .b64 a, .param .b64 b);",
       "not supported: printf whose format is no constant string"},
      {"call __assertfail, (%d1);", ".extern .func __assertfail(.param .b64 a);",
       "__assertfail has 4 or 5 arguments"},
      {"call (%r1), cudaDeviceSynchronize, ();", ".extern .func (.param .b32 r) cudaDeviceSynchronize();",
       "not supported yet: device runtime"},
      {"call other;", ".extern .func other();", "whose body is in another file"},
      {"call (%r1), %d1, (%r2);", "", "the call through %d1 names no list of functions and no prototype"},
      {"call (%r1), %d1, (%r2), proto;", "",
       "the call through %d1 names no list of functions and no prototype"},
      {"call %r1, list;  list: .calltargets f;", ".func f() { ret; }", "register %r1 has 32 bits"},
      {"call (%r1), %d1, (%r2), list;  list: .calltargets f;", ".func f() { ret; }",
       "call of f with 1 arguments and 1 results"},
      {"call nobody;", "", "call of an undeclared function \"nobody\""},
      {"call f, (%r1);", ".func f() { ret; }",
       "call of f with 1 arguments and 0 results in \"call f, (%r1);\" (allowed: 0 arguments and 0 results)"},
      {"{ .param .b32 a; call f, (a); }", ".func f(.param .b64 x) { ret; }", "argument \"a\" has 4 bytes"},
      {"call f, (%r1);", ".func f(.param .b64 x) { ret; }", "register %r1 has 32 bits"},
      {"{ .param .b32 a; call f, (a); }", ".func f(.reg .b64 x) { ret; }",
       "\"a\" cannot hold a register of 64 bits"},
      {"{ .param .b32 a; call (a), f; }", ".func (.reg .pred x) f() { ret; }",
       "\"a\" cannot hold a register of 1 bit"},
      {"call (%r1), f;", ".func (.param .b32 x[4]) f() { ret; }", "an array result needs a .param variable"},
      {"call f, (%r1);", ".func f(.param .b32 x[4]) { ret; }", "an array parameter needs a .param variable"},
  };
  for (const Row& row : rows)
    EXPECT_NE(complaint(row.body, row.top).find(row.message), std::string::npos)
        << row.body << "\n  says " << complaint(row.body, row.top);
}

TEST(Calls, FunctionsThatCallThemselvesStandOnceForEachCallFromOutside) {
  const std::string f =
      ".func (.param .b32 r) f(.param .b32 n) { .reg .b32 %v<3>; .reg .pred %q; ld.param.u32 %v1, [n];\n"
      "setp.eq.u32 %q, %v1, 0; @%q bra end; sub.u32 %v2, %v1, 1;\n"
      "{ .param .b32 a; .param .b32 b; st.param.b32 [a], %v2; call (b), f, (a); ld.param.u32 %v2, [b]; }\n"
      "add.u32 %v1, %v1, %v2; end: st.param.b32 [r], %v1; ret; }\n";
  const std::string call = "call (%r1), f, (%r2);";
  const isa::Program once = lower(call, f), twice = lower(call + call, f);
  EXPECT_LE(twice.code.size(), 2 * once.code.size());
  EXPECT_EQ(once.local_bytes, 1024u);
  // A register whose value is used after the call must be saved before the call.
  const auto touches = [&](Opcode op) {
    return std::count_if(once.code.begin(), once.code.end(), [&](const isa::Instruction& i) {
      return i.op == op && i.memory.space == isa::Space::local;
    });
  };
  // stores to the stack: two arguments, two return addresses, the result, and the saved %v1
  EXPECT_EQ(touches(Opcode::st), 6);
  // loads from the stack: the parameter, two results, the return address, and the saved %v1
  EXPECT_EQ(touches(Opcode::ld), 5);
  ASSERT_EQ(once.runtime_calls.size(), 2u);
  EXPECT_EQ(isa::assertion_text(once.runtime_calls[0]),
            "the stack of 1024 bytes a thread is too small for the call of f (t.ptx:14, in k)");
}

TEST(Calls, RegistersMeanAllFunctionsOfTheirKindWhoseAddressIsTaken) {
  const std::string functions =
      ".func a(.param .b32 x) { ret; }\n.func b(.param .b32 x) { ret; }\n.func c(.param .b64 x) { ret; }\n"
      ".func d(.param .b32 x) { ret; }\n.global .u64 table[3] = {a, c, b};\n";
  const isa::Program p =
      lower("proto: .callprototype _ (.param .b32 _);\n call %d1, (%r1), proto;", functions);
  EXPECT_EQ(std::count_if(p.code.begin(), p.code.end(), [](const auto& i) { return i.op == Opcode::setp; }),
            2);
  ASSERT_EQ(p.runtime_calls.size(), 1u);
  EXPECT_NE(isa::assertion_text(p.runtime_calls[0]).find("none of 2 functions"), std::string::npos);
}

// The untimed reference may execute a call instead of inlined code. The active lanes can then differ from
// those in the inlined code, and results of operations across lanes (such as votes) depend on the active
// lanes. Calls of recursive functions with such operations must therefore be lowered for the reference too.
TEST(Calls, AreKeptForTheReferenceWhereItMayDecideWhichLanesAreTogether) {
  const auto calls_of = [](const std::string& inside) {
    const std::string f = ".func (.param .b32 r) f(.param .b32 n) { .reg .b32 %v<3>; .reg .pred %q; " +
                          inside +
                          " ld.param.u32 %v1, [n]; call (%v2), f, (%v1); st.param.b32 [r], %v2; ret; }\n";
    const auto module = parse_module(test::kernel_text("call (%r1), f, (%r2);", f), "t.ptx");
    const isa::Program program = lower_kernel(*module, "k", kDefaultStackBytes, Calls::kept);
    return std::count_if(program.code.begin(), program.code.end(), isa::is_kept_call);
  };
  EXPECT_EQ(calls_of(""), 2);
  EXPECT_EQ(calls_of("activemask.b32 %v1;"), 0);
  EXPECT_EQ(calls_of("vote.sync.all.pred %q, %q, -1;"), 0);
}

TEST(Calls, TheAddressOfAFunctionOnlyNamesIt) {
  const isa::Program p = lower("mov.u64 %d1, f; mov.u64 %d2, g;", ".func f() { ret; }\n.func g() { ret; }\n");
  EXPECT_NE(p.code[0].src[0].value, 0u);
  EXPECT_NE(p.code[0].src[0].value, p.code[1].src[0].value);
}

}  // namespace
}  // namespace heddle::ptx
