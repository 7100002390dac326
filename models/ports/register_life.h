#pragma once

// What register-file stages hear of kernels, warps and instructions, beside the accesses (register_access.h).
// A stage says by its RegisterInterests which of these it hears; what nobody on the path hears costs nothing.
//
// Order, for one warp: warp_begins, then for each instruction issued -> prepare -> its reads -> operands_held
// -> its writes -> completed, then warp_ends. Instructions overlap; control instructions, and those guarded
// off in every lane, are issued and nothing else. Results of bar.red are written without an announcement.

#include <array>
#include <cstdint>
#include <span>

#include "models/core/ids.h"
#include "models/core/lanes.h"
#include "models/isa/program.h"
#include "models/ports/register_place.h"

namespace heddle {

/// A set of the events below that a stage hears.
using RegisterInterests = std::uint32_t;
namespace hears {
inline constexpr RegisterInterests kernels = 1;  ///< kernel_begins
inline constexpr RegisterInterests warps = 2;    ///< warp_begins, warp_ends
inline constexpr RegisterInterests active_slots =
    4;                                             ///< warp_activated, warp_deactivated, flushed, may_leave
inline constexpr RegisterInterests issues = 8;     ///< issued
inline constexpr RegisterInterests prepares = 16;  ///< accesses of command prepare
inline constexpr RegisterInterests operands = 32;  ///< operands_held
inline constexpr RegisterInterests completions = 64;  ///< completed
/// Accesses of command release for the registers that release flags name (models/isa/release_flags.h).
inline constexpr RegisterInterests releases = 128;
/// Accesses of command prepare of instructions that write registers; what these read is told only if some stage
/// hears prepares.
inline constexpr RegisterInterests results = 256;
inline constexpr RegisterInterests announcements = prepares | results;
}  // namespace hears

struct KernelBegins {
  KernelId kernel{};
  const isa::Program* program = nullptr;
  Cycle cycle = 0;  ///< the first of the launch
};

/// A warp was placed; nothing of it has been issued.
struct WarpBegins {
  WarpId warp{};
  KernelId kernel{};
  const isa::Program* program = nullptr;
  std::uint32_t registers = 0;  ///< architected registers 0 .. registers - 1
  LaneMask lanes = kAllLanes;   ///< lanes that hold a thread
  CtaSlot cta_slot{};
};

/// An instruction was issued, in program order of its warp: every one, control and guarded-off ones included.
struct InstructionIssued {
  WarpId warp{};
  const isa::Instruction* instruction = nullptr;
  std::uint32_t pc = 0;          ///< index of the instruction
  LaneMask mask = 0;             ///< lanes that execute it: active and not guarded off
  LaneMask live = kAllLanes;     ///< threads of the warp that have not exited
  std::uint64_t slots_used = 0;  ///< issue slots used on the SM so far, this one included
};

/// A register word of an instruction in a collector.
struct RegisterWord {
  RegId home{};           ///< architected register
  RegId row{};            ///< its number after a swap (RegisterAccess::row)
  RegisterPlace place{};  ///< set by a mapping stage on the way down
  isa::OperandAnnotation annotation{};
  std::uint8_t slot = 0, word = 0;
};

/// An instruction was given a collector: what it will read and write, before its first read. Travels down as
/// an access of command prepare, which a stage may refuse.
struct RegisterPrepare {
  static constexpr std::size_t kMaxWords = 2 * (isa::kMaxSources + isa::kMaxDestinations);

  CollectorId collector{};
  std::uint64_t uid = 0;  ///< issue order on the SM
  std::uint32_t pc = 0;
  std::uint8_t sources = 0, destinations = 0;
  std::array<RegisterWord, kMaxWords> words{};  ///< sources first

  std::span<RegisterWord> source_words() { return {words.data(), sources}; }
  std::span<RegisterWord> destination_words() { return {words.data() + sources, destinations}; }
  std::span<const RegisterWord> source_words() const { return {words.data(), sources}; }
  std::span<const RegisterWord> destination_words() const { return {words.data() + sources, destinations}; }
};

/// The collector holds every source of the instruction; or all its results are visible.
struct InstructionStep {
  WarpId warp{};
  const isa::Instruction* instruction = nullptr;
  CollectorId collector{};  ///< in which it is, or was
  std::uint64_t uid = 0;
  LaneMask mask = 0;
};

}  // namespace heddle
