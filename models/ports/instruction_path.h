#pragma once

// Defines the connections on which instructions travel through an SM:
//
//   front end -> issue -> operand collectors -> dispatch ports -> units -> result bus
//                                                              -> load/store -> result bus
//                issue -> result bus (results of barriers)
//
// Every arrow is a pair of TLM sockets with the traits below. Transport is non-blocking, and sc_time is
// always zero. An SM has three other kinds of connections: the register path (register_access.h), the memory
// edge (memory_edge.h) and life events (i_life_listener.h).
//
// Protocol:
// - BEGIN_REQ travels down and offers an instruction. With TLM_ACCEPTED the receiver accepts it. With
//   TLM_COMPLETED the receiver refuses the instruction for lack of space, so the sender keeps the instruction
//   and offers it in a later cycle. From issue on, `item` is the record of the instruction. Between front end
//   and issue, `decoded` describes the instruction.
// - NOTE travels up and always returns TLM_COMPLETED. With a note, issue notifies the front end about a warp
//   (ArrowNote). If a receiver refused an instruction and set `room_follows`, this receiver sends a note when
//   it has space from the next cycle on. A module between two others passes notes on.
//
// A receiver accepts an instruction in one cycle and processes it in the next (CycleQueue), so that results
// are independent of module order. After a refusal, a receiver has space in the next cycle at the earliest. A
// plug-in module may sit in any connection. Such a module passes instructions and notes on within the calls
// in which it receives them.
//
// An InstructionOutlet that is bound to an InstructionTarget calls the target directly instead of the socket.

#include <tlm>

#include "models/core/cycle_queue.h"
#include "models/isa/program.h"
#include "models/ports/in_flight.h"
#include "models/time/clock.h"

namespace heddle {

/// One or several consecutive decoded instructions, sent by the front end into their warp's instruction
/// buffer.
struct DecodedInstruction {
  std::uint32_t pc = 0;
  /// Number of redirects (branches) of the warp before the fetch of the instruction. If the warp has been
  /// redirected after the fetch, issue drops the instruction.
  std::uint32_t epoch = 0;
  Cycle ready = 0;
  std::uint64_t attached = 0;
  /// Number of consecutive instructions from `pc` on. The other members have the same value for all these
  /// instructions.
  std::uint32_t count = 1;
};

/// Notes from the receiver of instructions to their sender. A note takes effect in the next cycle.
enum class ArrowNote : std::uint8_t {
  none,
  /// The warp starts at `decoded.pc` of `program`, or branches to this position. The instructions in its buffer
  /// are invalid.
  redirected,
  stopped,
  consumed,
  room,
};

struct InstructionTransfer {
  InFlight* item = nullptr;
  ArrowNote note = ArrowNote::none;
  bool room_follows = false;  ///< set with a refusal: the receiver will send a note when it has space
  WarpId warp{};
  DecodedInstruction decoded;
  const isa::Program* program = nullptr;
};

struct InstructionTraits {
  using tlm_payload_type = InstructionTransfer;
  using tlm_phase_type = tlm::tlm_phase;
};

TLM_DECLARE_EXTENDED_PHASE(NOTE);

using InstructionTargetSocket = tlm::tlm_target_socket<64, InstructionTraits>;
using InstructionInitiatorSocket = tlm::tlm_initiator_socket<64, InstructionTraits>;

class InstructionInlet;

class NoteListener {
 public:
  virtual void receive(InstructionTransfer& transfer) = 0;

 protected:
  ~NoteListener() = default;
};

/// Receiving end of a connection for instructions. Its socket passes offered instructions to take().
/// receive() passes notes (ArrowNote) of the receiving module back to the sender.
class InstructionTarget : public NoteListener, public tlm::tlm_fw_transport_if<InstructionTraits> {
 public:
  InstructionTargetSocket socket;

  explicit InstructionTarget(const char* name) : socket(name) { socket.bind(*this); }
  ~InstructionTarget() override = default;

  void receive(InstructionTransfer& transfer) override {
    if (above_)
      above_->receive(transfer);
    else
      receive_by_socket(transfer);
  }
  virtual bool take(InstructionTransfer& transfer) = 0;
  virtual InstructionInlet* inlet() { return nullptr; }

