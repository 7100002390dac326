#include "models/ports/instruction_path.h"

#include "models/core/error.h"

namespace heddle {

void InstructionTarget::b_transport(InstructionTransfer&, sc_core::sc_time&) {
  throw InternalError("instruction path: blocking transport is not part of the protocol");
}

// Sends a note (a message of a receiver to the sender of its instructions) through the socket, and finds the
// outlet at the other end. All later notes are direct calls of this outlet. Bindings do not change after
// elaboration.
void InstructionTarget::receive_by_socket(InstructionTransfer& transfer) {
  tlm::tlm_phase phase = NOTE;
  sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
  socket->nb_transport_bw(transfer, phase, delay);
  if (auto* outlet = dynamic_cast<InstructionOutlet*>(socket.operator->())) above_ = outlet->listener();
}

bool InstructionInlet::accept(InFlight* item, bool& room_follows) {
  if (!queue_.offer(clock_->now(), item)) {
    room_follows = queue_.size() == queue_.capacity();
    refused_ |= room_follows;
    return false;
  }
  *filled_ |= bit_;
  reader_->wake();
  return true;
}

void InstructionInlet::notify_room() {
  refused_ = false;
  InstructionTransfer transfer;
  transfer.note = ArrowNote::room;
  receive(transfer);
}

bool InstructionOutlet::offer_by_socket(InstructionTransfer& transfer) {
  tlm::tlm_phase phase = tlm::BEGIN_REQ;
  sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
  below_ = dynamic_cast<InstructionTarget*>(socket.operator->());
  if (below_) inlet_ = below_->inlet();
  return socket->nb_transport_fw(transfer, phase, delay) == tlm::TLM_ACCEPTED;
}

}  // namespace heddle
