#pragma once

// The path of an instruction through an SM:
//
//   front end -> issue -> operand collectors -> dispatch ports -> units        -> result bus
//                                                              -> load/store   -> result bus
//                issue -> result bus (results of barriers)
//
// Every arrow is a pair of TLM sockets with the traits below, non-blocking, and sc_time is always zero. The
// other three kinds of connections in an SM are the register path (register_access.h), the memory edge
// (memory_edge.h) and life events (i_life_listener.h).
//
// Protocol:
//   - BEGIN_REQ travels down and offers an instruction. TLM_ACCEPTED: the receiver takes it. TLM_COMPLETED:
//     the receiver has no room, so the sender keeps the instruction and offers it in a later cycle. From
//     issue on, `item` is the record. The front end sends only `decoded`.
//   - NOTE travels up (ArrowNote) and always returns TLM_COMPLETED. Issue notifies the front end about a
//     warp. A receiver that refused with `room_follows` notifies the sender that room exists from the next
//     cycle on. A module between two others passes the note on.
//
// A receiver acts in the next cycle on what it receives (CycleQueue), so results are independent of module
// order. After a refusal, room is never offered before the next cycle. A plug-in module may sit in any
// connection. It passes both directions within the calls.
//
// An InstructionOutlet that is bound to an InstructionTarget calls it directly instead of through the
// sockets' transport calls, with the same effect. It finds its target at the first call, after the SM is
// built.

#include <tlm>

#include "models/core/cycle_queue.h"
#include "models/isa/program.h"
#include "models/ports/in_flight.h"
#include "models/time/clock.h"

namespace heddle {

/// Decoded instructions on their way into their warp's instruction buffer: one, or several consecutive ones.
struct DecodedInstruction {
  std::uint32_t pc = 0;  ///< index of the first instruction
  /// Number of the redirect after which the instruction was fetched. Issue drops instructions of earlier
  /// redirects.
  std::uint32_t epoch = 0;
  Cycle ready = 0;             ///< first cycle in which the instruction may issue
  std::uint64_t attached = 0;  ///< data that front-end stages attach from metadata (i_front_end_stage.h)
  /// Number of consecutive instructions from `pc` on. The other members hold for each.
  std::uint32_t count = 1;
};

/// Notes that travel up. They take effect in the next cycle.
enum class ArrowNote : std::uint8_t {
  none,
  /// The warp continues at `decoded.pc` of `program`, or starts there. Its instruction buffer is stale.
  redirected,
  stopped,   ///< the warp has exited
  consumed,  ///< one place of the warp's instruction buffer became free
  room,      ///< there is room again for a refused instruction
};

struct InstructionTransfer {
  InFlight* item = nullptr;
  ArrowNote note = ArrowNote::none;
  bool room_follows = false;  ///< set with a refusal: a note will report when there is room
  WarpId warp{};              ///< warp of `decoded` and of notes to the front end
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

/// Lower end of a connection: a socket whose transfers go to take(). Notes from below are passed up.
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
  /// Takes an offered instruction. Returns false if there is no room.
  virtual bool take(InstructionTransfer& transfer) = 0;
  /// Returns this object if take() only queues the instruction. Outlets then call accept() instead of take().
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

  /// Listener of the outlet that the socket is bound to, if it is an InstructionOutlet.
  NoteListener* above_ = nullptr;
};

/// A clocked boundary: a queue whose entries of one cycle can be read from the next cycle on.
class InstructionInlet final : public InstructionTarget {
 public:
  /// Instructions are queued for the module `reader`, at most `depth`.
  InstructionInlet(const char* name, ClockedModule& reader, std::size_t depth)
      : InstructionTarget(name), clock_(&reader.clock()), reader_(&reader), queue_(depth) {}

  /// For a reader with several inlets: every accepted instruction sets bit `number` of `filled`. The reader
  /// clears the bit when it finds the inlet empty.
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
  /// Like take(). Sets `room_follows` only if it refuses.
  bool accept(InFlight* item, bool& room_follows);

 private:
  void notify_room();

  Clock* clock_;
  ClockedModule* reader_;
  CycleQueue<InFlight*> queue_;
  bool refused_ = false;  ///< a note `room` is owed to the sender
  std::uint64_t bit_ = 0;
  std::uint64_t* filled_ = &bit_;
};

/// Upper end of a connection: offers instructions, and passes notes to its listener, if it has one.
class InstructionOutlet final : public tlm::tlm_bw_transport_if<InstructionTraits> {
 public:
  InstructionInitiatorSocket socket;

  explicit InstructionOutlet(const char* name, NoteListener* listener = nullptr)
      : socket(name), listener_(listener) {
    socket.bind(*this);
  }
  /// Returns false if the receiver has no room.
  bool offer(InFlight* item) {
    if (inlet_) return inlet_->accept(item, offered_.room_follows);
    offered_.item = item;
    offered_.room_follows = false;
    return offer(offered_);
  }
  /// True if a refused instruction need not be offered again before the listener receives the note `room`.
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
  InstructionTarget* below_ = nullptr;  ///< target that the socket is bound to, if it is an InstructionTarget
  InstructionInlet* inlet_ = nullptr;   ///< inlet of `below_`, if it has one
  InstructionTransfer offered_;
};

/// Base of plug-in modules in a connection of a complete SM (Sm::Context::between). Instructions and notes
/// pass both ways within the calls. A module overrides the functions that it needs, and calls the base.
class InstructionTap : public sc_core::sc_module, public InstructionTarget {
 public:
  InstructionOutlet below;

  explicit InstructionTap(const sc_core::sc_module_name& name)
      : sc_module(name), InstructionTarget("above"), below("below", this) {}

  bool take(InstructionTransfer& transfer) override { return below.offer(transfer); }
};

}  // namespace heddle
