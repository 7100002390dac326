#include "models/ports/partial_warp.h"

#include <fmt/format.h>

#include "models/core/error.h"
#include "models/isa/matrix_operands.h"

namespace heddle {

void refuse_partial_warp(const InFlight& item) {
  const WarpContext& warp = *item.context;
  const isa::Program& program = *warp.launch->program;
  throw Error(
      fmt::format("{}:{}:{}", program.file, item.instruction->location.ptx_line,
                  item.instruction->location.ptx_column),
      fmt::format("kernel {}, CTA ({},{},{}), warp {}: {}", program.kernel, warp.cta_id.x, warp.cta_id.y,
                  warp.cta_id.z, warp.warp_in_cta, isa::partial_warp(*item.instruction, item.mask)),
      "all 32 lanes of the warp");
}

}  // namespace heddle
