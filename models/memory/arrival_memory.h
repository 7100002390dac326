#pragma once

// Base class of simple memory models. In these, an access reads or changes the memory image (the contents of
// device memory) as soon as the access arrives. Such a model computes only the cycle of the response.

#include "models/memory/i_memory_model.h"
#include "models/memory/response_sender.h"

namespace heddle {

class ArrivalMemory : public IMemoryModel, public tlm::tlm_fw_transport_if<> {
 public:
  ArrivalMemory(const sc_core::sc_module_name& name, Context& context);

  MemoryTargetSocket& socket() override { return socket_; }
  void begin_kernel() override {}
  void drain() override {}
  bool idle() const override { return responses_.idle(); }
  Cycle lookahead() const override { return static_cast<Cycle>(undisturbed_cycles() - 1); }
  void answer_ahead() override;
  bool flip_bit(std::uint64_t address, unsigned bit) override;

 protected:
  /// Returns the cycle in which the model responds to `request`. This cycle must be later than `arrival`, the
  /// cycle in which the request arrived. Called once per request.
  virtual Cycle answer_cycle(const tlm::tlm_generic_payload& request, Cycle arrival) = 0;
  /// Returns the latency in cycles of an access without other traffic.
  virtual int undisturbed_cycles() const = 0;

 private:
  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override;
  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) override;
  bool get_direct_mem_ptr(tlm::tlm_generic_payload&, tlm::tlm_dmi&) override { return false; }
  unsigned transport_dbg(tlm::tlm_generic_payload& payload) override;
  void tick() override { responses_.tick(now()); }

  MemoryTargetSocket socket_;
  MemoryImage* image_;
  ResponseSender responses_;
};

}  // namespace heddle
