#pragma once

// The payload and the protocol of the register path (collectors and result bus -> stages -> banks).
//
// Protocol, on standard TLM sockets with the traits below, non-blocking, sc_time always zero:
//   down  BEGIN_REQ   answered at once:
//           TLM_ACCEPTED                       the access is taken, one BEGIN_RESP follows
//           TLM_COMPLETED, phase BEGIN_RESP    taken and answered within the call: no other BEGIN_RESP
//           TLM_COMPLETED, phase REFUSED       full: the caller keeps the access and offers it again after
//                                              a RETRY
//
//   up    BEGIN_RESP  read: values hold the data, at the collector from cycle data_at on; write: visible to
//                     every later read; release, evict, prepare: done. Always taken (TLM_COMPLETED).
//   up    RETRY       space became free for everything that was refused in earlier cycles, whoever sent it,
//                     and for any access. What was refused is offered again from the next cycle on.
//
// Each sender (collectors, result bus, a stage with traffic of its own) has a credit of its own, CycleCredit:
// what is refused to one holds back none of the others. Accesses to one (warp, register) take effect in the
// order of acceptance. The payload belongs to the sender until it is accepted, and again from the response
// on. transport_dbg (command read) returns the architecturally current value of (warp, reg), whichever stage
// holds it, without side effects.

#include <cstdint>
#include <tlm>

#include "models/core/ids.h"
#include "models/core/lanes.h"
#include "models/isa/instruction_footprint.h"
#include "models/ports/register_place.h"

namespace heddle {

/// Answer of a stage to an offered access.
enum class RegisterAnswer : std::uint8_t {
  refused,   ///< nothing has happened; a RETRY follows in a later cycle
  accepted,  ///< the response follows
  answered,  ///< done within the call: the access is the sender's again
};

enum class RegisterCommand : std::uint8_t {
  read,     ///< values <- register, lanes of `mask`
  write,    ///< register <- values, lanes of `mask`; the other lanes keep their contents
  release,  ///< the value is dead: no data; every stage gives it up, in order with the accesses, all lanes;
            ///< answered when it is effective. Takes no port and counts as no access of the banks
  prepare,  ///< announcement: an instruction was given a collector; `prepare` says what it will read and
            ///< write
  evict,    ///< caches write back what they hold of the register, and give it up; no data
};

struct RegisterPrepare;  // register_prepare.h

/// A set of accesses that are made only where a stage wants them; what none wants costs nothing.
using RegisterWants = std::uint32_t;
namespace wants {
inline constexpr RegisterWants prepares = 1;  ///< accesses of command prepare
/// Instructions that write registers; their sources are included only if some stage wants all.
inline constexpr RegisterWants results = 2;
/// Accesses of command release for the registers that release flags name (models/isa/release_flags.h).
inline constexpr RegisterWants releases = 4;
inline constexpr RegisterWants announcements = prepares | results;
/// No accesses: active slots of warps (operands/active_slots.h).
inline constexpr RegisterWants slots = 8;
}  // namespace wants

struct RegisterAccess {
  RegisterCommand command = RegisterCommand::read;
  /// Goes to the last stage: caches on the way give up what they hold of the register (a read: after writing
  /// it back), and keep nothing of this access. Flushes, and transfers past a cache that stands beside.
  bool direct = false;
  /// For a read: the value leaves its row, which holds poison from its service on (a value that moves). The
  /// banks cancel this if the register has no entry: there is no value to move.
  bool takes = false;
  std::uint16_t source = 0;  ///< sender: collector number, kResultBus or kReleases
  WarpId warp{};
  RegId home{};  ///< architected register of the warp: what caches know it by
  RegId row{};  ///< its number after a swap, which the mapping places; the same as `home` unless a stage sets
                ///< it
  LaneMask mask = kAllLanes;
  LaneMask active = kAllLanes;  ///< of announcements and results: lanes on the path, guarded off or not
  LaneMask live = kAllLanes;    ///< threads of the warp that had not exited at issue
  LaneVec* values = nullptr;    ///< 32 lane values, owned by the sender
  const isa::Instruction* instruction = nullptr;  ///< whose operand it is (nullptr: a stage's own traffic)
  const OperandWord* operand = &kNoOperand;       ///< which word of it
  RegisterPlace place{};  ///< set by the mapping stage, if there is one, every time that the access passes
  Cycle earliest_service = 0;   ///< not before this cycle: stages add their declared latency on the way down
  Cycle data_at = 0;            ///< read, set with the answer: when the data arrive, if later than the answer
  const void* stage = nullptr;  ///< the stage whose own traffic this is (nullptr: from the top of the path)
  void* owner = nullptr;        ///< the sender's own record (InFlight*)
  RegisterPrepare* prepare = nullptr;  ///< of command prepare

  const isa::OperandAnnotation& annotation() const { return operand->annotation; }
  void set_register(WarpId of, RegId number) {
    warp = of;
    home = row = number;
  }

  static constexpr std::uint16_t kResultBus = 0xffff;
  static constexpr std::uint16_t kReleases = 0xfffe;  ///< a release at the top of the path
};

struct RegisterTraits {
  using tlm_payload_type = RegisterAccess;
  using tlm_phase_type = tlm::tlm_phase;
};

TLM_DECLARE_EXTENDED_PHASE(REFUSED);
TLM_DECLARE_EXTENDED_PHASE(RETRY);

using RegisterTargetSocket = tlm::tlm_target_socket<1024, RegisterTraits>;
using RegisterInitiatorSocket = tlm::tlm_initiator_socket<1024, RegisterTraits>;
using RegisterForwardInterface = tlm::tlm_fw_transport_if<RegisterTraits>;
using RegisterBackwardInterface = tlm::tlm_bw_transport_if<RegisterTraits>;

}  // namespace heddle
