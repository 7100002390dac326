#pragma once

// Text that kernels print (models/isa/runtime_call.h). It is read from the buffer of each launch and compared
// between runs.

#include <cstdint>
#include <string>
#include <vector>

#include "models/core/memory_image.h"
#include "models/isa/launch.h"

namespace heddle::launch {

/// The text of one call of printf by one thread.
struct PrintedText {
  std::uint64_t launch = 0;
  isa::Dim3 cta, thread;
  std::string text;
};

/// Printed text, in the order in which calls reserved their records.
struct Printed {
  std::vector<PrintedText> calls;
  std::uint64_t lost_bytes = 0;  ///< bytes of records that did not fit into the buffer
  std::string text() const;
};

/// Moves the records of a completed launch from `memory` to `printed`. `buffer` is the module's variable
/// isa::kPrintfBuffer.
void read_printed(const isa::ModuleVariable& buffer, const isa::KernelLaunch& launch, MemoryImage& memory,
                  Printed& printed);

}  // namespace heddle::launch
