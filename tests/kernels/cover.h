#pragma once

// The ways in which every kernel is run: scheduler x preset x registers x clean-ups x power gating. CI takes
// rows so that every pair of choices, kernels included, meets in some row.

#include <array>
#include <cstddef>
#include <vector>

#include "testbench/run/run_parameters.h"

namespace heddle::kernel_runs {

/// One row of the cover: a position in each of the lists.
struct Row {
  std::size_t scheduler = 0, preset = 0, registers = 0, passes = 0, gating = 0;
};

inline constexpr std::array<const char*, 6> kSchedulers = {
    R"("lrr")",
    R"("gto")",
    R"({"type":"two-level","active_warps":8,"inner":"round-robin"})",
    R"({"type":"two-level","active_warps":4,"inner":"greedy"})",
    R"({"type":"fetch-group","group_warps":8})",
    R"({"type":"gates","active_warps":8})"};
inline constexpr std::array<const char*, 6> kPresets = {
    "fermi-gebhart", "fermi-gtx480", "fermi-cmrc", "fermi-virtualization", "kepler-gtx780", "maxwell-gtx980"};
inline constexpr std::array<int, 2> kRegisters = {63, 16};  ///< 16: many kernels spill
inline constexpr std::array<bool, 2> kCleanUps = {true, false};
/// Of every unit class.
inline constexpr std::array<const char*, 5> kGating = {
    R"("none")", R"("conventional")", R"("naive-blackout")", R"("coordinated-blackout")", R"("adaptive")"};

/// The rows in which kernel number `kernel` takes part: a pairwise cover over all kernels.
std::vector<Row> pairwise_rows(std::size_t kernel);
/// The whole product of the other choices, through which gating turns, and the whole product of schedulers
/// and gating.
std::vector<Row> all_rows();

run::RunParameters parameters_of(const Row& row, const std::string& launch);
std::string text_of(const Row& row);

}  // namespace heddle::kernel_runs
