#pragma once

// The instruction's way through an SM, module by module:
//
//   front end -> issue -> operand collectors -> dispatch ports -> units        -> result bus
//                                                              -> load/store   -> result bus
//                issue -> result bus (results of barriers)
//
// Every arrow is a TLM socket pair of the traits below, non-blocking, sc_time always zero; the register path
// (register_access.h), the memory edge (memory_edge.h) and the events of life (i_life_listener.h) are the other three
// kinds of arrows in an SM.
//
// Protocol:
//   down  BEGIN_REQ   the instruction, offered. Answered at once: TLM_ACCEPTED, taken;
//                     TLM_COMPLETED, no room: the sender keeps it and offers it again in a later cycle.
//                     After issue, `item` names the record; from the front end there is only `decoded`.
//
//   up    NOTE        from issue to the front end, about a warp (ArrowNote); to whoever was refused, that there is room
//                     from the next cycle on, where `room_follows` has promised it. Always taken (TLM_COMPLETED); a
//                     module in between passes it on.
// What is offered in a cycle is acted on in the next one (CycleQueue), so the order in which modules run
// within a cycle cannot be observed; room that was refused in a cycle does not come before the next one. A
// module of somebody else's may stand in any arrow: it passes both ways within the calls.
//
// Where an InstructionOutlet is bound to an InstructionTarget the two call each other without their sockets'
// transport calls, to the same effect: found out at the first call, when the SM has been put together.

#include <tlm>

#include "models/core/cycle_queue.h"
#include "models/isa/program.h"
#include "models/ports/in_flight.h"
#include "models/time/clock.h"

namespace heddle {

/// Decoded instructions on their way into their warp's instruction buffer: one, or several that follow each other.
struct DecodedInstruction {
  std::uint32_t pc = 0;        ///< index of the (first) instruction
  std::uint32_t epoch = 0;     ///< of the redirect that it belongs to; the issue stage drops older ones
  Cycle ready = 0;             ///< first cycle of possible issue
  std::uint64_t attached = 0;  ///< by front-end stages, from what metadata said (i_front_end_stage.h)
  std::uint32_t count = 1;     ///< so many, from `pc` on; all of what is said here holds for each
};

/// Notes that travel up, in effect from the next cycle on: about a warp, or about the connection itself.
enum class ArrowNote : std::uint8_t {
  none,
  redirected,  ///< it goes on at `decoded.pc` of `program`; what its buffer held is stale. Also starts a warp
  stopped,     ///< it has exited
  consumed,    ///< one place of its instruction buffer became free
  room,        ///< there is room again for what was refused
};

struct InstructionTransfer {
  InFlight* item = nullptr;
  ArrowNote note = ArrowNote::none;
  bool room_follows = false;  ///< set with a refusal: a note says when there is room
  WarpId warp{};              ///< of `decoded`, and of the front end's notes
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

/// Receiver of the notes of a connection.
class NoteListener {
 public:
  virtual void hear(InstructionTransfer& transfer) = 0;

 protected:
  ~NoteListener() = default;
};

/// The lower end of a connection: a socket whose transfers go to take(). Notes from below are passed up.
class InstructionTarget : public NoteListener, public tlm::tlm_fw_transport_if<InstructionTraits> {
 public:
  InstructionTargetSocket socket;

  explicit InstructionTarget(const char* name) : socket(name) { socket.bind(*this); }
  ~InstructionTarget() override = default;

  void hear(InstructionTransfer& transfer) override {
    if (above_)
      above_->hear(transfer);
    else
      hear_by_socket(transfer);
  }
  /// Takes what is offered; false for want of room.
  virtual bool take(InstructionTransfer& transfer) = 0;
  /// This, if all that it does with what it takes is to queue it: outlets then give it instructions by accept().
  virtual InstructionInlet* inlet() { return nullptr; }

