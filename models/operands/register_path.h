#pragma once

// The register path of one partition. It builds the configured stages from the top down and sends the
// accesses of collectors and result bus. It also answers the issue stage's queries about all stages.

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
    /// Bound by the caller to the first stage; receives the responses.
    RegisterInitiatorSocket* initiator = nullptr;
    const RegisterFileParameters* parameters = nullptr;
    int max_warps = 48;
    StatsScope stats;
    int partitions = 1;  ///< RegisterStageContext::partitions and schedulers
    int schedulers = 1;
    RegisterStageServices services{};
  };

  /// Builds the stages and binds each to the one below. Throws Error for an invalid order of stages.
  explicit RegisterPath(const Wiring& wiring);

  Clock& clock() { return *clock_; }
  bool may_send(Sender sender) const {
    return credits_[static_cast<std::size_t>(sender)].may_send(clock_->now());
  }
  /// Offers a result of the result bus, or an announcement or release of the collectors. After a refusal, the
  /// caller must wait for may_send().
  RegisterAnswer take(Sender sender, RegisterAccess& access) {
    const RegisterAnswer answer = top_->take(access);
    if (answer == RegisterAnswer::refused)
      refused(sender);
    else if (sender == Sender::result_bus)
      ++writes_;
    return answer;
  }
  /// Offers the reads of one instruction, in order, up to the first refusal.
  ReadsTaken take_reads(Sender sender, std::span<RegisterAccess> reads) {
    const ReadsTaken taken = top_->take_reads(reads);
    reads_ += taken.count;
    if (taken.count < reads.size()) refused(sender);
    return taken;
  }
  void retried() {
    for (CycleCredit& credit : credits_) credit.retried(clock_->now());
  }

  /// Cycles that the path adds to a read without conflicts: the sum of the stages' latencies.
  int read_latency_cycles() const;
  const std::vector<std::unique_ptr<RegisterStage>>& stages() const { return stages_; }
  /// Words that the path has accepted.
  RegisterFlow taken() const { return {reads_.value(), writes_.value()}; }

  /// Architected registers by which warps are admitted, and the mapping that places them.
  std::uint32_t registers() const { return architected_; }
  std::uint32_t free_registers() const { return architected_ - bound_; }
  const RegisterMapping& mapping() const { return *mapping_; }
  /// Writes the physical entries by bank into `budget`.
  void budget(RegisterBudget& budget) const;

  /// True if a stage wants any of these accesses.
  bool wants(RegisterWants some) const { return wants_ & some; }
  /// Subscribes the stages to life events of the partition's warps. The path sends warp_gone: one cycle after
  /// warp_ends, before any module runs.
  void subscribe(LifeChannel& life, std::size_t partition);
  /// Maps a warp's registers. Must be called before the warp begins.
  void bind(WarpId warp, std::uint32_t registers);
  /// Frees the warp's registers for another warp. Must be called after all subscribers of warp_gone.
  void unmap(WarpId warp);
  ActiveSlots& slots() { return slots_; }
  const ActiveSlots& slots() const { return slots_; }
  void settle(Cycle cycle);
  /// Registers that release flags of the program name; cleared when a kernel begins.
  DyingWords& dying() { return dying_; }

  /// Returns the current architected value of a register.
  LaneVec debug_read(WarpId warp, RegId reg);
  /// Flips one bit of the register in the uppermost stage that holds it. Returns false if no stage does.
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
  RegisterStage* top_ = nullptr;                        ///< first element of stages_
  RegisterWants wants_ = 0;
  LifeChannel* life_ = nullptr;
  std::vector<WarpId> ending_;  ///< warps that have ended in this cycle
  ActiveSlots slots_;
  DyingWords dying_;
  Counter &reads_, &writes_;
};

}  // namespace heddle
