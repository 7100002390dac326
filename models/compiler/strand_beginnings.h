#pragma once

// Computes where strands begin, from the ends of the strands. A strand begins after each end of a strand, and
// at these blocks:
// - blocks that are entered from two strands;
// - if one side of a divergent branch ends a strand: the first block of the other side, and the meeting point,
//   because the end of a strand frees the warp's entries of the upper register levels in all lanes.

#include <vector>

#include "models/compiler/analyses/control_flow.h"
#include "models/compiler/analyses/warp_flow.h"
#include "models/isa/program.h"

namespace heddle::compiler {

bool has_strand_end(const isa::Program& program, const BasicBlock& block);
/// Returns the blocks at whose start some lanes may have lost their values in upper register levels. These
/// lanes waited at a divergent branch while other lanes of the warp executed the end of a strand.
std::vector<bool> find_lost_entries(const isa::Program& program, const ControlFlow& flow,
                                    const WarpFlow& warp);

class StrandBeginnings {
 public:
  StrandBeginnings(isa::Program& program, const ControlFlow& flow, const WarpFlow& warp);

  void add(int block) { begins_[static_cast<std::size_t>(block)] = true; }
  /// Makes strands begin at blocks that lie on both sides of a divergent branch, before its reconvergence
  /// point. The warp may execute such a block twice, once for each side (Bailey 2018, III-B).
  void add_blocks_that_run_twice();

  void mark();

 private:
  bool begin_at_second_entry();
  bool ends_after(int block) const;

  isa::Program& program_;
  const ControlFlow& flow_;
  const WarpFlow& warp_;
  std::vector<bool> begins_;
};

}  // namespace heddle::compiler
