#pragma once

// The ways in which every kernel is run: a value of every axis (scheduler, preset, registers, stages ...). CI takes
// six rows a kernel, however many axes there are, in which every two values of two axes meet; a further axis is
// an entry of axes().

#include <cstddef>
#include <string>
#include <vector>

#include "testbench/run/run_parameters.h"

namespace heddle::kernel_runs {

/// Parts that a value of an axis adds to a run. Stages and passes are placed by properties of their types.
struct Value {
  std::string name;
  std::vector<std::string> sets;  ///< "gpu.sm.scheduler=gto"
  std::vector<std::string> stages, front_end_stages, passes;
  /// Instead of `stages` where all registers of a warp lie in one bank, and a CTA's warps might all meet there.
  std::vector<std::string> stages_of_one_bank = {};
};

struct Axis {
  std::string name;
  std::vector<Value> values;
};

/// Axes over a family have a value for every part of it, whether one is written down or not.
const std::vector<Axis>& axes();
/// The first ones, whose whole product is run where time is no matter: preset, scheduler, registers, clean-ups.
inline constexpr std::size_t kProductAxes = 4;

/// A position in every axis.
using Row = std::vector<std::size_t>;

inline constexpr std::size_t kRowsPerKernel = 5;
/// By kernel: its rows. A kernel meets every value of axes with up to five of them, values of longer axes take
/// turns.
std::vector<std::vector<Row>> pairwise_rows(std::size_t kernels);
/// The whole product of the first axes, with values of the others at random, for kernel number `kernel`.
std::vector<Row> all_rows(std::size_t kernel);
/// The row of first values, with those of `names` where an axis has them.
Row row_of(const std::vector<std::string>& names);

run::RunParameters parameters_of(const Row& row, const std::string& launch);
std::string text_of(const Row& row);

}  // namespace heddle::kernel_runs
