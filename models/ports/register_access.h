#pragma once

// The payload and the protocol of the register path: collectors and result bus -> stages -> banks.
//
// The protocol uses standard TLM sockets with the traits below, non-blocking. sc_time is always zero.
//
// A request (BEGIN_REQ) travels down and is answered at once:
//   - TLM_ACCEPTED: the access is taken, and one BEGIN_RESP follows.
//   - TLM_COMPLETED with phase BEGIN_RESP: the access is taken and complete. No other BEGIN_RESP follows.
//   - TLM_COMPLETED with phase REFUSED: there is no space. The sender keeps the access and offers it again
//     after a RETRY.
//
// Responses travel up and always return TLM_COMPLETED:
//   - BEGIN_RESP of a read: `values` hold the data, which are at the collector from cycle `data_at` on.
//   - BEGIN_RESP of a write: every later read returns the value.
//   - BEGIN_RESP of release, evict, prepare: the command is complete.
//   - RETRY: there is space for all accesses that were refused in earlier cycles, of any sender. Senders
//     offer them again from the next cycle on.
//
// Each sender (collectors, result bus, a stage with own traffic) has its own credit (CycleCredit), so a
// refusal to one sender does not block another. Accesses to one (warp, register) take effect in the order of
// acceptance. The payload belongs to the sender until it is accepted, and again from the response on.
// transport_dbg (command read) returns the current architected value of (warp, register), from the stage that
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
  refused,   ///< no effect; a RETRY follows in a later cycle
  accepted,  ///< the response follows
  answered,  ///< complete within the call; the access belongs to the sender again
};

enum class RegisterCommand : std::uint8_t {
  read,   ///< values <- register, lanes of `mask`
  write,  ///< register <- values, lanes of `mask`; the other lanes keep their contents
  /// The value is dead. Every stage frees the register, all lanes, in order with the accesses, and the answer
  /// comes when this is effective. No data, no port, and no access of the banks is counted.
  release,
  /// announcement: an instruction has a collector. `prepare` lists the registers that it will read and write.
  prepare,
  evict,  ///< caches write the register back and free it; no data
};

struct RegisterPrepare;  // register_prepare.h

/// A set of optional accesses. They are made only if a stage wants them, and otherwise cost no time.
using RegisterWants = std::uint32_t;
namespace wants {
inline constexpr RegisterWants prepares = 1;  ///< accesses of command prepare
/// Results of instructions that write registers. Their sources are included only if some stage wants all
/// accesses.
inline constexpr RegisterWants results = 2;
/// Accesses of command release for the registers that release flags name (models/isa/release_flags.h).
inline constexpr RegisterWants releases = 4;
inline constexpr RegisterWants announcements = prepares | results;
/// No accesses, but notifications of warps' active slots (operands/active_slots.h).
inline constexpr RegisterWants slots = 8;
}  // namespace wants

struct RegisterAccess {
  RegisterCommand command = RegisterCommand::read;
  /// The access goes to the last stage. Caches on the way free the register (for a read: after writing it
  /// back) and keep nothing of this access. Used for flushes, and for transfers that bypass a cache.
  bool direct = false;
  /// For a read that moves its value to another row. The old row holds poison from the service of the read
  /// on. The banks clear this flag if the register has no entry, because there is no value to move.
  bool takes = false;
  std::uint16_t source = 0;  ///< sender: collector number, kResultBus or kReleases
  WarpId warp{};
  RegId home{};  ///< architected register of the warp; caches use it as their tag
  RegId row{};  ///< row number, which the mapping places in a bank; equal to `home` unless a stage swaps rows
  LaneMask mask = kAllLanes;
  /// For announcements and results: lanes on the path, guarded-off lanes included.
  LaneMask active = kAllLanes;
  LaneMask live = kAllLanes;  ///< threads of the warp that had not exited at issue
  LaneVec* values = nullptr;  ///< 32 lane values, owned by the sender
  /// Instruction whose operand this is; nullptr: traffic of a stage.
  const isa::Instruction* instruction = nullptr;
  const OperandWord* operand = &kNoOperand;  ///< operand word of the instruction
  RegisterPlace place{};  ///< set by the mapping stage, if there is one, each time that the access passes it
  /// First cycle in which a bank may serve the access. Each stage adds its latency on the way down.
  Cycle earliest_service = 0;
  /// For a read, set with the answer: cycle in which the data arrive, if later than the answer.
  Cycle data_at = 0;
  const void* stage = nullptr;  ///< stage that sends this access; nullptr: sent from the top of the path
  void* owner = nullptr;        ///< record of the sender (InFlight*)
  RegisterPrepare* prepare = nullptr;  ///< data of command prepare

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
