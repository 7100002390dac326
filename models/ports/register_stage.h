#pragma once

// Base classes of the family "register-file stage": modules between the operand collectors and the register
// banks, such as caches or register renaming, and the banks themselves. A stage is an sc_module with a TLM
// target socket towards the collectors and, unless it is the last stage, an initiator socket towards the
// banks.
//
// A stage processes an access within the call and adds its latency to RegisterAccess::earliest_service. Only
// the banks take accesses in one cycle and serve these accesses in a later cycle. A stage that responds to an
// access later must keep the order of accesses to the same register of a warp.

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "models/core/cycle_credit.h"
#include "models/core/probe.h"
#include "models/core/stats.h"
#include "models/ports/i_life_listener.h"
#include "models/ports/power_domains.h"
#include "models/ports/register_access.h"
#include "models/ports/register_prepare.h"
#include "models/time/clock.h"

namespace heddle {

class RegisterMap;
class WarpHold;
struct PassPoint;
struct RegisterFileParameters;

struct RegisterFlow {
  std::uint64_t reads = 0, writes = 0;
};

/// Pairs of numbers that are equal at the end of a run if no access was lost. A stage computes them from its
/// counters.
struct StageBalance {
  struct Rule {
    std::string what;
    std::uint64_t left = 0, right = 0;
  };
  RegisterFlow passed;
  std::vector<Rule> rules;
};

/// Result for several reads that are offered to a stage in one call. `count`: number of accepted reads,
/// starting with the first. `answered`: bit mask of the reads that the stage completed within the call.
struct ReadsTaken {
  std::uint32_t count = 0, answered = 0;
};

struct RegisterStageServices {
  /// Creates power domains for a stage that gates its own subarrays. nullptr: no stage gates subarrays.
  PowerDomainsMaker* power = nullptr;
  /// True if a module reads RegisterClaims, so that the stage must maintain these claims.
  bool holdings_followed = true;
};

struct RegisterStageContext {
  /// SystemC name of the stage. This name object must live until the stage is built, so that the stage's
  /// sockets become its children in the SystemC hierarchy.
  const sc_core::sc_module_name& name;
  Clock* clock = nullptr;
  StatsScope stats;
  RegisterMap* map = nullptr;
  const RegisterFileParameters* parameters = nullptr;
  int max_warps = 48;
  int partitions = 1;  ///< number of partitions of the SM; warp w belongs to partition w mod partitions
  /// Number of schedulers of this partition. Warp w belongs to scheduler (w/partitions) mod schedulers.
  int schedulers = 1;
  RegisterStageServices services{};
};

/// The object directly above a stage: another stage, or the register port of the collectors.
class RegisterSender {
 public:
  virtual void receive_answer(RegisterAccess& access) = 0;
  virtual void receive_reads(std::span<RegisterAccess* const> reads) {
    for (RegisterAccess* read : reads) receive_answer(*read);
  }
  /// Receives RETRY: the stage below has space for accesses that it refused in earlier cycles.
  virtual void receive_retry() = 0;

 protected:
  ~RegisterSender() = default;
};

class RegisterStage : public ClockedModule, public LifeListener, protected RegisterForwardInterface {
 public:
  using Context = RegisterStageContext;
  static constexpr const char* kFamily = "register-file stage";
  static constexpr const char* kPlace = "gpu.sm.register_file.stages";

  RegisterTargetSocket target;

  explicit RegisterStage(Context& context);

  virtual void probes(const ProbeScope&) {}
  /// Returns the probe point (PassPoint) that shows the accesses which this stage passes to the stage below.
  /// Returns nullptr if no stage is below.
  virtual Probe<PassPoint>* passes() { return nullptr; }
  /// Returns the cycles that this stage adds to the latency of a read without bank conflicts.
  virtual int latency_cycles() const { return 0; }
  /// Returns the optional kinds of accesses that must reach this stage, such as announcements and releases.
  virtual RegisterWants wants() const { return 0; }