 private:
  void receive_by_socket(InstructionTransfer& transfer);
  tlm::tlm_sync_enum nb_transport_fw(InstructionTransfer& transfer, tlm::tlm_phase&,
                                     sc_core::sc_time&) final {
    return take(transfer) ? tlm::TLM_ACCEPTED : tlm::TLM_COMPLETED;
  }
  void b_transport(InstructionTransfer&, sc_core::sc_time&) final;
  bool get_direct_mem_ptr(InstructionTransfer&, tlm::tlm_dmi&) final { return false; }
  unsigned transport_dbg(InstructionTransfer&) final { return 0; }

  NoteListener* above_ = nullptr;
};

/// Receiving end of a connection with a queue. An instruction that enters the queue can be read from the next
/// cycle on.
class InstructionInlet final : public InstructionTarget {
 public:
  InstructionInlet(const char* name, ClockedModule& reader, std::size_t depth)
      : InstructionTarget(name), clock_(&reader.clock()), reader_(&reader), queue_(depth) {}

  /// After this call, every accepted instruction sets bit `number` of `filled`. A module with several inlets
  /// uses this mask to find the filled inlets quickly, and must clear the bits itself.
  void note_in(std::uint64_t& filled, unsigned number) {
    filled_ = &filled;
    bit_ = std::uint64_t{1} << number;
  }

  bool can_pop() const { return queue_.can_pop(clock_->now()); }
  InFlight* pop() {
    if (refused_) notify_room();
    return queue_.pop(clock_->now());
  }
  InFlight* front() const { return queue_.front(); }
  bool empty() const { return queue_.empty(); }
  std::size_t size() const { return queue_.size(); }

  bool take(InstructionTransfer& transfer) override { return accept(transfer.item, transfer.room_follows); }
  InstructionInlet* inlet() override { return this; }
  /// Queues an offered instruction. Returns false if there is no space. `room_follows`: set to true if the
  /// sender will receive ArrowNote::room when there is space.
  bool accept(InFlight* item, bool& room_follows);

 private:
  void notify_room();

  Clock* clock_;
  ClockedModule* reader_;
  CycleQueue<InFlight*> queue_;
  bool refused_ = false;
  std::uint64_t bit_ = 0;
  std::uint64_t* filled_ = &bit_;
};

/// Sending end of a connection: offers instructions, and passes the receiver's notes (messages to the sender)
/// to `listener`.
class InstructionOutlet final : public tlm::tlm_bw_transport_if<InstructionTraits> {
 public:
  InstructionInitiatorSocket socket;

  explicit InstructionOutlet(const char* name, NoteListener* listener = nullptr)
      : socket(name), listener_(listener) {
    socket.bind(*this);
  }
  bool offer(InFlight* item) {
    if (inlet_) return inlet_->accept(item, offered_.room_follows);
    offered_.item = item;
    offered_.room_follows = false;
    return offer(offered_);
  }
  /// True if the receiver will send the note `room`. The sender need not offer the refused instruction again
  /// before this note.
  bool room_follows() const { return offered_.room_follows; }
  bool offer(InstructionTransfer& transfer) {
    return below_ ? below_->take(transfer) : offer_by_socket(transfer);
  }
  NoteListener* listener() const { return listener_; }

 private:
  bool offer_by_socket(InstructionTransfer& transfer);
  tlm::tlm_sync_enum nb_transport_bw(InstructionTransfer& transfer, tlm::tlm_phase&,
                                     sc_core::sc_time&) override {
    if (listener_) listener_->receive(transfer);
    return tlm::TLM_COMPLETED;
  }
  void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}
  NoteListener* listener_;
  InstructionTarget* below_ = nullptr;
  InstructionInlet* inlet_ = nullptr;
  InstructionTransfer offered_;
};

/// Base class of plug-in modules that are inserted into a connection of an SM's instruction path. By default
/// the module passes instructions down and notes up within the calls.
class InstructionTap : public sc_core::sc_module, public InstructionTarget {
 public:
  InstructionOutlet below;

  explicit InstructionTap(const sc_core::sc_module_name& name)
      : sc_module(name), InstructionTarget("above"), below("below", this) {}

  bool take(InstructionTransfer& transfer) override { return below.offer(transfer); }
};

}  // namespace heddle
