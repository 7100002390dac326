#include "testbench/cosim/rtl_blocks.h"

#include "Vgates_unit.h"
#include "gating_blocks.inc"
#include "testbench/cosim/rtl_gating_impl.h"

namespace heddle::cosim {
namespace {

class VerilatedGates : public RtlGates {
 public:
  void reset(const Settings& s) override {
    v_->switch_on_blackout = s.switch_on_blackout;
    v_->max_switch_cycles = static_cast<std::uint32_t>(s.max_switch_cycles);
    v_->rst = 1;
    eval({});
    clock({}, {});
    v_->rst = 0;
  }
  void eval(const Inputs& inputs) override {
    v_->clk = 0;
    v_->slots = static_cast<std::uint8_t>(inputs.slots);
    v_->awake = static_cast<std::uint8_t>(inputs.awake);
    v_->blackout = static_cast<std::uint8_t>(inputs.blackout);
    v_->eval();
  }
  void clock(const Counts& enter, const Counts& leave) override {
    v_->active_enter = static_cast<std::uint16_t>(packed(enter.active));
    v_->active_leave = static_cast<std::uint16_t>(packed(leave.active));
    v_->ready_enter = packed(enter.ready);
    v_->ready_leave = packed(leave.ready);
    v_->clk = 1;
    v_->eval();
  }
  bool fp_highest() const override { return v_->fp_highest; }
  unsigned slots_used() const override { return v_->slot_used; }
  int slot_type(int slot) const override { return static_cast<int>(field_of(v_->slot_type, 2 * slot, 2)); }
  int active(int type) const override { return static_cast<int>(field_of(v_->active, kBits * type, kBits)); }
  int ready(int type) const override { return static_cast<int>(field_of(v_->ready, kBits * type, kBits)); }

 private:
  static constexpr int kBits = 7;  // as in CMakeLists.txt
  template <std::size_t n>
  static std::uint32_t packed(const std::array<int, n>& counts) {
    std::uint32_t bits = 0;
    for (std::size_t i = 0; i < n; ++i) bits |= static_cast<std::uint32_t>(counts[i]) << (kBits * i);
    return bits;
  }
  VerilatedContext context_;
  std::unique_ptr<Vgates_unit> v_ = std::make_unique<Vgates_unit>(&context_);
};

}  // namespace

std::unique_ptr<RtlGating> make_rtl_gating(int domains) {
#define HEDDLE_MAKE(count, Verilated) \
  if (domains == count) return std::make_unique<VerilatedGating<Verilated>>();
  HEDDLE_GATING_BLOCKS(HEDDLE_MAKE)
#undef HEDDLE_MAKE
  return nullptr;
}

std::unique_ptr<RtlGates> make_rtl_gates() { return std::make_unique<VerilatedGates>(); }

std::string rtl_gating_sizes() {
  std::string text;
#define HEDDLE_NAME(count, Verilated) text += text.empty() ? #count : ", " #count;
  HEDDLE_GATING_BLOCKS(HEDDLE_NAME)
#undef HEDDLE_NAME
  return text;
}

}  // namespace heddle::cosim