  // Called in the cycle in which a warp gets an active slot. Only stages with wants::slots are notified of
  // active slots.
  virtual void warp_activated(WarpId) {}
  /// Called when the warp begins to give up its scheduler's active slot. The stage must free all its storage
  /// for the warp, and write values back if necessary. Results of long-latency operations may still arrive; the
  /// stage must pass these results to the stage below.
  virtual void warp_deactivated(WarpId) {}
  /// Called for a warp that gives up its active slot. True if this stage held no value of the warp at the end
  /// of the previous cycle, so that the slot can be given to another warp.
  virtual bool flushed(WarpId) const { return true; }
  /// True if the warp can give up its active slot now, because its next instructions read no value that this
  /// stage would then lose.
  virtual bool may_leave(WarpId) const { return true; }

  /// Returns the object with which this stage keeps warps from issuing (models/ports/residency.h), or nullptr.
  /// If this stage changes the object in a cycle, the change may hold or free warps only from the next cycle
  /// on, because the issue stage may run before or after this stage.
  virtual WarpHold* hold() { return nullptr; }

  /// True if every access must reach this stage, so that no stage above may complete accesses by itself.
  virtual bool needs_every_access() const { return false; }
  /// True if this stage stores the results that the compiler has assigned to this stage, and does not pass
  /// these results to the stages below.
  virtual bool keeps_annotated() const { return false; }
  /// True if this stage completes some accesses by itself, without the stages below.
  virtual bool keeps_accesses() const { return false; }
  /// If this stage provides a mapping of registers to banks, returns this mapping, otherwise nullptr. If
  /// several stages provide a mapping, the path uses the mapping of the lowest of these stages.
  virtual RegisterMapping* provided_mapping() { return nullptr; }
  /// Fault injection: flips one bit of the access's register in the storage of this stage. Returns false if
  /// the stage does not hold the register. A stage with a mapping first sets `row` and `place` of the access,
  /// as in take().
  virtual bool flip_bit(RegisterAccess&, int /*lane*/, int /*bit*/) { return false; }
  /// Returns pairs of numbers (StageBalance). At the end of a run, both numbers of a pair must be equal.
  /// nullopt: the counters of this stage and of all stages below cannot be checked. `came`: numbers of reads
  /// and writes that this stage has received from above.
  virtual std::optional<StageBalance> balance(const RegisterFlow& /*came*/) const { return std::nullopt; }
  virtual void settle(Cycle) {}
  /// Bit masks of banks, for waveforms. banks_served(): banks that served an access in the last cycle in
  /// which the stage ran. banks_waiting(): banks at which accesses wait. A stage without banks returns 0.
  virtual std::uint64_t banks_served(Cycle) const { return 0; }
  virtual std::uint64_t banks_waiting() const { return 0; }
  /// Connects this stage with the stage below. Throws InternalError for a stage that must be the last stage of
  /// the path.
  virtual void bind_below(RegisterStage& below);
  virtual bool is_last() const { return true; }

  void set_mapping(const RegisterMapping& mapping) { mapping_ = &mapping; }

  /// Connects this stage with the sender above, whose socket is bound to `target`. Both then call each other
  /// directly instead of through sockets.
  void set_above(RegisterSender& sender) {
    above_ = &sender;
    set_reader(sender);
  }
  /// Sets the receiver of responses to reads. This is the sender above, or a sender further up if the stages
  /// between that sender and this stage do not need these responses.
  virtual void set_reader(RegisterSender& sender) { reader_ = &sender; }
  /// Sets the optional kinds of accesses that the stages below need. By default, they receive all kinds.
  void set_wanted_below(RegisterWants wanted) { wanted_below_ = wanted; }
  /// Receives an access (BEGIN_REQ) from the sender above. The stage responds by the return value `answered`,
  /// or later by respond(). The caller of a refused access must call await_retry(). The stage later sends a
  /// RETRY.
  virtual RegisterAnswer take(RegisterAccess& access) = 0;
  /// Receives up to 32 reads of one instruction, in order. Stops at the first read that it refuses.
  virtual ReadsTaken take_reads(std::span<RegisterAccess> reads) {
    return each_of(reads, [this](RegisterAccess& read) { return take(read); });
  }
  void await_retry() { refusals_.note(now()); }

 protected:
  const RegisterMapping& mapping() const { return *mapping_; }

  using Answer = RegisterAnswer;
  template <class Take>
  static ReadsTaken each_of(std::span<RegisterAccess> reads, Take&& take) {
    ReadsTaken taken;
    for (RegisterAccess& read : reads) {
      const Answer answer = take(read);
      if (answer == Answer::refused) break;
      taken.answered |= std::uint32_t{answer == Answer::answered} << taken.count;
      ++taken.count;
    }
    return taken;
  }
  virtual void debug_read(RegisterAccess& access) = 0;

