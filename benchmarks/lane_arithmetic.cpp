// Measures lane functions, which execute one PTX instruction on 32 lanes, with baseline and with AVX2 host
// instructions. Prints nanoseconds per call.

#include <chrono>
#include <cstdio>
#include <string>
#include <vector>

#include "models/isa/lanes/lane_sets.h"

namespace {

using namespace heddle;
using namespace heddle::isa;

struct Case {
  std::string name;
  Instruction instruction;
};

Case make(const char* name, Opcode op, DataType type, Modifiers modifiers = {},
          DataType source = DataType::none, int result_bits = 0) {
  Case c{name, {}};
  c.instruction.op = op;
  c.instruction.type = type;
  c.instruction.source_type = source == DataType::none ? type : source;
  c.instruction.modifiers = modifiers;
  c.instruction.add_dst(Operand::make_reg(RegId(0), result_bits ? result_bits : bits_of(type)));
  return c;
}

Modifiers part(Part p) {
  Modifiers m;
  m.part = p;
  return m;
}
Modifiers compare(Compare c) {
  Modifiers m;
  m.compare = c;
  return m;
}
Modifiers rounding(Rounding r) {
  Modifiers m;
  m.rounding = r;
  return m;
}
Modifiers approx() {
  Modifiers m;
  m.approx = true;
  return m;
}

std::vector<Case> cases() {
  using enum Opcode;
  using enum DataType;
  return {make("add.s32", add, s32),
          make("add.s64", add, s64),
          make("mul.lo.s32", mul, s32, part(Part::lo)),
          make("mad.lo.s32", mad, s32, part(Part::lo)),
          make("mul.wide.s32", mul, s32, part(Part::wide), none, 64),
          make("mul.hi.u32", mul, u32, part(Part::hi)),
          make("div.u32", div, u32),
          make("and.b32", and_, b32),
          make("lop3.b32", lop3, b32),
          make("shl.b32", shl, b32),
          make("shr.s32", shr, s32),
          make("shl.b64", shl, b64),
          make("bfe.u32", bfe, u32),
          make("popc.b32", popc, b32),
          make("prmt.b32", prmt, b32),
          make("mov.b32", mov, b32),
          make("mov.b64", mov, b64),
          make("selp.b32", selp, b32),
          make("setp.lt.s32", setp, s32, compare(Compare::lt)),
          make("setp.lt.f32", setp, f32, compare(Compare::lt)),
          make("setp.lt.u64", setp, u64, compare(Compare::lt)),
          make("setp.lt.f64", setp, f64, compare(Compare::lt)),
          make("add.f32", add, f32),
          make("mul.f32", mul, f32),
          make("fma.rn.f32", fma, f32, rounding(Rounding::rn)),
          make("fma.rz.f32", fma, f32, rounding(Rounding::rz)),
          make("fma.rn.f64", fma, f64, rounding(Rounding::rn)),
          make("max.f32", max, f32),
          make("div.rn.f32", div, f32, rounding(Rounding::rn)),
          make("sqrt.rn.f64", sqrt, f64, rounding(Rounding::rn)),
          make("ex2.approx.f32", ex2, f32, approx()),
          make("lg2.approx.f32", lg2, f32, approx()),
          make("sin.approx.f32", sin, f32, approx()),
          make("rsqrt.approx.f32", rsqrt, f32, approx()),
          make("cvt.s64.s32", cvt, s64, {}, s32),
          make("cvt.u16.u32", cvt, u16, {}, u32),
          make("cvt.rn.f32.s32", cvt, f32, rounding(Rounding::rn), s32),
          make("cvt.rzi.s32.f32", cvt, s32, rounding(Rounding::rzi), f32),
          make("cvt.rzi.u32.f32", cvt, u32, rounding(Rounding::rzi), f32),
          make("cvt.f64.f32", cvt, f64, {}, f32)};
}

// Every operand has two words (64 bits) with values of moderate size. The same operands then suit all
// instructions and types.
struct Operands {
  LaneVec words[kMaxSources + kMaxDestinations][2];
  LaneOperands view;
  Operands() {
    for (int k = 0; k < kMaxSources + kMaxDestinations; ++k)
      for (int h = 0; h < 2; ++h) {
        for (int i = 0; i < kLanes; ++i)
          words[k][h].lane[i] =
              (h ? 0x3ff00000u : 0x3f800000u) + static_cast<std::uint32_t>(12345 * i + 777 * k);
        if (k < kMaxSources) view.src[k][h] = &words[k][h];
        if (k >= kMaxSources) view.dst[k - kMaxSources][h] = &words[k][h];
      }
    view.pred_src[2] = 0x5a5aa5a5u;
  }
};

double nanoseconds(LaneFunction function, const Instruction& instruction) {
  Operands operands;
  double best = 1e9;
  for (int round = 0; round < 5; ++round) {
    constexpr int calls = 200'000;
    const auto start = std::chrono::steady_clock::now();
    for (int k = 0; k < calls; ++k) {
      function(instruction, operands.view);
      asm volatile("" ::: "memory");
    }
    const std::chrono::duration<double, std::nano> time = std::chrono::steady_clock::now() - start;
    best = std::min(best, time.count() / calls);
  }
  return best;
}

}  // namespace

int main() {
  const bool wide = lanes::host_supports(lanes::LaneSet::avx2);
  std::printf("%-18s %10s %10s\n", "ns a call", "baseline", "avx2");
  for (const Case& c : cases()) {
    std::printf("%-18s", c.name.c_str());
    for (const lanes::LaneSet set : {lanes::LaneSet::baseline, lanes::LaneSet::avx2}) {
      if (set == lanes::LaneSet::avx2 && !wide) continue;
      std::printf(" %10.1f", nanoseconds(lanes::find_lane_function_in(set, c.instruction), c.instruction));
    }
    std::printf("\n");
  }
}
