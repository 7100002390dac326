#pragma once

// Announcement of an instruction to the register path, sent before the first read of the instruction. The
// announcement lists the registers that the instruction will read and write. A stage may refuse the
// announcement. The result of bar.red is not announced.

#include <array>
#include <cstdint>
#include <span>

#include "models/core/ids.h"
#include "models/isa/instruction_footprint.h"
#include "models/ports/register_place.h"

namespace heddle {

struct RegisterWord {
  RegId home{};
  RegId row{};
  RegisterPlace place{};
  const OperandWord* operand = &kNoOperand;
};

struct RegisterPrepare {
  static constexpr std::size_t kMaxWords = InstructionFootprint::kMostWords;

  CollectorId collector{};
  std::uint64_t uid = 0;
  std::uint32_t pc = 0;
  std::uint8_t sources = 0, destinations = 0;
  std::array<RegisterWord, kMaxWords> words{};

  std::span<RegisterWord> source_words() { return {words.data(), sources}; }
  std::span<RegisterWord> destination_words() { return {words.data() + sources, destinations}; }
  std::span<const RegisterWord> source_words() const { return {words.data(), sources}; }
  std::span<const RegisterWord> destination_words() const { return {words.data() + sources, destinations}; }
};

}  // namespace heddle