  void respond(RegisterAccess& access) { answer_by(above_, access); }
  void respond_read(RegisterAccess& access) { answer_by(reader_, access); }
  void respond_reads(std::span<RegisterAccess* const> reads) {
    if (reader_) return reader_->receive_reads(reads);
    for (RegisterAccess* read : reads) respond_by_socket(*read);
  }
  bool wanted_below(RegisterWants some) const { return wanted_below_ & some; }

  RegisterSender* reader_ = nullptr;
  /// Sends RETRY up if an access was refused in an earlier cycle. A RETRY in the cycle of the refusal would
  /// make the result depend on module order.
  void retry();
  const CycleRefusals& refusals() const { return refusals_; }

 private:
  tlm::tlm_sync_enum nb_transport_fw(RegisterAccess& access, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) final;
  void b_transport(RegisterAccess& access, sc_core::sc_time& delay) final;
  bool get_direct_mem_ptr(RegisterAccess& access, tlm::tlm_dmi& dmi) final;
  unsigned transport_dbg(RegisterAccess& access) final;

  void answer_by(RegisterSender* sender, RegisterAccess& access) {
    if (sender)
      sender->receive_answer(access);
    else
      respond_by_socket(access);
  }
  void respond_by_socket(RegisterAccess& access);

  CycleRefusals refusals_;
  RegisterAccess retry_note_;
  RegisterSender* above_ = nullptr;
  RegisterWants wanted_below_ = ~RegisterWants{0};
  const RegisterMapping* mapping_ = nullptr;
};

RegisterAnswer offer(RegisterInitiatorSocket& socket, RegisterAccess& access);

/// Probe point for each access that a stage passes down, once the stage below has accepted it. Observers must
/// not change the access.
struct PassPoint {
  using Owner = RegisterStage;
  using View = RegisterAccess;
  struct Answer {};
};

/// Base class of register-file stages that have another stage below. By default the stage passes every access
/// down, and every response and RETRY up. Two connected stages of this class call each other directly instead
/// of through sockets.
class PassingStage : public RegisterStage, private RegisterSender, protected RegisterBackwardInterface {
 public:
  RegisterInitiatorSocket initiator;

  explicit PassingStage(Context& context);
  Probe<PassPoint>* passes() final { return &passes_; }
  void bind_below(RegisterStage& below) final {
    initiator.bind(below.target);
    below_ = &below;
    below.set_above(*this);
    if (reader_ && !wants_read_answers()) below.set_reader(*reader_);
  }
  void set_reader(RegisterSender& sender) final {
    RegisterStage::set_reader(sender);
    if (below_ && !wants_read_answers()) below_->set_reader(sender);
  }
  bool is_last() const final { return false; }
  Answer take(RegisterAccess& access) override { return forward(access); }

 protected:
  virtual void answered(RegisterAccess& access) { respond(access); }
  /// True if answered() must receive the responses to reads. If false, these responses bypass this stage.
  virtual bool wants_read_answers() const { return true; }
  virtual void space_below() { retry(); }
  void debug_read(RegisterAccess& access) override { initiator->transport_dbg(access); }

  /// Sends an access to the stage below. If that stage completes the access within the call, answered() is
  /// not called.
  Answer forward(RegisterAccess& access) {
    const Answer answer = below_->take(access);
    if (answer == Answer::refused)
      below_->await_retry();
    else if (passes_.attached())
      passes_.notify(access);
    return answer;
  }
  ReadsTaken forward_reads(std::span<RegisterAccess> reads) {
    const ReadsTaken taken = below_->take_reads(reads);
    if (taken.count < reads.size()) below_->await_retry();
    if (passes_.attached())
      for (std::uint32_t r = 0; r < taken.count; ++r) passes_.notify(reads[r]);
    return taken;
  }

 private:
  void receive_answer(RegisterAccess& access) final { answered(access); }
  void receive_retry() final { space_below(); }
  tlm::tlm_sync_enum nb_transport_bw(RegisterAccess& access, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) final;
  void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) final {}

  RegisterStage* below_ = nullptr;
  Probe<PassPoint> passes_{*this};
};

}  // namespace heddle
