#include "models/stages/window_notes.h"

#include <fmt/format.h>

#include "models/core/error.h"

namespace heddle {

void WindowNotes::begin(const isa::Program& program) {
  if (!used_) return;
  hints_ = isa::NotedWords(program.notes, "window-hint");
  window_ = isa::NotedWords(program.notes, "window");
  check(program);
}

void WindowNotes::check(const isa::Program& program) const {
  for (const isa::Instruction& i : program.code) {
    const auto words = window_.in(i.notes);
    if (words.empty()) continue;
    if (words[0] == static_cast<std::uint64_t>(instructions_) && (words[1] != 0) == extends_) return;
    throw Error("gpu.sm.register_file.stages[operand-window]",
                fmt::format("the hints of kernel {} are for {} instructions, extends {}", program.kernel,
                            words[0], words[1] != 0),
                "the same parameters in the pass window-hints, or hints none");
  }
  throw Error("gpu.sm.register_file.stages[operand-window].hints",
              fmt::format("the compiler has not marked the results of kernel {}", program.kernel),
              "with the pass window-hints, or hints none");
}

}  // namespace heddle
