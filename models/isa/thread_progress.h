#pragma once

// Decides which programs get independent thread scheduling. GPUs from sm_70 on guarantee that divergent
// threads make progress: if a path of a warp spins, another path of the warp eventually runs.

#include <cstdint>
#include <vector>

#include "models/isa/program.h"

namespace heddle::isa {

enum class ThreadProgress : std::uint8_t { by_target, on, off };

/// Converts the value of a configuration key: "on" or "off". Any other text means by_target: the program's
/// target decides.
ThreadProgress thread_progress_of(const std::string& name);

/// First PTX target that guarantees thread progress: sm_70.
inline constexpr std::uint32_t kFirstWithProgress = 70;

/// Number of times in a row that the same lanes repeat a waiting loop before the warp changes to another
/// path. A waiting loop tests a word that other threads may change.
inline constexpr std::uint32_t kSpins = 16;
/// Limit for waiting loops that different lanes repeat in turn, so that kSpins is never reached: after this
/// number of iterations by any lanes, the warp changes to another path.
inline constexpr std::uint32_t kMostSpins = 4096;

/// Returns true if the warps of `program` may change between divergent paths. Returns false if `choice` is
/// off, or if it leaves the decision to the target and the target is below sm_70. Also returns false if a
/// compiler pass has marked ends of values (last uses, reads from upper levels, strand ends, register
/// releases), because these marks assume the execution order of a SIMT stack.
bool has_thread_progress(const Program& program, ThreadProgress choice);

/// Returns an array with true for each backward branch of a waiting loop. A waiting loop tests words that
/// other threads may change. It reads these words by volatile or ordered loads, by compare-and-swap or
/// exchange, by tests of an mbarrier, or by atomics that keep the word's value.
std::vector<bool> waiting_branches(const Program& program);

/// Returns true if divergent paths of a warp should join at the instruction, because the instruction reads
/// values of other lanes or is a barrier.
bool meets_lanes(const Instruction& instruction);

}  // namespace heddle::isa
