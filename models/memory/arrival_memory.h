#pragma once

// Base of memory models in which an access takes effect when it arrives, and only the time of its answer is the
// model's own: the base protocol on both ways, and the debug hooks, over the memory image.

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
  bool flip_bit(std::uint64_t address, unsigned bit) override;

 protected:
  /// Cycle in which the answer to a request is sent: after `arrival`. Called once a request.
  virtual Cycle answer_cycle(const tlm::tlm_generic_payload& request, Cycle arrival) = 0;
  /// Cycles of an access that meets no other traffic (b_transport).
  virtual int undisturbed_cycles() const = 0;

 private:
  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override;
  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) override;
  bool get_direct_mem_ptr(tlm::tlm_generic_payload&, tlm::tlm_dmi&) override { return false; }
  unsigned transport_dbg(tlm::tlm_generic_payload& payload) override;
  void tick() override { responses_.tick(now()); }  // every due cycle was computed when its request arrived

  MemoryTargetSocket socket_;
  MemoryImage* image_;
  ResponseSender responses_;
};

}  // namespace heddle
