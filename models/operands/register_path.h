#pragma once

// The register path of one partition: the configured stages from the top down, the sender for collectors and
// result bus, and the queries of the issue stage to all stages.

#include <memory>
#include <span>
#include <vector>

#include "models/core/stats.h"
#include "models/operands/active_slots.h"
#include "models/operands/dying_words.h"
#include "models/ports/life_channel.h"
#include "models/ports/register_file_parameters.h"
#include "models/ports/register_map.h"
#include "models/ports/register_stage.h"
#include "models/ports/resource_view.h"

namespace heddle {

class RegisterPath final : private LifeListener, private Clock::Opening {
 public:
  enum class Sender : std::uint8_t { collectors, result_bus, count_ };

  struct Wiring {
    Clock* clock = nullptr;
    RegisterInitiatorSocket* initiator =
        nullptr;  ///< the caller binds it to the first stage, and receives the answers
    const RegisterFileParameters* parameters = nullptr;
    int max_warps = 48;
    StatsScope stats;
    int partitions = 1;  ///< RegisterStageContext::partitions and schedulers
    int schedulers = 1;
    RegisterStageServices services{};
  };

  /// Builds the stages and binds each to the one below.
  explicit RegisterPath(const Wiring& wiring);

  Clock& clock() { return *clock_; }
  bool may_send(Sender sender) const {
    return credits_[static_cast<std::size_t>(sender)].may_send(clock_->now());
  }
  /// Offers a result of the result bus, or an announcement or release of the collectors; after a refusal,
  /// wait for may_send().
  RegisterAnswer take(Sender sender, RegisterAccess& access) {
    const RegisterAnswer answer = top_->take(access);
    if (answer == RegisterAnswer::refused)
      refused(sender);
    else if (sender == Sender::result_bus)
      ++writes_;
    return answer;
  }
  /// The same for the reads of one instruction, in order, up to the first that is refused.
  ReadsTaken take_reads(Sender sender, std::span<RegisterAccess> reads) {
    const ReadsTaken taken = top_->take_reads(reads);
    reads_ += taken.count;
    if (taken.count < reads.size()) refused(sender);
    return taken;
  }
  void retried() {
    for (CycleCredit& credit : credits_) credit.retried(clock_->now());
  }

  /// Cycles that the path adds to an undisturbed read: the sum of the stages' declared latencies.
  int read_latency_cycles() const;
  const std::vector<std::unique_ptr<RegisterStage>>& stages() const { return stages_; }
  /// Words that the path has taken.
  RegisterFlow taken() const { return {reads_.value(), writes_.value()}; }

  /// Registers that warps are admitted by, and where they lie.
  std::uint32_t registers() const { return architected_; }
  std::uint32_t free_registers() const { return architected_ - bound_; }
  const RegisterMapping& mapping() const { return *mapping_; }
  /// Physical entries by bank.
  void budget(RegisterBudget& budget) const;

  /// Some stage wants any of these.
  bool wants(RegisterWants some) const { return wants_ & some; }
  /// Its stages receive life events of the partition's warps. The path owns the phase in which warps end: in
  /// the cycle after warp_ends, before any module runs, it sends warp_gone to the subscribers.
  void subscribe(LifeChannel& life, std::size_t partition);
  /// Maps a warp's registers, before it begins.
  void bind(WarpId warp, std::uint32_t registers);
  /// Its registers are free for another warp. Called after all subscribers of warp_gone.
  void unmap(WarpId warp);
  ActiveSlots& slots() { return slots_; }
  const ActiveSlots& slots() const { return slots_; }
  void settle(Cycle cycle);
  /// Registers that release flags of the program name; cleared as a kernel begins.
  DyingWords& dying() { return dying_; }

  /// The architecturally current value of a register.
  LaneVec debug_read(WarpId warp, RegId reg);
  /// Flips one bit of the register in the uppermost stage that holds it; false if none does.
  bool flip_bit(WarpId warp, RegId reg, int lane, int bit);

 private:
  void kernel_begins(const KernelBegins&) override { dying_.forget(); }
  void warp_ends(WarpId warp) override;
  void open_cycle() override;
  void build(const Wiring& wiring);
  void choose_mapping(const RegisterFileParameters& parameters);
  void refused(Sender sender) {
    top_->await_retry();
    credits_[static_cast<std::size_t>(sender)].refused(clock_->now());
  }

  Clock* clock_;
  RegisterInitiatorSocket* initiator_;
  CycleCredit credits_[static_cast<std::size_t>(Sender::count_)];
  RegisterMap map_;
  RegisterMapping* mapping_ = &map_;
  std::uint32_t architected_ = 0, bound_ = 0;
  std::vector<std::uint32_t> registers_;                ///< by warp
  std::vector<std::unique_ptr<RegisterStage>> stages_;  ///< from the top down
  RegisterStage* top_ = nullptr;                        ///< of stages_, the first
  RegisterWants wants_ = 0;
  LifeChannel* life_ = nullptr;
  std::vector<WarpId> ending_;  ///< warps that have ended in the present cycle
  ActiveSlots slots_;
  DyingWords dying_;
  Counter &reads_, &writes_;
};

}  // namespace heddle
