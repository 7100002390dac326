#pragma once

// Builds the register stages of one partition, from the operand collectors to the banks. Sends the accesses
// of the collectors and the result bus to the first stage. Answers queries of the issue stage, for example
// how many registers are free.

#include <memory>
#include <span>
#include <string>
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

/// Returns the name that stage `i` has in counters of its partition: the name of its type with underscores.
/// If several stages have the same type, the stage nearest to the banks has the plain name. The other stages
/// are numbered from 2, as in register_cache2.
std::string owner_of_stage(const std::vector<ConfigNode>& stages, std::size_t i);

class RegisterPath final : private LifeListener, private Clock::Opening {
 public:
  enum class Sender : std::uint8_t { collectors, result_bus, count_ };

  struct Wiring {
    Clock* clock = nullptr;
    RegisterInitiatorSocket* initiator = nullptr;
    const RegisterFileParameters* parameters = nullptr;
    int max_warps = 48;
    StatsScope stats;
    int partitions = 1;
    int schedulers = 1;
    RegisterStageServices services{};
  };

  /// Throws Error if the order of stages is invalid.
  explicit RegisterPath(const Wiring& wiring);

  Clock& clock() { return *clock_; }
  bool may_send(Sender sender) const {
    return credits_[static_cast<std::size_t>(sender)].may_send(clock_->now());
  }
  /// Offers a write, an announcement or a release to the first stage. After a refusal, the caller must not
  /// offer another access until may_send() is true.
  RegisterAnswer take(Sender sender, RegisterAccess& access) {
    const RegisterAnswer answer = top_->take(access);
    if (answer == RegisterAnswer::refused)
      refused(sender);
    else if (sender == Sender::result_bus)
      ++writes_;
    return answer;
  }
  ReadsTaken take_reads(Sender sender, std::span<RegisterAccess> reads) {
    const ReadsTaken taken = top_->take_reads(reads);
    reads_ += taken.count;
    if (taken.count < reads.size()) refused(sender);
    return taken;
  }
  void retried() {
    for (CycleCredit& credit : credits_) credit.retried(clock_->now());
  }

  /// Returns the cycles that the stages add to a read without conflicts: the sum of their latencies.
  int read_latency_cycles() const;
  const std::vector<std::unique_ptr<RegisterStage>>& stages() const { return stages_; }
  /// Returns the numbers of reads and writes that the register path has accepted so far. Each read or write
  /// accesses one 32-bit register of a warp.
  RegisterFlow taken() const { return {reads_.value(), writes_.value()}; }

  /// Returns the number of architected registers of the partition, from which the SM computes how many warps
  /// fit.
  std::uint32_t registers() const { return architected_; }
  std::uint32_t free_registers() const { return architected_ - bound_; }
  const RegisterMapping& mapping() const { return *mapping_; }
  void budget(RegisterBudget& budget) const;

  bool wants(RegisterWants some) const { return wants_ & some; }
  /// Subscribes the stages to life events of the partition's warps. The register path itself sends the event
  /// warp_gone one cycle after warp_ends, before any module runs.
  void subscribe(LifeChannel& life, std::size_t partition);
  /// Maps the registers of a warp to bank entries. Must be called before the warp begins.
  void bind(WarpId warp, std::uint32_t registers);
  /// Frees the bank entries of a warp. Must be called after all subscribers have processed warp_gone.
  void unmap(WarpId warp);
  ActiveSlots& slots() { return slots_; }
  const ActiveSlots& slots() const { return slots_; }
  void settle(Cycle cycle);
  DyingWords& dying() { return dying_; }

  LaneVec debug_read(WarpId warp, RegId reg);
  /// Fault injection: flips one bit of the register in the first stage that holds it. Returns false if no
  /// stage holds the register.
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
  std::vector<std::uint32_t> registers_;
  std::vector<std::unique_ptr<RegisterStage>> stages_;
  RegisterStage* top_ = nullptr;
  RegisterWants wants_ = 0;
  LifeChannel* life_ = nullptr;
  std::vector<WarpId> ending_;
  ActiveSlots slots_;
  DyingWords dying_;
  Counter &reads_, &writes_;
};

}  // namespace heddle
