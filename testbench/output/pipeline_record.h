#pragma once

// One issued instruction with the cycles of its stages. PipelineRecorder (pipeline.h) keeps such records.

#include <cstdint>
#include <string>
#include <vector>

#include "models/core/ids.h"
#include "models/core/lanes.h"
#include "models/isa/opcode.h"
#include "models/isa/types.h"
#include "testbench/output/profile_counts.h"

namespace heddle::output {

/// Cycles in which a warp waited for one reason: from `begin` to the cycle before `end`.
struct PipelineWait {
  WaitReason reason{};
  Cycle begin = 0, end = 0;
};

/// Addresses of a memory instruction. Texture look-ups have none.
struct PipelineAddresses {
  isa::Space space = isa::Space::generic;
  unsigned bytes = 0;                ///< bytes that each lane accesses
  std::vector<std::uint64_t> lanes;  ///< address of each executing lane, in ascending order of lanes
};

/// A register word that the instruction reads or writes, or a predicate that it writes.
struct PipelineOperand {
  std::string name;  ///< "r5" or "p0"
  /// Index of the register-file stage that supplied the value; stages are counted from the collectors to the
  /// banks. Valid only for words that are read.
  std::size_t stage = 0;
  std::string values;  ///< values of the lanes that execute (lane_values.h); empty if they are not known
};

struct PipelineInstruction {
  std::uint16_t sm = 0, warp = 0;
  std::uint32_t launch = 0;
  std::uint32_t cta = 0, pc = 0;
  std::size_t text = 0;  ///< index into PipelineLog::texts
  LaneMask mask = 0;
  std::uint64_t uid = 0;  ///< number of the instruction on its SM, in issue order
  isa::UnitClass unit{};
  /// First cycle of each stage; kNever if the instruction has not reached the stage.
  Cycle fetched = kNever;
  Cycle ready = kNever;  ///< first cycle in which the fetched instruction could issue
  Cycle issued = kNever;
  Cycle prepared = kNever;    ///< cycle in which the instruction has a collector
  Cycle held = kNever;        ///< cycle in which the collector has every source
  Cycle dispatched = kNever;  ///< cycle in which the instruction leaves the collector
  Cycle left = kNever;        ///< cycle in which the result leaves the pipeline of an INT, FP or SFU unit
  Cycle completed = kNever;   ///< first cycle in which later instructions see the results
  std::vector<PipelineWait> waits;       ///< waits of the warp since its previous issue
  std::vector<std::uint64_t> producers;  ///< uid of the instructions that wrote the sources
  std::vector<PipelineOperand> sources, results;
  PipelineAddresses addresses;
};

/// Returns true if instruction `a` comes before `b` in a log: by cycle of issue. The order does not depend on
/// the order in which the SMs were simulated.
inline bool earlier(const PipelineInstruction& a, const PipelineInstruction& b) {
  if (a.issued != b.issued) return a.issued < b.issued;
  return a.sm != b.sm ? a.sm < b.sm : a.uid < b.uid;
}

struct PipelineText {
  std::string text;
  std::string line;  ///< line of the source, otherwise of the PTX: "bfs.cu:12", "PTX:40"
};

struct PipelineLog {
  std::vector<PipelineInstruction> instructions;
  std::vector<PipelineText> texts;
  std::vector<std::string> stages;  ///< names of the register-file stages of a partition
  /// Issue cycle of the first instruction that is missing because the log is full; kNever: the log is
  /// complete.
  Cycle stops_at = kNever;
};

}  // namespace heddle::output
