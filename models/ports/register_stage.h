#pragma once

// Base classes of register-file stages (family "register-file stage"): modules between the operand collectors
// and the banks, and the banks themselves. A stage is an sc_module with one TLM target up and, unless it is
// the last stage, one initiator down. register_access.h defines the protocol.
//
// A stage works inside the call and adds its declared latency to RegisterAccess::earliest_service. Only the
// banks are a clocked boundary. A stage that keeps an access to answer it later must keep the order of
// accesses to this (warp, register) until the answer.

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
struct RegisterFileParameters;

/// Words that a stage received, or that it passed on, since the start of the run.
struct RegisterFlow {
  std::uint64_t reads = 0, writes = 0;
};

/// Conservation rules of a stage's own counters at the end of a run, given the accesses from above.
struct StageBalance {
  struct Rule {
    std::string what;
    std::uint64_t left = 0, right = 0;  ///< must be equal
  };
  RegisterFlow passed;  ///< words passed to the stage below
  std::vector<Rule> rules;
};

/// Result for several reads that were offered together. `count`: number of accepted reads, from the first on.
/// `answered`: mask of the reads that were answered within the call.
struct ReadsTaken {
  std::uint32_t count = 0, answered = 0;
};

/// Services of the SM for stages, besides the path itself.
struct RegisterStageServices {
  /// For a stage that gates its own parts; nullptr: no part can be gated.
  PowerDomainsMaker* power = nullptr;
  /// True if a subscriber uses RegisterClaims.
  bool holdings_followed = true;
};

/// Constructor argument of every stage of a path.
struct RegisterStageContext {
  /// SystemC name of the module. It lives until the stage is built, so that sockets become children of the
  /// stage.
  const sc_core::sc_module_name& name;
  Clock* clock = nullptr;
  StatsScope stats;
  RegisterMap* map = nullptr;  ///< static map of the path
  const RegisterFileParameters* parameters = nullptr;
  int max_warps = 48;
  int partitions = 1;  ///< partitions of the SM; warp w belongs to partition w mod partitions
  /// Schedulers of this partition; its warp w belongs to scheduler (w / partitions) mod schedulers.
  int schedulers = 1;
  RegisterStageServices services{};
};

/// The object directly above a stage: another stage, or the register port. It calls RegisterStage::take, and
/// the stage below calls the functions of this class. Any other module above the first stage communicates
/// through the socket.
class RegisterSender {
 public:
  virtual void receive_answer(RegisterAccess& access) = 0;  ///< BEGIN_RESP
  /// Responses of several reads, in this order.
  virtual void receive_reads(std::span<RegisterAccess* const> reads) {
    for (RegisterAccess* read : reads) receive_answer(*read);
  }
  virtual void receive_retry() = 0;  ///< RETRY

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

  /// Adds the points at which decisions can be observed (models/core/probe.h), if the stage has any.
  virtual void probes(const ProbeScope&) {}
  /// Cycles that this stage adds to the latency of a read without conflicts.
  virtual int latency_cycles() const { return 0; }
  /// Optional accesses that must reach this stage: announcements and releases. subscriptions() returns the stage's
  /// subscriptions to life events (i_life_listener.h). From warp_begins on, the warp's registers are mapped.
  /// At warp_gone, which stages receive from the top down, a stage frees its copies.
  virtual RegisterWants wants() const { return 0; }

  // Notifications of active slots (operands/active_slots.h), in the same cycle, for stages with wants::slots.
  /// The warp got an active slot of its scheduler. A new warp has an active slot.
  virtual void warp_activated(WarpId) {}
  /// The warp gives up its active slot. None of its operands is in a collector, and no result is on its way
  /// to the upper levels. Results of long-latency operations may still come, and pass to the stage below. The
  /// stage frees all that it holds of the warp, and writes values back as necessary.
  virtual void warp_deactivated(WarpId) {}
  /// True if this stage holds no value of a deactivated warp, as of the end of the previous cycle.
  virtual bool flushed(WarpId) const { return true; }
  /// True if the warp can leave its active slot without losing values that its next instructions read here.
  virtual bool may_leave(WarpId) const { return true; }

