// Instructions must have the properties that their PTX suffixes state, in any order of the suffixes. Also
// tests guards, carries and barriers.

#include <gtest/gtest.h>

#include <set>

#include "models/core/error.h"
#include "models/ptx/ast.h"
#include "models/ptx/instruction_forms.h"
#include "models/ptx/match_form.h"
#include "tests/ptx/ptx_text.h"

namespace heddle::ptx {
namespace {

using isa::Opcode;
using test::lower;

isa::Instruction first(const std::string& text) { return lower(text).code.front(); }

TEST(Instructions, Arithmetic) {
  EXPECT_EQ(first("mad.wide.s32 %d1, %r1, %r2, %d2;").modifiers.part, isa::Part::wide);
  EXPECT_EQ(first("mul.hi.u32 %r1, %r1, %r2;").modifiers.part, isa::Part::hi);
  const isa::Instruction fma = first("fma.rm.ftz.sat.f32 %f1, %f2, %f3, %f4;");
  EXPECT_EQ(fma.op, Opcode::fma);
  EXPECT_EQ(fma.modifiers.rounding, isa::Rounding::rm);
  EXPECT_TRUE(fma.modifiers.ftz);
  EXPECT_TRUE(fma.modifiers.sat);
  EXPECT_EQ(first("mad.rn.f64 %fd1, %fd2, %fd3, %fd4;").op, Opcode::fma);
  EXPECT_TRUE(first("div.full.f32 %f1, %f2, %f3;").modifiers.full);
  EXPECT_TRUE(first("rcp.approx.ftz.f64 %fd1, %fd2;").modifiers.approx);
  EXPECT_TRUE(first("bfind.shiftamt.u64 %r1, %d1;").modifiers.shift_amount);
  EXPECT_EQ(first("lop3.b32 %r1, %r2, %r3, %r4, 0x96;").modifiers.lut, 0x96);
  EXPECT_EQ(first("lop3.b32 %r1, %r2, %r3, %r4, 0x96;").num_src, 3);
  EXPECT_EQ(first("prmt.b32.ecl %r1, %r2, %r3, %r4;").modifiers.permute, isa::PermuteMode::ecl);
  EXPECT_EQ(first("shf.r.wrap.b32 %r1, %r2, %r3, %r4;").modifiers.funnel, isa::FunnelMode::r_wrap);
  EXPECT_EQ(first("shf.l.clamp.b32 %r1, %r2, %r3, %r4;").modifiers.funnel, isa::FunnelMode::l_clamp);
  EXPECT_FALSE(first("bmsk.wrap.b32 %r1, %r2, %r3;").modifiers.clamp);
  EXPECT_TRUE(first("vabsdiff4.u32.u32.u32.add %r1, %r2, %r3, %r4;").modifiers.accumulate);
  const isa::Instruction dp4a = first("dp4a.s32.u32 %r1, %r2, %r3, %r4;");
  EXPECT_EQ(dp4a.type, isa::DataType::s32);
  EXPECT_EQ(dp4a.source_type, isa::DataType::u32);
}

TEST(Instructions, ComparisonsAndConversions) {
  const isa::Instruction setp = first("setp.ltu.and.ftz.f32 %p1|%p2, %f1, %f2, !%p3;");
  EXPECT_EQ(setp.modifiers.compare, isa::Compare::ltu);
  EXPECT_EQ(setp.modifiers.bool_op, isa::BoolOp::and_);
  EXPECT_EQ(setp.num_dst, 2);
  EXPECT_EQ(setp.num_src, 3);
  EXPECT_TRUE(setp.src[2].negated);
  EXPECT_EQ(first("setp.eq.s32 _|%p2, %r1, 0;").dst[0].kind, isa::Operand::Kind::none);
  const isa::Instruction set = first("set.gt.u32.f64 %r1, %fd1, %fd2;");
  EXPECT_EQ(set.type, isa::DataType::u32);
  EXPECT_EQ(set.source_type, isa::DataType::f64);
  const isa::Instruction cvt = first("cvt.rzi.ftz.sat.u16.f32 %r1, %f1;");
  EXPECT_EQ(cvt.type, isa::DataType::u16);
  EXPECT_EQ(cvt.source_type, isa::DataType::f32);
  EXPECT_EQ(cvt.modifiers.rounding, isa::Rounding::rzi);
  EXPECT_EQ(cvt.dst[0].bits, 32);
  EXPECT_EQ(first("slct.u64.f32 %d1, %d2, %d3, %f1;").source_type, isa::DataType::f32);
}

TEST(Instructions, SuffixesInAnyOrder) {
  const isa::Instruction old_atom = first("atom.global.add.u32 %r1, [%d1], 1;");
  const isa::Instruction new_atom = first("atom.relaxed.gpu.global.add.u32 %r1, [%d1], 1;");
  const isa::Instruction odd_atom = first("atom.add.release.gpu.u32 %r1, [%d1], 1;");
  for (const auto& i : {old_atom, new_atom, odd_atom}) EXPECT_EQ(i.modifiers.atomic, isa::AtomicOp::add);
  EXPECT_EQ(old_atom.memory.space, isa::Space::global);
  EXPECT_EQ(odd_atom.memory.ordering, isa::Ordering::release);
  EXPECT_EQ(first("vote.ballot.sync.b32 %r1, %p1, -1;").modifiers.vote, isa::VoteMode::ballot);
  EXPECT_EQ(first("vote.sync.ballot.b32 %r1, %p1, -1;").modifiers.vote, isa::VoteMode::ballot);
  EXPECT_EQ(first("ld.volatile.global.u32 %r1, [%d1];").memory.ordering, isa::Ordering::volatile_);
  EXPECT_EQ(first("ld.global.volatile.u32 %r1, [%d1];").memory.ordering, isa::Ordering::volatile_);
}

TEST(Instructions, MemoryAccesses) {
  const isa::Instruction ld =
      first("ld.global.nc.L1::no_allocate.L2::128B.v4.f32 {%f1, %f2, %f3, %f4}, [%d1+16];");
  EXPECT_TRUE(ld.memory.non_coherent);
  EXPECT_EQ(ld.memory.elements, 4);
  EXPECT_EQ(ld.memory.element_bytes, 4);
  EXPECT_EQ(ld.num_dst, 4);
  EXPECT_EQ(ld.unit, isa::UnitClass::ldst);
  EXPECT_EQ(first("ld.global.cg.u64 %d1, [%d1];").memory.cache, isa::CacheOp::cg);
  EXPECT_EQ(first("ld.acquire.sys.global.u8 %h1, [%d1];").memory.scope, isa::Scope::sys);
  EXPECT_EQ(first("st.global.L2::cache_hint.u32 [%d1], %r1, %d2;").num_src, 2);
  EXPECT_EQ(first("atom.shared.cas.b64 %d1, [%d2], %d3, %d4;").num_src, 3);
  EXPECT_EQ(first("red.global.gpu.relaxed.min.s64 [%d2], %d3;").num_dst, 0);
  EXPECT_EQ(first("membar.gl;").memory.scope, isa::Scope::gpu);
  EXPECT_EQ(first("fence.sc.cta;").memory.scope, isa::Scope::cta);
  EXPECT_EQ(first("ldu.global.f32 %f1, [%d1];").op, Opcode::ld);
  EXPECT_EQ(first("discard.global.L2 [%d1], 128;").op, Opcode::nop);
  EXPECT_EQ(first("prefetch.global.L2 [%d1];").op, Opcode::prefetch);
}

TEST(Instructions, AcrossLanes) {
  const isa::Instruction shfl = first("shfl.sync.bfly.b32 %r1|%p1, %r2, 1, 31, -1;");
  EXPECT_EQ(shfl.modifiers.shuffle, isa::ShuffleMode::bfly);
  EXPECT_TRUE(shfl.modifiers.sync);
  EXPECT_EQ(shfl.num_dst, 2);
  EXPECT_EQ(shfl.num_src, 4);
  EXPECT_EQ(first("shfl.up.b32 %r1, %r2, 1, 0;").num_src, 3);
  EXPECT_EQ(first("match.all.sync.b64 %r1|%p1, %d1, -1;").modifiers.match, isa::MatchMode::all);
  EXPECT_EQ(first("redux.sync.min.s32 %r1, %r2, -1;").modifiers.atomic, isa::AtomicOp::min);
  EXPECT_EQ(first("activemask.b32 %r1;").num_dst, 1);
}

TEST(Instructions, Barriers) {
  const isa::Instruction sync = first("bar.sync 0;");
  EXPECT_EQ(sync.barrier, isa::BarrierKind::sync);
  EXPECT_EQ(sync.num_src, 2);
  EXPECT_EQ(sync.src[1].value, 0u);
  EXPECT_EQ(first("barrier.cta.sync.aligned 3, 64;").src[1].value, 64u);
  EXPECT_EQ(first("barrier.sync %r1, %r2;").src[0].kind, isa::Operand::Kind::reg);
  const isa::Instruction with_count = first("bar.red.popc.u32 %r1, 1, 64, !%p1;");
  const isa::Instruction without = first("bar.red.and.pred %p2, 1, %p1;");
  EXPECT_EQ(with_count.barrier, isa::BarrierKind::red_popc);
  EXPECT_EQ(with_count.num_src, 3);
  EXPECT_EQ(with_count.src[1].value, 64u);
  EXPECT_TRUE(with_count.src[2].negated);
  EXPECT_EQ(without.num_src, 3);
  EXPECT_EQ(without.src[1].value, 0u);
  EXPECT_TRUE(without.src[2].is_pred());
  EXPECT_EQ(first("bar.arrive 2, 96;").barrier, isa::BarrierKind::arrive);
  EXPECT_EQ(first("bar.warp.sync 0xffffffff;").op, Opcode::bar_warp);
}

TEST(Instructions, CarriesAreOnePredicate) {
  const isa::Program p = lower(
      "add.cc.u32 %r1, %r2, %r3; addc.cc.u32 %r1, %r2, %r3; subc.u32 %r1, %r2, %r3; madc.hi.cc.u32 %r1, %r2, "
      "%r3, %r4;");
  EXPECT_EQ(p.predicate_names, std::vector<std::string>{"cc"});
  EXPECT_EQ(p.code[0].num_dst, 2);
  EXPECT_EQ(p.code[0].num_src, 2);
  EXPECT_EQ(p.code[1].num_src, 3);
  EXPECT_TRUE(p.code[1].src[2].is_pred());
  EXPECT_EQ(p.code[2].num_dst, 1);
  EXPECT_TRUE(p.code[2].modifiers.carry_in);
  EXPECT_FALSE(p.code[2].modifiers.carry_out);
  EXPECT_EQ(p.code[3].num_src, 4);
}

TEST(Instructions, EveryInstructionMayBeGuarded) {
  const isa::Program p =
      lower("@%p1 add.s32 %r1, %r2, 1; @!%p1 st.global.u32 [%d1], %r1; @%p2 bar.sync 0; @%p1 ret;");
  EXPECT_TRUE(p.code[0].guard.present);
  EXPECT_FALSE(p.code[0].guard.negated);
  EXPECT_TRUE(p.code[1].guard.negated);
  EXPECT_TRUE(p.code[2].guard.present);
  EXPECT_EQ(p.code[3].op, Opcode::exit);
  EXPECT_TRUE(p.code[3].guard.present);
  EXPECT_EQ(p.code[0].guard.pred, p.code[1].guard.pred);
}

TEST(Instructions, MinimumThatHandsOnNanIsOneInstruction) {
  const isa::Program p = lower("min.NaN.f32 %f1, %f1, %f2;");
  ASSERT_EQ(p.code.size(), 2u);
  EXPECT_EQ(p.code[0].op, Opcode::min);
  EXPECT_TRUE(p.code[0].modifiers.propagate_nan);
}

TEST(Instructions, TypesCountInTheirOrder) {
  const isa::Program p = lower("set.lt.u32.f16 %r1, %h1, %h2;\nset.lt.f16.u32 %h1, %r1, %r2;");
  EXPECT_EQ(p.code[0].type, isa::DataType::u32);
  EXPECT_EQ(p.code[0].source_type, isa::DataType::f16);
  EXPECT_EQ(p.code[1].type, isa::DataType::f16);
  EXPECT_EQ(p.code[1].source_type, isa::DataType::u32);
}

TEST(Instructions, HalvesAreDeclaredAsBits) {
  const isa::Program p = lower(
      ".reg .f16 %a<3>; .reg .f16x2 %b<3>; .reg .pred %q<2>;\nfma.rn.f16 %a0, %a1, %a2, %a0;\n"
      "cvt.rn.relu.f16x2.f32 %b0, %f1, %f2;\nsetp.lt.f16x2 %q0|%q1, %b1, %b2;");
  EXPECT_EQ(p.code[0].dst[0].bits, 16);
  EXPECT_EQ(p.code[1].num_src, 2);
  EXPECT_TRUE(p.code[1].modifiers.relu);
  EXPECT_EQ(p.code[2].num_dst, 2);
}

// Cache policies must be accepted. Their value is the number 0, which the model does not use.
TEST(Instructions, CachePoliciesAreZero) {
  for (const char* const text :
       {"createpolicy.fractional.L2::evict_last.b64 %d1, 0f3F800000;",
        "createpolicy.fractional.L2::evict_first.L2::evict_unchanged.b64 %d1;",
        "createpolicy.range.global.L2::evict_last.L2::evict_first.b64 %d1, [%d2], 4096, %r1;",
        "createpolicy.range.L2::evict_normal.b64 %d1, [%d2], %r1, %r2;",
        "createpolicy.cvt.L2.b64 %d1, 0x10f0000000000000;"}) {
    const isa::Instruction policy = first(text);
    EXPECT_EQ(policy.op, Opcode::mov) << text;
    EXPECT_EQ(policy.src[0].value, 0u) << text;
  }
  EXPECT_EQ(
      lower("createpolicy.cvt.L2.b64 %d1, 1;\nld.global.L2::cache_hint.u32 %r1, [%d2], %d1;").code[1].num_src,
      1);
  EXPECT_THROW(lower("createpolicy.cvt.L2.b64 %d1;"), Error);
  EXPECT_THROW(lower("createpolicy.range.L2::evict_normal.b64 %d1, [%d2];"), Error);
}

TEST(Instructions, TheTableOfFormsIsConsistent) {
  std::set<std::string> seen;
  for (const CompiledForm& form : instruction_forms()) {
    EXPECT_TRUE(seen.insert(to_string(form)).second) << to_string(form) << " stands twice";
    Statement s;
    s.name = form.form->mnemonic;
    for (const auto& group : form.groups) s.suffixes.push_back({group.words.front(), {}});
    const Source source{"t.ptx", ""};
    isa::Instruction i;
    EXPECT_NO_THROW(apply_suffixes(match_form(source, s), i)) << to_string(form);
    for (const auto& group : form.groups)
      for (const std::string_view word : group.words) EXPECT_EQ(refused_suffix(word), nullptr) << word;
    EXPECT_EQ(refused_mnemonic(s.name), s.name.starts_with("vabsdiff") || s.name == "vadd" || s.name == "vsub"
                                            ? refused_mnemonic("vmad")
                                            : nullptr)
        << s.name;
  }
  EXPECT_GT(seen.size(), 150u);
}

}  // namespace
}  // namespace heddle::ptx
