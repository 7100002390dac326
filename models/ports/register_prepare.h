#pragma once

// Announcement of an instruction to the register path, sent before the first read of the instruction. The
// announcement lists the registers that the instruction will read and write. It travels down as an access
// with command prepare, which a stage may refuse (register_access.h). The result of bar.red is written
// without an announcement.

#include <array>
#include <cstdint>
#include <span>

#include "models/core/ids.h"
#include "models/isa/instruction_footprint.h"
#include "models/ports/register_place.h"

namespace heddle {

/// One 32-bit register word that an instruction in an operand collector reads or writes.
struct RegisterWord {
  RegId home{};  ///< architected register
  /// Row number of the register; it differs from `home` only if a stage swaps rows (RegisterAccess::row).
  RegId row{};
  RegisterPlace place{};  ///< bank and entry of the register; the mapping stage sets it on the way down
  const OperandWord* operand = &kNoOperand;
};

/// Registers of an instruction that has just got an operand collector.
struct RegisterPrepare {
  static constexpr std::size_t kMaxWords = InstructionFootprint::kMostWords;

  CollectorId collector{};
  std::uint64_t uid = 0;  ///< sequence number of the instruction in issue order on the SM
  std::uint32_t pc = 0;
  std::uint8_t sources = 0, destinations = 0;
  /// Words of the source registers, followed by words of the destination registers.
  std::array<RegisterWord, kMaxWords> words{};

  std::span<RegisterWord> source_words() { return {words.data(), sources}; }
  std::span<RegisterWord> destination_words() { return {words.data() + sources, destinations}; }
  std::span<const RegisterWord> source_words() const { return {words.data(), sources}; }
  std::span<const RegisterWord> destination_words() const { return {words.data() + sources, destinations}; }
};

}  // namespace heddle