  /// True if every access must reach this stage. No stage that answers accesses may then be above it.
  virtual bool needs_every_access() const { return false; }
  /// True if results with this annotation stay here and never reach the stages below.
  virtual bool keeps_annotated() const { return false; }
  /// True if this stage answers accesses that the stages below do not receive.
  virtual bool keeps_accesses() const { return false; }
  /// The mapping that this stage provides, or nullptr. The mapping of the lowest stage that provides one is
  /// used.
  virtual RegisterMapping* provided_mapping() { return nullptr; }
  /// Flips one bit in the storage of the access's register in this stage. Returns false if the stage does not
  /// hold the register. A mapping stage sets row and place for the stages below, as in take().
  virtual bool flip_bit(RegisterAccess&, int /*lane*/, int /*bit*/) { return false; }
  /// The stage's conservation rules. A stage without rules cannot be checked, nor can the stages below it.
  virtual std::optional<StageBalance> balance(const RegisterFlow& /*came*/) const { return std::nullopt; }
  /// Makes the counters of times in states exact up to `cycle`, which is excluded.
  virtual void settle(Cycle) {}
  /// For waveforms, one bit for each bank. banks_served(): banks that served an access in `cycle`, which must
  /// be the last cycle that ran. banks_waiting(): banks with waiting accesses. 0 for a stage without banks.
  virtual std::uint64_t banks_served(Cycle) const { return 0; }
  virtual std::uint64_t banks_waiting() const { return 0; }
  /// Binds the stage below. Throws InternalError if this is the last stage.
  virtual void bind_below(RegisterStage& below);
  virtual bool is_last() const { return true; }

  void set_mapping(const RegisterMapping& mapping) { mapping_ = &mapping; }

  /// The sender is bound directly to `target`: it offers accesses by take() and receives responses by calls.
  void set_above(RegisterSender& sender) {
    above_ = &sender;
    set_reader(sender);
  }
  /// Sets the receiver of read responses: the sender above, or a higher sender if the stages between do not
  /// want them.
  virtual void set_reader(RegisterSender& sender) { reader_ = &sender; }
  /// Sets the optional accesses that the stages below need; all of them unless set.
  void set_wanted_below(RegisterWants wanted) { wanted_below_ = wanted; }
  /// BEGIN_REQ from the sender above. The stage responds by the return value `answered`, or later by
  /// respond(). A caller whose access is refused must call await_retry(). The stage later sends a RETRY.
  virtual RegisterAnswer take(RegisterAccess& access) = 0;
  /// Like take(), for up to 32 reads of one instruction, in order, up to the first refusal. A stage overrides
  /// it if one decision can serve all reads.
  virtual ReadsTaken take_reads(std::span<RegisterAccess> reads) {
    return each_of(reads, [this](RegisterAccess& read) { return take(read); });
  }
  void await_retry() { refusals_.note(now()); }

 protected:
  /// The mapping of the path, which is set from the first cycle on.
  const RegisterMapping& mapping() const { return *mapping_; }

  using Answer = RegisterAnswer;
  /// Offers each access to `take`, in order, until it refuses one.
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

  /// Sends BEGIN_RESP up.
  void respond(RegisterAccess& access) { answer_by(above_, access); }
  /// Sends BEGIN_RESP of a read up, past stages above that do not want it.
  void respond_read(RegisterAccess& access) { answer_by(reader_, access); }
  void respond_reads(std::span<RegisterAccess* const> reads) {
    if (reader_) return reader_->receive_reads(reads);
    for (RegisterAccess* read : reads) respond_by_socket(*read);
  }
  /// True if a stage below wants any of these accesses. Otherwise they need not be passed on.
  bool wanted_below(RegisterWants some) const { return wanted_below_ & some; }

  RegisterSender* reader_ = nullptr;  ///< receiver of the responses of reads
  /// Sends RETRY up if an access was refused in an earlier cycle and not retried since. Do not retry in the
  /// cycle of the refusal: the result would depend on module order.
  void retry();
  /// Refused accesses without a RETRY so far.
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

/// Offers `access` to the target that `socket` is bound to.
RegisterAnswer offer(RegisterInitiatorSocket& socket, RegisterAccess& access);

/// A stage with another stage below it. By default every access, response and retry passes straight through.
/// The two stages call each other directly, by take() and RegisterSender. The sockets record the binding and
/// pass debug reads.
class PassingStage : public RegisterStage, private RegisterSender, protected RegisterBackwardInterface {
 public:
  RegisterInitiatorSocket initiator;

  explicit PassingStage(Context& context);
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
  /// True if responses of reads must come to answered(); false if answered() only calls respond().
  virtual bool wants_read_answers() const { return true; }
  virtual void space_below() { retry(); }
  void debug_read(RegisterAccess& access) override { initiator->transport_dbg(access); }

  /// Sends BEGIN_REQ down. answered() is not called for an access that the stage below answers within the
  /// call.
  Answer forward(RegisterAccess& access) {
    const Answer answer = below_->take(access);
    if (answer == Answer::refused) below_->await_retry();
    return answer;
  }
  /// Sends the reads of one instruction down together, so that the stage below may decide once for all of
  /// them.
  ReadsTaken forward_reads(std::span<RegisterAccess> reads) {
    const ReadsTaken taken = below_->take_reads(reads);
    if (taken.count < reads.size()) below_->await_retry();
    return taken;
  }

 private:
  void receive_answer(RegisterAccess& access) final { answered(access); }
  void receive_retry() final { space_below(); }
  tlm::tlm_sync_enum nb_transport_bw(RegisterAccess& access, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) final;
  void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) final {}

  RegisterStage* below_ = nullptr;
};

}  // namespace heddle
