// A plug-in register stage: it counts accesses and passes them on.

#include "models/core/registry.h"
#include "models/ports/register_stage.h"

namespace heddle {
namespace {

class ToyCounter : public PassingStage {
 public:
  ToyCounter(const NoParameters&, Context& context)
      : PassingStage(context),
        reads_(context.stats.add("reads", "accesses", "reads that passed")),
        writes_(context.stats.add("writes", "accesses", "writes that passed")) {}

  std::optional<StageBalance> balance(const RegisterFlow& came) const override {
    return StageBalance{came,
                        {{"reads that came, counted", came.reads, reads_.value()},
                         {"writes that came, counted", came.writes, writes_.value()}}};
  }

 protected:
  void tick() override {}
  Answer take(RegisterAccess& access) override {
    const Answer answer = forward(access);
    if (answer == Answer::refused) return answer;
    if (access.command == RegisterCommand::read) ++reads_;
    if (access.command == RegisterCommand::write) ++writes_;
    return answer;
  }

 private:
  Counter &reads_, &writes_;
};

const Registration<RegisterStage, ToyCounter> toy_stage_entry{
    "toy-counter", "counts what passes", {.before = {"mapping", "banks"}, .after = {"level"}}};

}  // namespace
}  // namespace heddle
