#pragma once

// What the collectors tell the register path of each instruction of a program, worked out once a program: its
// register words as announcements have them, and which release flags speak of it. Plain.

#include <vector>

#include "models/isa/program.h"
#include "models/ports/register_prepare.h"

namespace heddle {

class InstructionWords {
 public:
  struct Entry {
    std::uint32_t first = 0;                     ///< of its words
    std::uint8_t sources = 0, destinations = 0;  ///< words; sources first
    std::uint32_t first_dying = 0, end_dying = 0;
    std::uint64_t release_flags = 0;  ///< of isa::ReleaseLatch::flags(), those of its register sources
  };

  bool are_of(const isa::Program& program) const { return program_ == &program; }
  void learn(const isa::Program& program);
  void forget() { program_ = nullptr; }

  const Entry& entry(std::uint32_t pc) const { return entries_[pc]; }
  /// No place is set, rows are those of the architected registers.
  const RegisterWord* words(const Entry& entry) const { return words_.data() + entry.first; }
  /// f(register) for those that the flags release at the instruction (isa::for_each_released_word).
  template <class F>
  void for_each_dying(const Entry& entry, std::uint64_t flags, F&& f) const {
    for (std::uint32_t n = entry.first_dying; n != entry.end_dying; ++n)
      if (flags & dying_[n].flag) f(dying_[n].reg);
  }

 private:
  /// A word that a flag releases.
  struct Dying {
    std::uint64_t flag;
    std::uint8_t reg;
  };
  const isa::Program* program_ = nullptr;
  std::vector<Entry> entries_;
  std::vector<RegisterWord> words_;
  std::vector<Dying> dying_;  ///< by instruction and source
};

}  // namespace heddle
