#include "models/operands/instruction_words.h"

#include "models/isa/release_flags.h"

namespace heddle {

void InstructionWords::learn(const isa::Program& program) {
  program_ = &program;
  entries_.clear();
  words_.clear();
  dying_.clear();
  const auto add = [this](std::span<const isa::Operand> operands) {
    const std::size_t before = words_.size();
    for (std::size_t slot = 0; slot < operands.size(); ++slot)
      for (int word = 0; word < operands[slot].words(); ++word) {
        const RegId home(operands[slot].reg.value + static_cast<std::uint32_t>(word));
        words_.push_back({home, home, RegisterPlace{}, operands[slot].annotation,
                          static_cast<std::uint8_t>(slot), static_cast<std::uint8_t>(word)});
      }
    return static_cast<std::uint8_t>(words_.size() - before);
  };
  for (const isa::Instruction& instruction : program.code) {
    Entry& entry = entries_.emplace_back();
    entry.first = static_cast<std::uint32_t>(words_.size());
    entry.sources = add(instruction.sources());
    entry.destinations = add(instruction.destinations());
    entry.first_dying = static_cast<std::uint32_t>(dying_.size());
    for (int s = 0; s < isa::register_sources(instruction); ++s) {
      const std::uint64_t flag = isa::release_bit(s);
      entry.release_flags |= flag;
      isa::for_each_released_word(instruction, flag, [this, flag](std::uint32_t r) {
        dying_.push_back({flag, static_cast<std::uint8_t>(r)});
      });
    }
    entry.end_dying = static_cast<std::uint32_t>(dying_.size());
  }
}

}  // namespace heddle
