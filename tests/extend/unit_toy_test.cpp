// Tests a plug-in that limits the electric current of the FP units: those of a partition accept instructions
// only in one cycle of each period (models/ports/unit_availability.h).

#include <gtest/gtest.h>

#include "models/core/error.h"
#include "models/ports/unit_availability.h"
#include "testbench/output/power_signals.h"
#include "tests/determinism/small_run.h"

namespace heddle::small_run {
namespace {

class CurrentLimit final : public UnitAvailability {
 public:
  CurrentLimit(std::unique_ptr<UnitAvailability> configured, Cycle period, std::uint64_t& used)
      : UnitAvailability(configured->partitions()),
        own_(std::move(configured)),
        period_(period),
        used_(used) {
    varies_ = true;
    next_change_ = 0;
  }

  void begin_kernel(Cycle cycle) override {
    own_->begin_kernel(cycle);
    show(cycle);
  }
  bool advance(Cycle now) override {
    show(now);
    return true;
  }
  void use(Cycle now, std::size_t partition, const InFlight& item) override {
    if (item.footprint->unit == isa::UnitClass::fp) {
      if (!is_open(now)) throw InternalError("an instruction issues to an FP unit that accepts none");
      ++used_;
    }
    own_->use(now, partition, item);
  }
  void leave(Cycle now, std::size_t partition, const InFlight& item) override {
    own_->leave(now, partition, item);
  }
  void settle(Cycle cycle) override { own_->settle(cycle); }
  void check_conservation() const override { own_->check_conservation(); }
  void probes(const ProbeScope& scope) override { own_->probes(scope); }

 private:
  bool is_open(Cycle now) const { return now % period_ == 0; }
  void show(Cycle now) {
    for (std::size_t p = 0; p < partitions_.size(); ++p) {
      partitions_[p].units = own_->units(p);
      if (!is_open(now)) partitions_[p].units[static_cast<std::size_t>(isa::UnitClass::fp)].takes = 0;
    }
    next_change_ = now + 1;
  }

  std::unique_ptr<UnitAvailability> own_;
  Cycle period_;
  std::uint64_t& used_;
};

constexpr int kRounds = 16;

Request request_of_sums() {
  Request request;
  request.body =
      ".reg .b32 %r<4>; .reg .f32 %f<4>; .reg .b64 %o, %i, %d<2>;\n"
      "mov.u32 %r0, %tid.x;\nmul.wide.u32 %d0, %r0, 4;\n"
      "ld.param.u64 %o, [out];\nadd.s64 %o, %o, %d0;\nld.param.u64 %i, [in];\nadd.s64 %i, %i, %d0;\n"
      "ld.global.u32 %r1, [%i];\ncvt.rn.f32.u32 %f0, %r1;\nmov.f32 %f1, %f0;\n";
  for (int i = 0; i < kRounds; ++i) request.body += "add.f32 %f1, %f1, %f0;\n";
  request.body += "st.global.f32 [%o], %f1;\nret;";
  request.threads = 128;
  return request;
}

TEST(UnitToy, ALimitOfTheCurrentDelaysInstructionsAndNothingElse) {
  Request request = request_of_sums();
  const std::vector<std::uint32_t> expected = run_reference(request);
  const Outcome free = run_timed(request);
  EXPECT_EQ(free.out, expected);
  Cycle before = free.cycles;
  for (const Cycle period : {2u, 8u, 64u}) {
    std::uint64_t used = 0;
    request.availability = [&](std::unique_ptr<UnitAvailability> configured) {
      return std::make_unique<CurrentLimit>(std::move(configured), period, used);
    };
    request.inspect = [](Gpu& gpu) {
      EXPECT_TRUE(output::power_signals(gpu.sm(0)).empty()) << "waveforms need no power gating";
    };
    const Outcome limited = run_timed(request);
    EXPECT_EQ(limited.out, expected) << period;
    EXPECT_GE(limited.cycles, before) << period;
    EXPECT_GE(used, std::uint64_t{4} * kRounds) << period;
    before = limited.cycles;
  }
  EXPECT_GE(before, free.cycles + 64 * (kRounds - 1));
}

}  // namespace
}  // namespace heddle::small_run
