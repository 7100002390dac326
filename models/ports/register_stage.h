#pragma once

// Base classes of register-file stages (family "register-file stage"): an sc_module with one TLM target up
// and, unless it is the last, one initiator down. The protocol stands in register_access.h.
//
// A stage works inside the call and adds its own declared latency to RegisterAccess::earliest_service; only
// the banks are a clocked boundary. A stage that keeps an access in order to answer it later owns the order
// of that (warp, register) until it answers.

#include <memory>
#include <string>

#include "models/core/stats.h"
#include "models/ports/clock.h"
#include "models/ports/register_access.h"

namespace heddle {

class RegisterMap;
struct RegisterFileParameters;

/// What every stage of one path is built with.
struct RegisterStageContext {
  /// SystemC name of the module; lives until the stage is built, so that its sockets become its children.
  const sc_core::sc_module_name& name;
  Clock* clock = nullptr;
  StatsScope stats;
  RegisterMap* map = nullptr;  ///< shared by the stages of the path
  const RegisterFileParameters* parameters = nullptr;
  int max_warps = 48;
};

class RegisterStage : public ClockedModule, protected RegisterForwardInterface {
 public:
  using Context = RegisterStageContext;
  static constexpr const char* kFamily = "register-file stage";

  RegisterTargetSocket target;

  explicit RegisterStage(Context& context);

  /// Cycles that this stage adds to an undisturbed read on its way to the data.
  virtual int latency_cycles() const { return 0; }
  /// Whether prepare announcements have to reach this stage.
  virtual bool hears_prepare() const { return false; }
  /// A warp was placed (its registers are mapped), or ended (nothing of it is in flight any more).
  virtual void warp_begins(WarpId, std::uint32_t /*registers*/) {}
  virtual void warp_ends(WarpId) {}
  /// Flips one bit of the storage that holds (warp, reg) in this stage; false if it does not hold it.
  virtual bool flip_bit(WarpId, RegId, int /*lane*/, int /*bit*/) { return false; }
  /// For waveforms: banks (one bit each) that served an access in `cycle`, the last one that ticked, and
  /// banks at which accesses wait; 0 for a stage without banks.
  virtual std::uint64_t banks_served(Cycle) const { return 0; }
  virtual std::uint64_t banks_waiting() const { return 0; }
  /// The stage below, nullptr for the last one.
  virtual void bind_below(RegisterStage& below) = 0;
  virtual bool is_last() const = 0;

 protected:
  enum class Answer : std::uint8_t { accepted, refused };
  virtual Answer accept(RegisterAccess& access) = 0;
  virtual void debug_read(RegisterAccess& access) = 0;

  void respond(RegisterAccess& access);  ///< BEGIN_RESP up
  void retry();                          ///< RETRY up, if an access was refused since the last one

 private:
  tlm::tlm_sync_enum nb_transport_fw(RegisterAccess& access, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) final;
  void b_transport(RegisterAccess& access, sc_core::sc_time& delay) final;
  bool get_direct_mem_ptr(RegisterAccess& access, tlm::tlm_dmi& dmi) final;
  unsigned transport_dbg(RegisterAccess& access) final;

  bool refused_ = false;
  RegisterAccess retry_note_;
};

/// A stage with another one below it. By default every access, answer and retry passes straight through.
class PassingStage : public RegisterStage, protected RegisterBackwardInterface {
 public:
  RegisterInitiatorSocket initiator;

  explicit PassingStage(Context& context);
  void bind_below(RegisterStage& below) final { initiator.bind(below.target); }
  bool is_last() const final { return false; }

 protected:
  Answer accept(RegisterAccess& access) override { return forward(access); }
  virtual void answered(RegisterAccess& access) { respond(access); }
  virtual void space_below() { retry(); }
  void debug_read(RegisterAccess& access) override { initiator->transport_dbg(access); }

  Answer forward(RegisterAccess& access);  ///< BEGIN_REQ down

 private:
  tlm::tlm_sync_enum nb_transport_bw(RegisterAccess& access, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) final;
  void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) final {}
};

/// Offers `access` to the target behind `socket`; true if it was taken.
bool offer(RegisterInitiatorSocket& socket, RegisterAccess& access);

}  // namespace heddle
