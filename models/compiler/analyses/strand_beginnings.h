#pragma once

// Where strands begin, given where they end. After every end; and at blocks into which nothing can be passed
// on although no end stands in front of them:
//  - those that are entered from two strands, so every strand has one entry;
//  - the other side and the meeting point of a divergent branch one side of which ends a strand, as that
//    takes the entries of all lanes of the warp;
//  - those that the rules for strands add.

#include <vector>

#include "models/compiler/analyses/control_flow.h"
#include "models/compiler/analyses/warp_flow.h"
#include "models/isa/program.h"

namespace heddle::compiler {

/// A strand ends in the block.
bool has_strand_end(const isa::Program& program, const BasicBlock& block);
/// Blocks at whose start lanes may have waited while others of the warp met the end of a strand.
std::vector<bool> find_lost_entries(const isa::Program& program, const ControlFlow& flow,
                                    const WarpFlow& warp);

class StrandBeginnings {
 public:
  StrandBeginnings(isa::Program& program, const ControlFlow& flow, const WarpFlow& warp);

  /// A strand begins at this block.
  void add(int block) { begins_[static_cast<std::size_t>(block)] = true; }
  /// Strands begin where both sides of a divergent branch lead before they meet: the warp may execute such a
  /// block once with the lanes of either side (Bailey 2018, III-B).
  void add_blocks_that_run_twice();

  /// Sets Instruction::begins_strand.
  void mark();

 private:
  bool begin_at_second_entry();
  bool ends_behind(int block) const;

  isa::Program& program_;
  const ControlFlow& flow_;
  const WarpFlow& warp_;
  std::vector<bool> begins_;  ///< by block
};

}  // namespace heddle::compiler
