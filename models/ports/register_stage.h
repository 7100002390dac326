#pragma once

// Base classes of register-file stages (family "register-file stage"): an sc_module with one TLM target up
// and, unless it is the last, one initiator down. The protocol stands in register_access.h.
//
// A stage works inside the call and adds its own declared latency to RegisterAccess::earliest_service; only
// the banks are a clocked boundary. A stage that keeps an access in order to answer it later owns the order
// of that (warp, register) until it answers.

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

/// Words that came to a stage, or that it let pass, from the start of the run.
struct RegisterFlow {
  std::uint64_t reads = 0, writes = 0;
};

/// Conditions that a stage's own counters must meet at the end of a run, given the accesses from above.
struct StageBalance {
  struct Rule {
    std::string what;
    std::uint64_t left = 0, right = 0;  ///< equal
  };
  RegisterFlow passed;  ///< to the stage below
  std::vector<Rule> rules;
};

/// For reads that were offered together: the number taken, from the first on, and the mask of those that were
/// answered within the call.
struct ReadsTaken {
  std::uint32_t count = 0, answered = 0;
};

/// Services of the SM for stages, besides the path itself.
struct RegisterStageServices {
  PowerDomainsMaker* power =
      nullptr;  ///< for a stage that gates parts of its own; nullptr: nothing can be gated
  /// A subscriber uses the registers that warps hold (RegisterClaims).
  bool holdings_followed = true;
};

/// Constructor argument of every stage of one path.
struct RegisterStageContext {
  /// SystemC name of the module; lives until the stage is built, so that its sockets become its children.
  const sc_core::sc_module_name& name;
  Clock* clock = nullptr;
  StatsScope stats;
  RegisterMap* map = nullptr;  ///< the static map of the path
  const RegisterFileParameters* parameters = nullptr;
  int max_warps = 48;
  int partitions = 1;  ///< of the SM; warp w belongs to partition w mod partitions
  int schedulers = 1;  ///< of this partition; its warp w to scheduler (w / partitions) mod schedulers
  RegisterStageServices services{};
};

/// Stands directly above a stage: a stage, or the register port. The two call each other by RegisterStage::take and by these.
/// At the top of a path something else may be bound to the socket of the first stage, and is answered by it.
class RegisterSender {
 public:
  virtual void hear_answer(RegisterAccess& access) = 0;  ///< BEGIN_RESP
  /// The same for several reads, in this order.
  virtual void hear_reads(std::span<RegisterAccess* const> reads) {
    for (RegisterAccess* read : reads) hear_answer(*read);
  }
  virtual void hear_retry() = 0;  ///< RETRY

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

  /// Lists the points at which its decisions can be observed (models/core/probe.h), if it has any.
  virtual void probes(const ProbeScope&) {}
  /// Cycles that this stage adds to an undisturbed read on its way to the data.
  virtual int latency_cycles() const { return 0; }
  /// Announcements and releases that must reach this stage. Subscriptions to events of kernels, warps and
  /// instructions are in hears() (i_life_listener.h): from warp_begins on the warp's registers are mapped; at
  /// warp_gone, which stages receive from the top down, a stage frees its copies.
  virtual RegisterWants wants() const { return 0; }

  // Active slots (operands/active_slots.h): called in the cycle, for stages that want them (wants::slots).
  /// The warp got an active slot of its scheduler. A warp begins as an active one.
  virtual void warp_activated(WarpId) {}
  /// The warp gives up its active slot: nothing of it is in a collector or on its way to the upper levels;
  /// results of long-latency operations may come, and pass to the stage below. The stage frees what it holds
  /// of the warp, with the write-backs that this takes.
  virtual void warp_deactivated(WarpId) {}
  /// True if no value of a deactivated warp is left here, as of the end of the previous cycle.
  virtual bool flushed(WarpId) const { return true; }
  /// True if the warp can leave its active slot without losing values that its next instructions read here.
  virtual bool may_leave(WarpId) const { return true; }

