#pragma once

// The announcement of an instruction to the register path: the registers that it will read and write, sent
// before its first read. It travels down as an access of command prepare, which a stage may refuse
// (register_access.h). Results of bar.red are written without an announcement.

#include <array>
#include <cstdint>
#include <span>

#include "models/core/ids.h"
#include "models/isa/instruction_footprint.h"
#include "models/ports/register_place.h"

namespace heddle {

/// A register word of an instruction in a collector.
struct RegisterWord {
  RegId home{};           ///< architected register
  RegId row{};            ///< row number of the register (RegisterAccess::row)
  RegisterPlace place{};  ///< set by a mapping stage on the way down
  const OperandWord* operand = &kNoOperand;
};

/// Registers of an instruction that has just got a collector.
struct RegisterPrepare {
  static constexpr std::size_t kMaxWords = InstructionFootprint::kMostWords;

  CollectorId collector{};
  std::uint64_t uid = 0;  ///< number of the instruction in issue order on the SM
  std::uint32_t pc = 0;
  std::uint8_t sources = 0, destinations = 0;
  std::array<RegisterWord, kMaxWords> words{};  ///< sources first, then destinations

  std::span<RegisterWord> source_words() { return {words.data(), sources}; }
  std::span<RegisterWord> destination_words() { return {words.data() + sources, destinations}; }
  std::span<const RegisterWord> source_words() const { return {words.data(), sources}; }
  std::span<const RegisterWord> destination_words() const { return {words.data() + sources, destinations}; }
};

}  // namespace heddle
