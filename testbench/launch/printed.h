#pragma once

// Handles the text that kernels print by printf (models/isa/runtime_call.h). After each launch, the text is
// read from the launch's printf buffer. The text that the timed run printed is also compared with the text of
// the reference.

#include <cstdint>
#include <string>
#include <vector>

#include "models/core/memory_image.h"
#include "models/isa/launch.h"

namespace heddle::launch {

struct PrintedText {
  std::uint64_t launch = 0;
  isa::Dim3 cta, thread;
  std::string text;
};

struct Printed {
  std::vector<PrintedText> calls;
  std::uint64_t lost_bytes = 0;  ///< bytes of printed text that did not fit into the buffer
  std::string text() const;
};

/// Moves the text that a completed launch has printed from `memory` to `printed`. `buffer`: the module
/// variable isa::kPrintfBuffer.
void read_printed(const isa::ModuleVariable& buffer, const isa::KernelLaunch& launch, MemoryImage& memory,
                  Printed& printed);

}  // namespace heddle::launch
