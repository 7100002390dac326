#include "models/ports/register_stage.h"

#include <string>

#include "models/core/error.h"

namespace heddle {

RegisterStage::RegisterStage(Context& context)
    : ClockedModule(context.name, *context.clock), target("target") {
  target.bind(*this);
}

tlm::tlm_sync_enum RegisterStage::nb_transport_fw(RegisterAccess& access, tlm::tlm_phase& phase,
                                                  sc_core::sc_time&) {
  if (phase != tlm::BEGIN_REQ) throw InternalError("register path: only BEGIN_REQ travels down");
  const Answer answer = take(access);
  if (answer == Answer::accepted) return tlm::TLM_ACCEPTED;
  if (answer == Answer::refused) await_retry();
  phase = answer == Answer::answered ? tlm::BEGIN_RESP : tlm::tlm_phase(REFUSED);
  return tlm::TLM_COMPLETED;
}

void RegisterStage::respond_by_socket(RegisterAccess& access) {
  tlm::tlm_phase phase = tlm::BEGIN_RESP;
  sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
  target->nb_transport_bw(access, phase, delay);
}

void RegisterStage::retry() {
  if (!refusals_.any_before(now())) return;
  refusals_.requested_again(now());
  if (above_) return above_->receive_retry();
  tlm::tlm_phase phase = RETRY;
  sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
  target->nb_transport_bw(retry_note_, phase, delay);
}

void RegisterStage::bind_below(RegisterStage&) {
  throw InternalError(std::string("nothing can stand below ") + name());
}

void RegisterStage::b_transport(RegisterAccess&, sc_core::sc_time&) {
  throw InternalError("register path: blocking transport is not part of the protocol");
}

bool RegisterStage::get_direct_mem_ptr(RegisterAccess&, tlm::tlm_dmi&) { return false; }

unsigned RegisterStage::transport_dbg(RegisterAccess& access) {
  debug_read(access);
  return sizeof(LaneVec);
}

PassingStage::PassingStage(Context& context) : RegisterStage(context), initiator("initiator") {
  initiator.bind(*this);
}

tlm::tlm_sync_enum PassingStage::nb_transport_bw(RegisterAccess&, tlm::tlm_phase&, sc_core::sc_time&) {
  throw InternalError(std::string("answered by its socket: ") + name());
}

RegisterAnswer offer(RegisterInitiatorSocket& socket, RegisterAccess& access) {
  tlm::tlm_phase phase = tlm::BEGIN_REQ;
  sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
  if (socket->nb_transport_fw(access, phase, delay) == tlm::TLM_ACCEPTED) return RegisterAnswer::accepted;
  return phase == tlm::BEGIN_RESP ? RegisterAnswer::answered : RegisterAnswer::refused;
}

}  // namespace heddle
