#pragma once

// Defines the accesses and the protocol of the register path. Accesses travel from the operand collectors and
// the result bus through the stages to the register banks. The protocol uses standard TLM sockets with the
// traits below. Transport is non-blocking, and sc_time is always zero.
//
// A request (BEGIN_REQ) travels down. The return value is one of the following:
// - TLM_ACCEPTED: the receiver accepts the access and sends one BEGIN_RESP later.
// - TLM_COMPLETED with phase BEGIN_RESP: the access is already complete. No other BEGIN_RESP follows.
// - TLM_COMPLETED with phase REFUSED: there is no space. The sender keeps the access and offers it again
//   after a RETRY.
//
// Responses travel up and return TLM_COMPLETED:
// - BEGIN_RESP of a read: `values` hold the data. The data arrive at the collector in cycle `data_at`.
// - BEGIN_RESP of a write: every later read returns the written value.
// - BEGIN_RESP of release, evict or prepare: the command is complete.
// - RETRY: there is space for all accesses of all senders that were refused in earlier cycles. The senders
//   offer these accesses again from the next cycle on.
//
// Each sender (collectors, result bus, a stage with accesses of its own) has separate buffer space, so a
// refusal to one sender does not block another. Accesses to the same register of a warp take effect in the
// order in which they were accepted. The access object belongs to the sender until the access is accepted, and
// again after the response. transport_dbg with command read returns the current architected value of a
// register, from the stage that holds this register, without side effects.

#include <cstdint>
#include <tlm>

#include "models/core/ids.h"
#include "models/core/lanes.h"
#include "models/isa/instruction_footprint.h"
#include "models/ports/register_place.h"

namespace heddle {

enum class RegisterAnswer : std::uint8_t {
  refused,
  accepted,
  answered,
};

enum class RegisterCommand : std::uint8_t {
  read,
  write,  ///< copies `values` to the register in the lanes of `mask`; the other lanes keep their contents
  /// Frees the register in every stage, because its value is dead. The release keeps its order with reads and
  /// writes of the register, and occupies no port. The response comes when all stages have freed the
  /// register.
  release,
  /// Announces an instruction that has just got an operand collector. RegisterAccess::prepare lists the
  /// registers that the instruction will read and write.
  prepare,
  evict,  ///< makes caches write the register back to the stage below and free their copy; carries no data
};

struct RegisterPrepare;

/// Bit set of optional kinds of accesses. The register path carries an optional kind only if a stage needs
/// it.
using RegisterWants = std::uint32_t;
namespace wants {
inline constexpr RegisterWants prepares = 1;  ///< announcements of all instructions (command prepare)
/// Announcements (command prepare) only of instructions that write registers. They list the registers to be
/// written, and the source registers only if another stage needs `prepares`.
inline constexpr RegisterWants results = 2;
/// Releases of registers that the program's release flags mark as dead.
inline constexpr RegisterWants releases = 4;
inline constexpr RegisterWants announcements = prepares | results;
/// Calls that notify a stage when warps get or give up active slots (operands/active_slots.h). They are not
/// accesses.
inline constexpr RegisterWants slots = 8;
}  // namespace wants

struct RegisterAccess {
  RegisterCommand command = RegisterCommand::read;
  /// True for an access that the banks must serve, for example the write-back of a cache flush. Caches above
  /// the banks invalidate their copy of the register. Before a direct read, a cache first writes its modified
  /// copy to the banks.
  bool direct = false;
  /// True for a read that moves the value to another entry. When the banks serve the read, they fill the old
  /// entry with poison. If the register has no entry, the banks set `takes` to false.
  bool takes = false;
  std::uint16_t source = 0;  ///< sender: number of a collector, kResultBus or kReleases
  WarpId warp{};
  RegId home{};
  /// The access goes to the entry of the register with this number. Differs from `home` if a stage has
  /// exchanged the entries of two registers.
  RegId row{};
  LaneMask mask = kAllLanes;
  /// For an announcement or a write: active lanes of the instruction, including lanes that its guard
  /// predicate disables.
  LaneMask active = kAllLanes;
  LaneMask live = kAllLanes;
  LaneVec* values = nullptr;  ///< values of the 32 lanes; the sender owns them
  /// Instruction whose operand is accessed. nullptr for accesses that a stage makes on its own (such as
  /// write-backs), and for releases that the issue stage requests.
  const isa::Instruction* instruction = nullptr;
  const OperandWord* operand = &kNoOperand;
  /// Bank and entry of the register, set by the stage that provides the mapping.
  RegisterPlace place{};
  /// First cycle in which a bank may serve the access. Each stage above the banks adds its latency.
  Cycle earliest_service = 0;
  /// Cycle in which the data of a read arrive at the collector, if this is later than the response.
  Cycle data_at = 0;
  const void* stage = nullptr;
  void* owner = nullptr;  ///< object to which the sender's access belongs (InFlight*)
  RegisterPrepare* prepare = nullptr;

  const isa::OperandAnnotation& annotation() const { return operand->annotation; }
  void set_register(WarpId of, RegId number) {
    warp = of;
    home = row = number;
  }

  static constexpr std::uint16_t kResultBus = 0xffff;
  static constexpr std::uint16_t kReleases = 0xfffe;
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
