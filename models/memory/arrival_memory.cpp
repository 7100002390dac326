#include "models/memory/arrival_memory.h"

#include "models/memory/backing_store.h"

namespace heddle {

ArrivalMemory::ArrivalMemory(const sc_core::sc_module_name& name, Context& context)
    : IMemoryModel(name, context.clock), socket_("socket"), image_(&context.image), responses_(socket_) {
  socket_.bind(*this);
}

void ArrivalMemory::answer_ahead() { responses_.answer_ahead(clock().period()); }

bool ArrivalMemory::flip_bit(std::uint64_t address, unsigned bit) {
  return flip_image_bit(*image_, address, bit);
}

tlm::tlm_sync_enum ArrivalMemory::nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                                  sc_core::sc_time& delay) {
  if (phase == tlm::END_RESP) {
    responses_.end();
    clock().sync();
    clock().wake();
    return tlm::TLM_COMPLETED;
  }
  if (phase != tlm::BEGIN_REQ) return tlm::TLM_ACCEPTED;
  if (payload.has_mm()) payload.acquire();
  const Cycle due = answer_cycle(payload, clock().cycle_after(delay));
  access_image(*image_, payload);
  responses_.push(due, payload);
  if (responses_.answers_ahead())
    clock().wake();
  else
    clock().due_at(due);
  phase = tlm::END_REQ;
  return tlm::TLM_UPDATED;
}

void ArrivalMemory::b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  access_image(*image_, payload);
  delay += undisturbed_cycles() * clock().period();
}

unsigned ArrivalMemory::transport_dbg(tlm::tlm_generic_payload& payload) {
  return access_image(*image_, payload) ? payload.get_data_length() : 0;
}

}  // namespace heddle
