#pragma once

// Computes where strands begin from where they end. A strand begins after each end of a strand, and at blocks
// into which no value can be passed although no end precedes them:
//  - blocks that are entered from two strands, so that each strand has a single entry;
//  - the other side and the meeting point of a divergent branch if one side ends a strand, because this frees
//    the entries of all lanes of the warp;
//  - blocks added by the rules for strands.

#include <vector>

#include "models/compiler/analyses/control_flow.h"
#include "models/compiler/analyses/warp_flow.h"
#include "models/isa/program.h"

namespace heddle::compiler {

/// True if a strand ends in the block.
bool has_strand_end(const isa::Program& program, const BasicBlock& block);
/// Returns the blocks at whose start lanes may have waited while other lanes of the warp passed the end of a
/// strand.
std::vector<bool> find_lost_entries(const isa::Program& program, const ControlFlow& flow,
                                    const WarpFlow& warp);

class StrandBeginnings {
 public:
  StrandBeginnings(isa::Program& program, const ControlFlow& flow, const WarpFlow& warp);

  /// Begins a strand at this block.
  void add(int block) { begins_[static_cast<std::size_t>(block)] = true; }
  /// Begins strands at blocks that both sides of a divergent branch reach before they meet. The warp may
  /// execute such a block once for each side (Bailey 2018, III-B).
  void add_blocks_that_run_twice();

  /// Sets Instruction::begins_strand.
  void mark();

 private:
  bool begin_at_second_entry();
  bool ends_after(int block) const;

  isa::Program& program_;
  const ControlFlow& flow_;
  const WarpFlow& warp_;
  std::vector<bool> begins_;  ///< by block
};

}  // namespace heddle::compiler