  /// True if no stage that answers accesses may stand above: every access must reach this stage.
  virtual bool needs_every_access() const { return false; }
  /// True if results with this annotation stay here and never reach the stages below.
  virtual bool keeps_annotated() const { return false; }
  /// True if accesses are answered here that the stages below do not see.
  virtual bool keeps_accesses() const { return false; }
  /// The mapping that this stage provides, nullptr if it is none of its business. The lowest one of a path
  /// holds.
  virtual RegisterMapping* provided_mapping() { return nullptr; }
  /// Flips one bit of the storage that holds the access' register in this stage; false if it does not hold
  /// it. A mapping stage sets row and place for those below, as take() does.
  virtual bool flip_bit(RegisterAccess&, int /*lane*/, int /*bit*/) { return false; }
  /// The stage's conservation rules; a stage without any cannot be checked, nor those below it.
  virtual std::optional<StageBalance> balance(const RegisterFlow& /*came*/) const { return std::nullopt; }
  /// Times in states are counted up to, and not including, `cycle`.
  virtual void settle(Cycle) {}
  /// For waveforms: banks (one bit each) that served an access in `cycle`, the last one that ticked, and
  /// banks at which accesses wait; 0 for a stage without banks.
  virtual std::uint64_t banks_served(Cycle) const { return 0; }
  virtual std::uint64_t banks_waiting() const { return 0; }
  /// The stage below; InternalError where this is the last one.
  virtual void bind_below(RegisterStage& below);
  virtual bool is_last() const { return true; }

  void set_mapping(const RegisterMapping& mapping) { mapping_ = &mapping; }

  /// The sender is bound directly to `target`: it offers accesses by take() and receives its notifications.
  void set_above(RegisterSender& sender) {
    above_ = &sender;
    set_reader(sender);
  }
  /// Answers of reads go to this sender: the one above, or the first one above whose stages in between do not
  /// want them.
  virtual void set_reader(RegisterSender& sender) { reader_ = &sender; }
  /// Needs of the stages below; everything, unless set.
  void set_wanted_below(RegisterWants wanted) { wanted_below_ = wanted; }
  /// BEGIN_REQ of the sender above. It is answered by the return value `answered`, or later by respond(). A
  /// stage that refuses calls await_retry() and later sends a RETRY.
  virtual RegisterAnswer take(RegisterAccess& access) = 0;
  /// The same for reads of one instruction (32 at most), in order, up to the first that is refused. For
  /// stages that can decide once for all of them.
  virtual ReadsTaken take_reads(std::span<RegisterAccess> reads) {
    return each_of(reads, [this](RegisterAccess& read) { return take(read); });
  }
  void await_retry() { refusals_.note(now()); }

 protected:
  /// That of the path; known from the first cycle on.
  const RegisterMapping& mapping() const { return *mapping_; }

  using Answer = RegisterAnswer;
  /// One by one, until `take` refuses.
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

  /// BEGIN_RESP up.
  void respond(RegisterAccess& access) { answer_by(above_, access); }
  /// The same for a read, past stages above that do not want it.
  void respond_read(RegisterAccess& access) { answer_by(reader_, access); }
  void respond_reads(std::span<RegisterAccess* const> reads) {
    if (reader_) return reader_->hear_reads(reads);
    for (RegisterAccess* read : reads) respond_by_socket(*read);
  }
  /// True if a stage below wants any of these. Otherwise they need not be passed on.
  bool wanted_below(RegisterWants some) const { return wanted_below_ & some; }

  RegisterSender* reader_ = nullptr;  ///< receiver of the answers of reads
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
      sender->hear_answer(access);
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

/// A stage with another one below it. By default every access, answer and retry passes straight through. The two call each
/// other by take() and by RegisterSender: their sockets show what is bound to what, and pass debug reads.
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
  /// True if answers of reads must come by answered(); false if it only calls respond().
  virtual bool wants_read_answers() const { return true; }
  virtual void space_below() { retry(); }
  void debug_read(RegisterAccess& access) override { initiator->transport_dbg(access); }

  /// BEGIN_REQ down. An access that the stage below answers within the call does not come by answered().
  Answer forward(RegisterAccess& access) {
    const Answer answer = below_->take(access);
    if (answer == Answer::refused) below_->await_retry();
    return answer;
  }
  /// The same for reads of one instruction together: the stage below may decide once for all of them.
  ReadsTaken forward_reads(std::span<RegisterAccess> reads) {
    const ReadsTaken taken = below_->take_reads(reads);
    if (taken.count < reads.size()) below_->await_retry();
    return taken;
  }
  /// Sends an announcement down, if a stage wants it.
  Answer announce_below(RegisterAccess& access) {
    return wanted_below(wants::announcements) ? forward(access) : Answer::answered;
  }

 private:
  void hear_answer(RegisterAccess& access) final { answered(access); }
  void hear_retry() final { space_below(); }
  tlm::tlm_sync_enum nb_transport_bw(RegisterAccess& access, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) final;
  void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) final {}

  RegisterStage* below_ = nullptr;
};

}  // namespace heddle
