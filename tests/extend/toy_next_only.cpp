// A plug-in front-end stage whose metadata instructions describe only the next instruction. Without the
// parameter `follows`, the stage receives only metadata instructions and the instructions directly after
// them.

#include "models/core/registry.h"
#include "models/frontend/i_front_end_stage.h"

namespace heddle {
namespace {

struct NextOnlyParameters {
  bool follows = false;
  void fields(FieldVisitor& v) { v.field("follows", follows, "receives every instruction"); }
};

class ToyNextOnly : public FrontEndStage {
 public:
  ToyNextOnly(const NextOnlyParameters& p, Context& context)
      : follows_(p.follows),
        words_(context.stats.add("words", "instructions", "metadata decoded")),
        spoken_of_(context.stats.add("spoken_of", "instructions", "instructions that metadata spoke of")),
        others_(context.stats.add("others", "instructions", "other instructions")) {}

  Cycle allow(const Fetch& fetch) override { return fetch.now; }
  FrontEndWants wants() const override {
    return front_end_wants::metadata | (follows_ ? front_end_wants::instructions : 0);
  }
  void decoded(const DecodePlace& place, std::uint64_t& latch) override {
    if (place.instruction().metadata) {
      ++words_;
      latch = 1;
      return;
    }
    ++(latch != 0 ? spoken_of_ : others_);
    latch = 0;
  }

 private:
  bool follows_;
  Counter &words_, &spoken_of_, &others_;
};

const Registration<FrontEndStage, ToyNextOnly, NextOnlyParameters> toy_next_only_entry{
    "toy-next-only", "metadata that speaks of one instruction"};

}  // namespace
}  // namespace heddle
