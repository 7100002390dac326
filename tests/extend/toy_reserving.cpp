// A plug-in register stage that reserves a slot for every destination word of an announced instruction. It
// frees the slot when the result is written, or when an operand file has kept it. An instruction with more
// words than slots waits until all are free.

#include "models/core/registry.h"
#include "models/ports/register_stage.h"

namespace heddle {
namespace {

struct ReservingParameters {
  int places = 32;
  void fields(FieldVisitor& v) { v.field("places", places, {1, 4096}, "results that may be under way"); }
};

class Reserving : public PassingStage {
 public:
  Reserving(const ReservingParameters& p, Context& context)
      : PassingStage(context),
        places_(p.places),
        reserved_(static_cast<std::size_t>(context.max_warps) * 256),
        waits_(context.stats.add("waits", "accesses", "announcements refused for want of a place")) {}

  RegisterWants wants() const override { return wants::prepares; }
  LifeSet subscriptions() const override { return {Life::completed}; }
  std::optional<StageBalance> balance(const RegisterFlow& came) const override {
    return StageBalance{came,
                        {{"places, those that are free at the end", static_cast<std::uint64_t>(places_),
                          static_cast<std::uint64_t>(places_ - taken_)}}};
  }
  void completed(const InFlight& item) override {
    for (std::size_t slot = 0; slot < item.instruction->num_dst; ++slot)
      for (std::uint32_t word = 0; word < static_cast<std::uint32_t>(item.instruction->dst[slot].words());
           ++word)
        free_place(item.warp(), RegId(item.instruction->dst[slot].reg.value + word), item.uid);
  }

 protected:
  Answer take(RegisterAccess& access) override {
    if (access.command == RegisterCommand::prepare) return reserve(access);
    const Answer answer = forward(access);
    if (answer != Answer::refused && access.command == RegisterCommand::write && access.instruction)
      free_place(access.warp, access.home, 0);
    return answer;
  }
  void tick() override {
    if (refusals().any_before(freed_in_ + 1)) retry();
  }

 private:
  struct Place {
    bool reserved = false;
    std::uint64_t uid = 0;
  };

  Place& place(WarpId warp, RegId reg) { return reserved_[warp.value * std::size_t{256} + reg.value]; }

  Answer reserve(RegisterAccess& access) {
    const auto words = static_cast<int>(access.prepare->destinations);
    const int taken = taken_ + (freed_in_ == now() ? freed_ : 0);
    if (words != 0 && taken != 0 && taken + words > places_) {
      ++waits_;
      return Answer::refused;
    }
    const Answer answer = forward(access);
    if (answer == Answer::refused) return answer;
    for (const RegisterWord& word : access.prepare->destination_words()) {
      Place& p = place(access.warp, word.home);
      taken_ += !p.reserved;
      p = {true, access.prepare->uid};
    }
    return answer;
  }

  // Frees a slot. `uid`: the instruction that reserved the slot; 0: any instruction.
  void free_place(WarpId warp, RegId reg, std::uint64_t uid) {
    Place& p = place(warp, reg);
    if (!p.reserved || (uid != 0 && p.uid != uid)) return;
    p.reserved = false;
    --taken_;
    freed_ = freed_in_ == now() ? freed_ + 1 : 1;
    freed_in_ = now();
    clock().wake();
  }

  int places_, taken_ = 0, freed_ = 0;
  Cycle freed_in_ = kNever;
  std::vector<Place> reserved_;
  Counter& waits_;
};

const Registration<RegisterStage, Reserving, ReservingParameters> toy_reserving_entry{
    "toy-reserving", "a place for every result, taken before the reads"};

}  // namespace
}  // namespace heddle
