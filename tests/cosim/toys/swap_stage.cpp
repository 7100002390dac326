// A register stage that stores registers with the bytes of every lane in reverse order. The reversal has a
// probe point.

#include "models/ports/register_stage.h"
#include "tests/cosim/toys/toys.h"

namespace heddle::cosim {
namespace {

LaneVec swapped(const LaneVec& values) {
  LaneVec result;
  for (int i = 0; i < kLanes; ++i) result[i] = __builtin_bswap32(values[i]);
  return result;
}

class ByteSwapStage : public PassingStage {
 public:
  ByteSwapStage(const NoParameters& parameters, Context& context)
      : PassingStage(context), parameters_(parameters) {}
  void probes(const ProbeScope& scope) override { scope.add(probe_); }

 protected:
  void tick() override {}
  // The values of an access belong to the sender, so the bytes of a write must be swapped back: in answered()
  // if the stage below accepts the write, otherwise here.
  Answer take(RegisterAccess& access) override {
    if (access.command != RegisterCommand::write) {
      const Answer answer = forward(access);
      if (answer == Answer::answered && access.command == RegisterCommand::read)
        *access.values = swapped(*access.values);
      return answer;
    }
    const LaneVec before = *access.values;
    LaneVec turned = swapped(before);
    if (probe_.attached()) probe_.answered({now(), before}, turned);
    *access.values = turned;
    const Answer answer = forward(access);
    if (answer != Answer::accepted) *access.values = before;
    return answer;
  }
  void answered(RegisterAccess& access) override {
    if (access.command == RegisterCommand::read || access.command == RegisterCommand::write)
      *access.values = swapped(*access.values);
    respond(access);
  }
  void debug_read(RegisterAccess& access) override {
    PassingStage::debug_read(access);
    *access.values = swapped(*access.values);
  }

 private:
  NoParameters parameters_;
  Probe<SwapPoint> probe_{parameters_};
};

const Registration<RegisterStage, ByteSwapStage> swap_stage_entry{"toy-byte-swap",
                                                                  "turns the bytes of every lane round"};

}  // namespace
}  // namespace heddle::cosim
