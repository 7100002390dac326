#pragma once

// Finds the programs that need independent thread scheduling. GPUs from sm_70 on guarantee that divergent
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

/// A waiting loop tests a word that other threads may change. If the same lanes have repeated such a loop
/// this number of times in a row, the warp changes to another path.
inline constexpr std::uint32_t kSpins = 16;
/// If the lanes of the warp have repeated waiting loops this number of times in total, the warp also changes
/// to another path.
inline constexpr std::uint32_t kMostSpins = 4096;

/// Returns true if the warps of `program` may change between divergent paths. Returns false if a compiler
/// pass has marked ends of values (last uses, reads from upper levels, strand ends, register releases). These
/// marks assume the execution order of a SIMT stack.
bool has_thread_progress(const Program& program, ThreadProgress choice);

/// Returns, for each instruction, true for backward branches of waiting loops. A waiting loop tests words that
/// other threads may change. The loop reads these words by volatile or ordered loads, by compare-and-swap or
/// exchange, by tests of an mbarrier, or by atomics that keep the word's value.
std::vector<bool> waiting_branches(const Program& program);

/// Returns true if divergent paths of a warp should join at the instruction, because the instruction reads
/// values of other lanes or is a barrier.
bool meets_lanes(const Instruction& instruction);

}  // namespace heddle::isa
