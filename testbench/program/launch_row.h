#pragma once

// A row of the table of launches. The CUDA runtime appends it as a line of JSON when the launch ends, so the
// table is complete even if the program crashes.

#include <optional>
#include <string>
#include <vector>

#include "models/core/config_node.h"
#include "models/isa/launch.h"
#include "testbench/estimate/launch_estimate.h"

namespace heddle::program {

struct LaunchRow {
  std::uint64_t launch = 0;
  std::string kernel;
  std::string mangled;
  isa::Dim3 grid, block;
  std::uint64_t shared_bytes = 0;  ///< static and dynamic shared memory per block in bytes
  std::uint64_t instructions =
      0;  ///< warp-instructions; counted in the PTX as parsed if the launch was not timed
  bool timed = false;
  std::uint64_t registers = 0;
  std::uint64_t ctas_timed = 0;  ///< timed CTAs; fewer than the grid's if only a sample was timed
  std::uint64_t cycles = 0;
  double time_us = 0;
  std::optional<double> energy_pj, dynamic_pj, baseline_pj;
  bool checked = false, equal = true;
  std::uint64_t outside_reads = 0;  ///< reads just outside of an allocation (--lenient)
  std::string difference;
  std::vector<std::string> races;
  /// Findings of the checks (watch.checks) that no earlier launch had.
  std::uint64_t findings = 0;
  std::vector<std::string> finding_lines;
  /// Estimate, if only some CTAs of this or a similar launch were timed.
  std::optional<estimate::LaunchEstimate> estimate;
  /// With --launches representatives: position of the launch that represents this launch, and number of
  /// launches that this launch represents.
  std::optional<std::uint64_t> representative;
  std::uint64_t represents = 0;
  std::string captured;
  std::string waves;  ///< folder of the waveform; empty: none
  std::string error;
  /// The launch did not run, because an earlier launch had failed with `error`.
  bool not_run = false;

  /// Stores an estimate. Cycles, time, energies and instructions are then estimated values.
  void take(estimate::LaunchEstimate launch_estimate, double core_clock_mhz);
  /// Returns true if outputs differ in values that depend on the order of threads (run::why_incomparable).
  bool is_incomparable() const { return timed && !checked && !difference.empty(); }
  bool is_estimated() const { return estimate && !estimate->whole; }
  /// Returns "whole", "places" (some CTAs were timed), "like 7" (launch 7 was timed instead), or nothing
  /// without an estimate.
  std::string estimated_by() const;

  /// Returns "failed", "not run", "not comparable", "different" or "equal"; empty if nothing was compared.
  std::string outcome() const;

  std::string to_line() const;
  static LaunchRow from_line(const std::string& line, const std::string& where);
  /// Write and recognise a line that replaces the estimate of an earlier launch.
  static std::string refined_line(const estimate::LaunchEstimate& estimate, double core_clock_mhz);
  static bool is_refined_line(const std::string& line);
};

std::string findings_text(const std::vector<LaunchRow>& rows);

ConfigNode to_node(const LaunchRow& row);

/// Reads rows with their last estimates. Ignores an incomplete last line.
std::vector<LaunchRow> read_rows(const std::string& file);

}  // namespace heddle::program
