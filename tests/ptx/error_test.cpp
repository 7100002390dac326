// For each kind of incorrect PTX, the error must contain the position, the text and what is allowed.

#include <gtest/gtest.h>

#include "tests/ptx/ptx_text.h"

namespace heddle::ptx {
namespace {

struct Row {
  const char* body;
  const char* message;
};

TEST(Errors, NamePlaceTextAndWhatIsAllowed) {
  const Row rows[] = {
      {"frob.s32 %r1, %r2;",
       "10:1: unknown instruction \"frob\" in \"frob.s32 %r1, %r2;\" (allowed: abs activemask add"},
      {"add.foo.s32 %r1, %r2, %r3;",
       "10:4: unknown modifier .foo of add in \"add.foo.s32 %r1, %r2, %r3;\" (allowed: .u16"},
      {"add.sat.u32 %r1, %r2, %r3;", "10:1: no such form of add: add.sat.u32"},
      {"mul.s32 %r1, %r2, %r3;", "10:1: no such form of mul: mul.s32"},
      {"tex.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [t, {%f1, %f2}];", "10:41: undeclared name \"t\""},
      {"wmma.load.a.sync.aligned.row.m16n16k16.f16 {%r1}, [%d1];",
       "10:44: the fragment has 1 registers in \"wmma"},
      {"cp.async.bulk.commit_group;", "10:9: not supported yet: bulk copies (cp.async.bulk)"},
      {"add.f16 %h1, %h2, 1.0;", "10:19: add of half precision needs a register here"},
      {"add.sat.bf16 %h1, %h2, %h3;", "10:1: no such form of add: add.sat.bf16"},
      {"cvt.rp.f16x2.f32 %r1, %f1, %f2;", "10:1: no such form of cvt: cvt.rp.f16x2.f32"},
      {"cvt.rn.satfinite.e2m1x2.f32 %h1, %f1, %f2;", "10:17: not supported yet: 4-bit floats"},
      {"mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%f1}, {%r1, %r2}, {%r3}, {%f1, %f2, %f3, %f1};",
       "10:50: the matrix operand has 1 registers in \"mma"},
      {"mma.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32 {%f1}, {%r1}, {%r3}, {%f1};",
       "10:1: no such form of mma: mma.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32"},
      {"mma.sp.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f1}, {%r1}, {%r3}, {%f1}, %r2, 0;",
       "10:4: not supported yet: sparse matrix products"},
      {"ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r1, %r2}, [%r3];",
       "10:42: the matrix operand has 2 registers in \"ldmatrix"},
      {"ldmatrix.sync.aligned.m16n16.x1.trans.shared.b8 {%r1, %r2}, [%r3];",
       "10:22: unknown modifier .m16n16 of ldmatrix"},
      {"ldmatrix.sync.aligned.m8n8.x1.global.b16 {%r1}, [%d3];",
       "10:30: unknown modifier .global of ldmatrix"},
      {"movmatrix.sync.aligned.m8n8.b16 %r1, %r2;",
       "10:1: no such form of movmatrix: movmatrix.sync.aligned.m8n8.b16"},
      {"ld.shared::cluster.u32 %r1, [%r2];", "10:3: not supported yet: clusters"},
      {"mov.u32 %r1, %cluster_ctaid.x;", "10:14: not supported yet: clusters (%cluster_ctaid.x)"},
      {"mov.u32 %r1, %tid.w;", "10:14: unknown special register %tid.w"},
      {"mov.u32 %r1, %pm0;", "10:14: not supported yet: performance counters"},
      {"fence.proxy.async;", "10:6: not supported yet: proxy fences"},
      {"add.s32 %r1, %r2 %r3;", "10:18: expected \";\" after the operands of add, found \"%r3\""},
      {"add.s32 %r1, %r2,", "11:3: undeclared register or name \"ret\" in \"ret;\""},
      {"add.s32 %r1, , %r3;", "10:14: expected an operand, found \",\""},
      {"add.s32 %r1, `, %r3;", "10:14: expected an operand, found unreadable \"`\""},
      {"ld.global.u32 %r1, [%d1;", "10:24: expected \"]\" after an address, found \";\""},
      {"mov.b64 {%r1, %r2, %d1;", "10:23: expected \"}\" after the elements of a vector operand"},
      {"@ add.s32 %r1, %r2, %r3;", "10:6: expected an instruction, found \".s32\""},
      {"@%p1 ;", "10:6: expected an instruction"},
      {"] ;", "10:1: expected an instruction, found \"]\""},
      {".reg .b32;", "10:10: expected the name of a variable"},
      {".reg .wide %x;", "unknown type .wide of a variable"},
      {".reg .align 3 .b32 %x;", "10:13: bad alignment 3"},
      {".frob 1;", "10:1: unknown directive \".frob\""},
      {"bra", "11:3: undefined label \"ret\""},
      {"{ mov.u32 %r1, 0;", "5:17: the body of k is never closed by \"}\""},
      {"add.s32 %r1, %r2, %x;", "10:19: undeclared register or name \"%x\""},
      {"add.s32 %r99, %r2, 1;", "10:9: undeclared register \"%r99\""},
      {"add.s32 %r01, %r2, 1;", "10:9: undeclared register \"%r01\""},
      {"bra NOWHERE;", "10:5: undefined label \"NOWHERE\""},
      {"L: mov.u32 %r1, 0; L: bra L;", "10:20: label \"L\" is defined twice"},
      {"{ M: mov.u32 %r1, 0; } bra M;", "10:28: undefined label \"M\""},
      {"ld.global.u32 %r1, [missing];", "10:20: undeclared name \"missing\""},
      {"@%q bra L; L:", "10:1: undeclared predicate \"%q\""},
      {"@%r1 bra L; L:", "10:1: \"%r1\" is no predicate register"},
      {".reg .b32 %a; .reg .b32 %a;", "10:25: \"%a\" is declared twice"},
      {"brx.idx %r1, list;", "10:14: undefined .branchtargets list"},
      {"add.s32 %d1, %r2, %r3;", "10:9: register %d1 has 64 bits, add needs 32 here"},
      {"add.s32 %r1, %h1, %r3;", "10:14: register %h1 has 16 bits, add needs 32 here"},
      {"add.s32 %r1, %p1, %r3;", "10:14: \"%p1\" is a predicate"},
      {"and.pred %p1, %p2, %r1;", "10:20: \"%r1\" is no predicate register"},
      {"mul.wide.s32 %r1, %r2, %r3;", "10:14: register %r1 has 32 bits, mul needs 64 here"},
      {"ld.global.u64 %r1, [%d1];", "10:15: register %r1 has 32 bits, ld needs 64 or more here"},
      {"ld.global.f64 %r1, [%d1];", "10:15: register %r1 has 32 bits, ld needs 64 or more here"},
      {"ld.global.u32 %r1, [%h1];", "10:20: register %h1 has 16 bits, an address needs 64 or 32"},
      {"cvt.u64.u32 %r1, %r2;", "10:13: register %r1 has 32 bits, cvt needs 64 or more here"},
      {"shl.b64 %d1, %d2, %d3;", "10:19: register %d3 has 64 bits, shl needs 32 here"},
      {"add.f32 %f1, %f2, 1;", "10:19: add needs a floating-point constant here"},
      {"add.s32 %r1, %r2, 1.0;", "10:19: add needs an integer constant here"},
      {"mov.u64 %d1, %tid.x;", "10:14: %tid.x has 32 bits, 64 are needed"},
      {"mov.b32 %r1, {%r2, %r3};", "10:15: register %r2 has 32 bits, mov needs 16 here"},
      {"mov.b32 %r1, {%h1, %h2, %h3};", "10:14: mov cannot pack these elements"},
      {"ld.global.v4.u32 {%r1, %r2}, [%d1];", "10:18: the vector has 2 elements, .v4 needs 4"},
      {"ld.global.v2.u32 %r1, [%d1];", "10:18: a vector of 2 registers is needed here"},
      {"mov.u32 %r1, g;", "10:14: the address of a global variable does not fit 32 bits"},
      {"add.s32 %r1, %r2;", "10:1: add needs 3 operands here, has 2"},
      {"setp.lt.and.s32 %p1, %r1, %r2;", "10:1: setp needs 4 operands here, has 3"},
      {"setp.lt.s32 %p1, %r1, %r2, %p2;", "10:1: setp needs 3 operands here, has 4"},
      {"bar.sync;", "10:1: bar needs 1 to 2 operands here, has 0"},
      {"add.s32 1, %r2, %r3;", "10:9: the destination of add must be a register"},
      {"mov.u32 %tid.x, 1;", "10:9: special register %tid.x cannot be written"},
      {"add.s32 %r1|%p1, %r2, %r3;", "10:9: add has one destination here, not two"},
      {"add.s32 %r1, _, %r3;", "10:14: a source of add must be a register or a constant"},
      {"add.s32 %r1, [%d1], %r3;", "10:14: add takes no address here"},
      {"ld.global.u32 %r1, %d1;", "10:20: ld needs an address in brackets here"},
      {"add.s64 %d1, %d2, g;", "10:19: \"g\" is a variable: add cannot take its address"},
      {"ld.shared.u32 %r1, [g];", "10:20: \"g\" lies in .global, the instruction addresses .shared"},
      {"st.param.u32 [n], %r1;", "10:14: kernel parameter \"n\" cannot be written"},
      {"ld.param.u64 %d1, [n];", "10:19: access past the end of parameter \"n\""},
      {"add.s32 %r1, !%r2, %r3;", "10:14: only predicates can be negated"},
      {"lop3.b32 %r1, %r2, %r3, %r4, 256;", "10:30: the look-up table of lop3 must be a constant"},
      {"bar.sync 16;", "10:1: barrier number 16 does not exist"},
      {"bar.sync 0, 33;", "10:1: the thread count of a barrier must be a multiple of 32"},
      {"ret %r1;", "10:1: ret takes no operands"},
      {"add.s32 %r1, %r2, 1/0;", "10:20: division by zero in a constant expression"},
      {".global .u32 inside;", "must stand outside of functions"},
  };
  for (const Row& row : rows) {
    const std::string text = test::complaint(row.body, ".global .b8 g[64];");
    EXPECT_EQ(text.rfind("t.ptx:", 0), 0u) << row.body << "\n  says " << text;
    EXPECT_NE(text.find(row.message), std::string::npos) << row.body << "\n  says " << text;
  }
}

}  // namespace
}  // namespace heddle::ptx
