#include "testbench/cosim/rtl_blocks.h"

#include "Vgates_unit.h"
#include "gating_blocks.inc"
#include "testbench/cosim/rtl_verilated.h"

namespace heddle::cosim {
namespace {

std::unique_ptr<RtlGating> make_gating(int domains) {
#define HEDDLE_MAKE(count, Verilated) \
  if (domains == count) return std::make_unique<VerilatedGating<Verilated>>();
  HEDDLE_GATING_BLOCKS(HEDDLE_MAKE)
#undef HEDDLE_MAKE
  return nullptr;
}

std::unique_ptr<RtlGates> make_gates() { return std::make_unique<VerilatedGates<Vgates_unit>>(); }

}  // namespace

RtlMakers& rtl_makers() {
  static RtlMakers makers{make_gating, make_gates};
  return makers;
}

std::string rtl_gating_sizes() {
  std::string text;
#define HEDDLE_NAME(count, Verilated) text += text.empty() ? #count : ", " #count;
  HEDDLE_GATING_BLOCKS(HEDDLE_NAME)
#undef HEDDLE_NAME
  return text;
}

}  // namespace heddle::cosim
