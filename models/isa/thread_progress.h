#pragma once

// Progress of divergent threads, as GPUs from sm_70 on guarantee it: a path of a warp that spins lets another path of the
// warp run (models/reference/README.md, "Thread progress"). These are the facts about a program that the rule needs.

#include <cstdint>
#include <vector>

#include "models/isa/program.h"

namespace heddle::isa {

enum class ThreadProgress : std::uint8_t { by_target, on, off };

/// Name of a configuration's choice -> ThreadProgress.
ThreadProgress thread_progress_of(const std::string& name);

inline constexpr std::uint32_t kFirstWithProgress = 70;  ///< sm_70

/// Iterations of a waiting loop, all by the same lanes, after which the warp changes to another path.
inline constexpr std::uint32_t kSpins = 16;
/// The same, by any lanes.
inline constexpr std::uint32_t kMostSpins = 4096;

/// True if the warps of `program` change between paths. Registers that a pass lets the hardware discard are dead for the whole
/// warp in the order of a stack of paths only, so a program with such notes does not change.
bool has_thread_progress(const Program& program, ThreadProgress choice);

/// Backward branches of loops that test words which other threads may change: volatile or ordered loads, compare-and-swap,
/// exchange, and atomics that add nothing. By instruction.
std::vector<bool> waiting_branches(const Program& program);

/// The instruction takes values of other lanes, or counts as an arrival of the whole warp: paths that have come apart meet
/// there.
bool meets_lanes(const Instruction& instruction);

}  // namespace heddle::isa
