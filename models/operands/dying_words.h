#pragma once

// Lists, for each instruction of a program, the source registers that the instruction's release flags free
// after it has read them. The list is computed once for each program.

#include <vector>

#include "models/isa/program.h"

namespace heddle {

class DyingWords {
 public:
  struct Entry {
    std::uint32_t first = 0, end = 0;
    /// release flags of the instruction's register sources, in the format of isa::ReleaseLatch::flags()
    std::uint64_t flags = 0;
  };

  bool are_of(const isa::Program& program) const { return program_ == &program; }
  void learn(const isa::Program& program);
  void forget() { program_ = nullptr; }

  const Entry& entry(std::uint32_t pc) const { return entries_[pc]; }
  template <class F>
  void for_each(const Entry& entry, std::uint64_t flags, F&& f) const {
    for (std::uint32_t n = entry.first; n != entry.end; ++n)
      if (flags & words_[n].flag) f(words_[n].reg);
  }

 private:
  struct Word {
    std::uint64_t flag;
    std::uint8_t reg;
  };
  const isa::Program* program_ = nullptr;
  std::vector<Entry> entries_;
  std::vector<Word> words_;
};

}  // namespace heddle
