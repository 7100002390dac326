#pragma once

// One launch in the table of a program: a line of JSON that the runtime appends as the launch ends, so that what was
// run is known however the program ends.

#include <optional>
#include <string>
#include <vector>

#include "models/core/config_node.h"
#include "models/isa/launch.h"
#include "testbench/estimate/launch_estimate.h"

namespace heddle::program {

struct LaunchRow {
  std::uint64_t launch = 0;  ///< position, counted from 0
  std::string kernel;        ///< plain name
  std::string mangled;
  isa::Dim3 grid, block;
  std::uint64_t shared_bytes = 0;  ///< static and dynamic
  std::uint64_t instructions =
      0;  ///< warp-instructions; of the PTX as written where the launch was not timed
  bool timed = false;
  std::uint64_t registers = 0;   ///< a thread; 0 where the kernel was not compiled
  std::uint64_t ctas_timed = 0;  ///< less than the grid has where a sample was timed
  std::uint64_t cycles = 0;
  double time_us = 0;
  std::optional<double> energy_pj, dynamic_pj, baseline_pj;
  bool checked = false, equal = true;
  std::uint64_t outside_reads = 0;  ///< of threads, just outside of an allocation (--lenient)
  std::string difference;           ///< where the timed launch and the reference part
  std::vector<std::string>
      races;  ///< of a launch that differs: what its order of execution decides, as far as found
  std::optional<estimate::LaunchEstimate>
      estimate;  ///< of a launch of which some places were timed, or a like one
  /// Position of the launch that stands for this one, maybe itself, and for how many launches this one stands; where
  /// representatives were asked for.
  std::optional<std::uint64_t> representative;
  std::uint64_t represents = 0;
  std::string captured;  ///< folder of the capture
  std::string waves;     ///< folder of the waveform

  /// Cycles, time, energies and instructions are then those of the estimate.
  void take(estimate::LaunchEstimate launch_estimate, double core_clock_mhz);
  /// Some of its CTAs were not timed.
  bool is_estimated() const { return estimate && !estimate->whole; }
  /// "whole", "places", "like 7"; empty where nothing is estimated.
  std::string estimated_by() const;

  std::string to_line() const;
  static LaunchRow from_line(const std::string& line, const std::string& where);
  /// A line that says again what is estimated of a launch whose line stands before it.
  static std::string again_line(const estimate::LaunchEstimate& estimate, double core_clock_mhz);
  static bool says_again(const std::string& line);
};

/// As it stands in a line, and in the table.
ConfigNode to_node(const LaunchRow& row);

/// The rows of a file, each with what was said of it last and with how many launches it stands for; a last line that was cut
/// off is left out.
std::vector<LaunchRow> read_rows(const std::string& file);

}  // namespace heddle::program
