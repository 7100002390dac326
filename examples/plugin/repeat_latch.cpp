// SPDX-License-Identifier: Apache-2.0
// A register-file stage with an energy of its own (docs/extending.md). It counts reads of the register that
// the warp has read last. A latch between collectors and banks could supply the value of such a read. The
// stage delays no access.

#include <array>
#include <optional>

#include "models/core/registry.h"
#include "models/ports/register_stage.h"

namespace {

using heddle::RegisterAccess, heddle::RegisterCommand, heddle::RegisterFlow, heddle::StageBalance;

class RepeatLatch : public heddle::PassingStage {
 public:
  RepeatLatch(const heddle::NoParameters&, Context& context)
      : PassingStage(context),
        reads_(context.stats.add("reads", "accesses", "reads that passed")),
        repeats_(context.stats.add("repeats", "accesses", "reads of the register that the warp read last")) {
    last_.fill(heddle::RegId(kNone));
  }

  std::optional<StageBalance> balance(const RegisterFlow& came) const override {
    return StageBalance{came, {{"reads that came, counted", came.reads, reads_.value()}}};
  }

 protected:
  void tick() override {}
  Answer take(RegisterAccess& access) override {
    const Answer answer = forward(access);
    if (answer == Answer::refused || access.command != RegisterCommand::read) return answer;
    ++reads_;
    heddle::RegId& last = last_.at(access.warp.value);
    if (last == access.home) ++repeats_;
    last = access.home;
    return answer;
  }

 private:
  static constexpr std::uint32_t kNone = ~0u;
  heddle::Counter &reads_, &repeats_;
  std::array<heddle::RegId, 64> last_{};  ///< by warp slot
};

const heddle::Registration<heddle::RegisterStage, RepeatLatch> repeat_latch_entry{
    "repeat-latch", "counts reads that a latch could serve", {.before = {"mapping", "banks"}}};

}  // namespace
