#include "testbench/cosim/rtl_blocks.h"

#include <algorithm>
#include <iterator>

#include "Vgates_unit.h"
#include "gating_headers.inc"
#include "testbench/cosim/rtl_verilated.h"

namespace heddle::cosim {
namespace {

template <class Verilated>
std::unique_ptr<RtlGating> make() {
  return std::make_unique<VerilatedGating<Verilated>>();
}

struct Block {
  int domains;
  std::unique_ptr<RtlGating> (*make)();
};
constexpr Block kBlocks[] = {
#include "gating_blocks.inc"
};

std::unique_ptr<RtlGating> make_gating(int domains) {
  const auto* block = std::find_if(std::begin(kBlocks), std::end(kBlocks),
                                   [=](const Block& b) { return b.domains == domains; });
  return block == std::end(kBlocks) ? nullptr : block->make();
}

std::unique_ptr<RtlGates> make_gates() { return std::make_unique<VerilatedGates<Vgates_unit>>(); }

}  // namespace

RtlMakers& rtl_makers() {
  static RtlMakers makers{make_gating, make_gates};
  return makers;
}

std::string rtl_gating_sizes() {
  std::string text;
  for (const Block& block : kBlocks) text += (text.empty() ? "" : ", ") + std::to_string(block.domains);
  return text;
}

}  // namespace heddle::cosim
