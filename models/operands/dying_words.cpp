#include "models/operands/dying_words.h"

#include "models/isa/release_flags.h"

namespace heddle {

void DyingWords::learn(const isa::Program& program) {
  program_ = &program;
  entries_.clear();
  words_.clear();
  for (const isa::Instruction& instruction : program.code) {
    Entry& entry = entries_.emplace_back();
    entry.first = static_cast<std::uint32_t>(words_.size());
    for (int s = 0; s < isa::register_sources(instruction); ++s) {
      const std::uint64_t flag = isa::release_bit(s);
      entry.flags |= flag;
      isa::for_each_released_word(instruction, flag, [this, flag](std::uint32_t r) {
        words_.push_back({flag, static_cast<std::uint8_t>(r)});
      });
    }
    entry.end = static_cast<std::uint32_t>(words_.size());
  }
}

}  // namespace heddle
