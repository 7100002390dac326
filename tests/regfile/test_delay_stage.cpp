#include "tests/regfile/test_delay_stage.h"

#include "models/core/registry.h"
#include "models/ports/register_stage.h"

namespace heddle {
namespace {

struct TestDelayParameters {
  int added_cycles = 2;
  int queue_entries = 4;
  void fields(FieldVisitor& v) {
    v.field("added_cycles", added_cycles, {0, 100}, "cycles added to every access");
    v.field("queue_entries", queue_entries, {1, 1000}, "accesses that may be under way below");
  }
};

class TestDelay : public PassingStage {
 public:
  TestDelay(const TestDelayParameters& p, Context& context)
      : PassingStage(context),
        parameters_(p),
        refusals_(context.stats.add("refusals", "accesses", "refused because too many were under way")) {}

  std::optional<StageBalance> balance(const RegisterFlow& came) const override {
    return StageBalance{came, {}};
  }
  int latency_cycles() const override { return parameters_.added_cycles; }

 protected:
  Answer take(RegisterAccess& access) override {
    const int freed_now = freed_in_ == now() ? freed_ : 0;
    if (inside_ + freed_now >= parameters_.queue_entries) {
      ++refusals_;
      return refuse();
    }
    const Cycle asked = access.earliest_service;
    access.earliest_service = std::max(asked, now() + 1) + static_cast<Cycle>(parameters_.added_cycles);
    ++inside_;
    const Answer answer = forward(access);
    if (answer == Answer::answered) leave();
    if (answer != Answer::refused) return answer;
    --inside_;
    access.earliest_service = asked;
    return refuse();
  }

  void answered(RegisterAccess& access) override {
    leave();
    respond(access);
  }

  void space_below() override {}

  void tick() override {
    retry();
    if (refusals().any()) clock().wake();
  }

 private:
  void leave() {
    --inside_;
    freed_ = freed_in_ == now() ? freed_ + 1 : 1;
    freed_in_ = now();
  }
  Answer refuse() {
    clock().wake();
    return Answer::refused;
  }

  TestDelayParameters parameters_;
  int inside_ = 0, freed_ = 0;
  Cycle freed_in_ = kNever;
  Counter& refusals_;
};

const Registration<RegisterStage, TestDelay, TestDelayParameters> test_delay_stage_entry{"test-delay",
                                                                                         "for tests"};

}  // namespace

const char* test_delay_stage() { return "test-delay"; }

}  // namespace heddle