 private:
  void hear_by_socket(InstructionTransfer& transfer);
  tlm::tlm_sync_enum nb_transport_fw(InstructionTransfer& transfer, tlm::tlm_phase&,
                                     sc_core::sc_time&) final {
    return take(transfer) ? tlm::TLM_ACCEPTED : tlm::TLM_COMPLETED;
  }
  void b_transport(InstructionTransfer&, sc_core::sc_time&) final;
  bool get_direct_mem_ptr(InstructionTransfer&, tlm::tlm_dmi&) final { return false; }
  unsigned transport_dbg(InstructionTransfer&) final { return 0; }

  NoteListener* above_ = nullptr;  ///< listener of the outlet that the socket is bound to, if it is one
};

/// A clocked boundary: the queue in which a module finds, from the next cycle on, what others gave it.
class InstructionInlet final : public InstructionTarget {
 public:
  /// What it takes `arrives` at the module that reads it.
  InstructionInlet(const char* name, ClockedModule& reader, std::size_t depth)
      : InstructionTarget(name), clock_(&reader.clock()), reader_(&reader), queue_(depth) {}

  /// For several inlets of one reader: sets bit `number` of `filled` with everything that it takes. The
  /// reader clears the bit when it finds the inlet empty.
  void note_in(std::uint64_t& filled, unsigned number) {
    filled_ = &filled;
    bit_ = std::uint64_t{1} << number;
  }

  bool can_pop() const { return queue_.can_pop(clock_->now()); }
  InFlight* pop() {
    if (refused_) tell_room();
    return queue_.pop(clock_->now());
  }
  InFlight* front() const { return queue_.front(); }
  bool empty() const { return queue_.empty(); }
  std::size_t size() const { return queue_.size(); }

  bool take(InstructionTransfer& transfer) override { return accept(transfer.item, transfer.room_follows); }
  InstructionInlet* inlet() override { return this; }
  /// The same; `room_follows` is set with a refusal alone.
  bool accept(InFlight* item, bool& room_follows);

 private:
  void tell_room();

  Clock* clock_;
  ClockedModule* reader_;
  CycleQueue<InFlight*> queue_;
  bool refused_ = false;  ///< a note is promised
  std::uint64_t bit_ = 0;
  std::uint64_t* filled_ = &bit_;
};

/// The upper end of a connection: offers instructions, and passes notes to its listener, if it has one.
class InstructionOutlet final : public tlm::tlm_bw_transport_if<InstructionTraits> {
 public:
  InstructionInitiatorSocket socket;

  explicit InstructionOutlet(const char* name, NoteListener* listener = nullptr)
      : socket(name), listener_(listener) {
    socket.bind(*this);
  }
  /// False if the other side has no room.
  bool offer(InFlight* item) {
    if (inlet_) return inlet_->accept(item, offered_.room_follows);
    offered_.item = item;
    offered_.room_follows = false;
    return offer(offered_);
  }
  /// An instruction that was refused need not be offered again before the listener is notified of room.
  bool room_follows() const { return offered_.room_follows; }
  bool offer(InstructionTransfer& transfer) {
    return below_ ? below_->take(transfer) : offer_by_socket(transfer);
  }
  NoteListener* listener() const { return listener_; }

 private:
  bool offer_by_socket(InstructionTransfer& transfer);
  tlm::tlm_sync_enum nb_transport_bw(InstructionTransfer& transfer, tlm::tlm_phase&,
                                     sc_core::sc_time&) override {
    if (listener_) listener_->hear(transfer);
    return tlm::TLM_COMPLETED;
  }
  void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}
  NoteListener* listener_;
  InstructionTarget* below_ = nullptr;  ///< that the socket is bound to, if it is one
  InstructionInlet* inlet_ = nullptr;   ///< of it
  InstructionTransfer offered_;
};

/// A plug-in module in a connection of a complete SM (Sm::Context::between). Everything passes both ways
/// within the calls; a module overrides the functions that it needs, and calls the base.
class InstructionTap : public sc_core::sc_module, public InstructionTarget {
 public:
  InstructionOutlet below;

  explicit InstructionTap(const sc_core::sc_module_name& name)
      : sc_module(name), InstructionTarget("above"), below("below", this) {}

  bool take(InstructionTransfer& transfer) override { return below.offer(transfer); }
};

}  // namespace heddle
