// A plug-in operand stage. The instructions of a partition read operands one after another in the order of
// issue, and leave the stage in this order. Supports only register paths whose
// stages want neither announcements of instructions nor releases of registers.

#include <algorithm>
#include <bit>

#include "models/core/error.h"
#include "models/core/registry.h"
#include "models/operands/i_operand_stage.h"

namespace heddle {
namespace {

struct OneByOneParameters {
  int places = 4;
  void fields(FieldVisitor& v) {
    v.field("places", places, {1, 64}, "instructions that wait here at a time");
  }
};

class ToyOneByOne final : public OperandStage {
 public:
  ToyOneByOne(const sc_core::sc_module_name& name, const OneByOneParameters& p, Context& c)
      : OperandStage(name),
        places_{p.places},
        life_(c.life),
        path_(c.path),
        banks_(static_cast<Cycle>(c.parameters.banks.latency_cycles)),
        input_("in", c.port, static_cast<std::size_t>(p.places) + 4),
        output_("out", &c.room),
        taken_(c.stats.add("taken", "warp-instructions", "instructions whose operands were read")) {
    if (path_.wants(wants::announcements | wants::releases))
      throw Error("gpu.sm.register_file.operands", "toy-one-by-one announces nothing, and releases nothing",
                  "stages that want neither");
  }

  InstructionTargetSocket& input() override { return input_.socket; }
  InstructionInitiatorSocket& output() override { return output_.socket; }
  const std::vector<int>& places() const override { return places_; }
  static int least_cycles(const RegisterFileParameters& parameters) {
    return 3 + parameters.banks.latency_cycles;
  }

  Cycle step(Cycle now) override {
    if (item_ && open_ == 0 && next_ == reads_.size() && complete_at_ < now && output_.offer(item_)) {
      item_->operands_at = complete_at_;
      life_.dispatched(*item_);
      item_ = nullptr;
    }
    if (!item_ && input_.can_pop()) take(now);
    if (item_ && next_ < reads_.size() && path_.may_send(RegisterPath::Sender::collectors)) send(now);
    return item_ || !input_.empty() ? now + 1 : kNever;
  }
  bool answered(Cycle now, std::span<RegisterAccess* const> reads) override {
    for (const RegisterAccess* read : reads) arrived(now, *read);
    return true;
  }
  void settle(Cycle) override {}

  bool idle() const override { return !item_ && input_.empty(); }
  int count() const override { return 1; }
  std::uint64_t used() const override { return item_ ? 1 : 0; }
  const InFlight* occupant(int) const override { return item_; }

 private:
  void take(Cycle now) {
    item_ = input_.pop();
    item_->collector = CollectorId(0);
    item_->reads_released = false;
    ++taken_;
    reads_.clear();
    next_ = 0;
    for (const OperandWord& word : item_->footprint->reads_in_order()) {
      RegisterAccess& read = reads_.emplace_back();
      read.set_register(item_->warp(), RegId(word.reg));
      read.mask = item_->mask;
      read.live = item_->live;
      read.values = item_->value(word);
      read.instruction = item_->instruction;
      read.operand = &word;
      read.owner = item_;
    }
    complete_at_ = now + banks_;
    life_.prepared(*item_);
  }
  void send(Cycle now) {
    const std::span<RegisterAccess> rest{reads_.data() + next_, reads_.size() - next_};
    const ReadsTaken taken = path_.take_reads(RegisterPath::Sender::collectors, rest);
    open_ += static_cast<int>(taken.count);
    next_ += taken.count;
    for (std::uint32_t some = taken.answered; some; some &= some - 1)
      arrived(now, rest[static_cast<std::size_t>(std::countr_zero(some))]);
  }
  void arrived(Cycle now, const RegisterAccess& read) {
    complete_at_ = std::max({complete_at_, now, read.data_at});
    --open_;
  }

  std::vector<int> places_;
  LifeChannel& life_;
  RegisterPath& path_;
  Cycle banks_, complete_at_ = 0;
  InstructionInlet input_;
  InstructionOutlet output_;
  InFlight* item_ = nullptr;
  std::vector<RegisterAccess> reads_;
  /// index in reads_ of the next read; the register path has accepted all reads before it
  std::size_t next_ = 0;
  int open_ = 0;
  Counter& taken_;
};

const OperandStageRegistration<ToyOneByOne, OneByOneParameters> toy_one_by_one_entry{
    "toy-one-by-one", "one instruction at a time reads its operands"};

}  // namespace
}  // namespace heddle
