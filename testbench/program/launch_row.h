#pragma once

// One launch in the table of a program. The runtime appends it as a line of JSON when the launch ends, so
// that the table is complete however the program ends.

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
  std::uint64_t shared_bytes = 0;  ///< bytes of static and dynamic shared memory
  std::uint64_t instructions =
      0;  ///< warp-instructions; counted in the unoptimised PTX if the launch was not timed
  bool timed = false;
  std::uint64_t registers = 0;   ///< registers of a thread; 0 if the kernel was not compiled
  std::uint64_t ctas_timed = 0;  ///< number of timed CTAs; less than the grid's if only a sample was timed
  std::uint64_t cycles = 0;
  double time_us = 0;
  std::optional<double> energy_pj, dynamic_pj, baseline_pj;
  bool checked = false, equal = true;
  std::uint64_t outside_reads = 0;  ///< reads by threads just outside of an allocation (--lenient)
  std::string difference;           ///< first difference between timed launch and reference
  /// For a launch that differs from the reference: the races found, whose order changes the results.
  std::vector<std::string> races;
  std::uint64_t findings = 0;              ///< of watch.checks in this launch that no launch before had
  std::vector<std::string> finding_lines;  ///< those that are printed
  /// Estimate, if only some places (windows of CTAs) of this launch, or of a similar launch, were timed.
  std::optional<estimate::LaunchEstimate> estimate;
  /// Only with --launches representatives: the position of the launch that represents this one (possibly
  /// itself), and the number of launches that this one represents.
  std::optional<std::uint64_t> representative;
  std::uint64_t represents = 0;
  std::string captured;  ///< folder of the capture
  std::string waves;     ///< folder of the waveform
  std::string error;     ///< why the launch failed; empty: it did not
  bool not_run = false;  ///< the error is that of a launch before, after which none runs

  /// Stores an estimate. Cycles, time, energies and instructions are then the estimated values.
  void take(estimate::LaunchEstimate launch_estimate, double core_clock_mhz);
  /// Returns true if outputs differ in values that depend on the order of threads (run::why_incomparable).
  bool is_incomparable() const { return timed && !checked && !difference.empty(); }
  /// Returns true if some CTAs were not timed.
  bool is_estimated() const { return estimate && !estimate->whole; }
  /// Returns "whole", "places" or "like 7"; empty if nothing is estimated.
  std::string estimated_by() const;

  /// Returns "failed", "not run", "not comparable", "different" or "equal"; empty if the launch was not compared.
  std::string outcome() const;

  std::string to_line() const;
  static LaunchRow from_line(const std::string& line, const std::string& where);
  /// These functions return a line that replaces the estimate of an earlier launch, and recognise such a
  /// line.
  static std::string refined_line(const estimate::LaunchEstimate& estimate, double core_clock_mhz);
  static bool is_refined_line(const std::string& line);
};

/// Returns the findings of the launches, a line each.
std::string findings_text(const std::vector<LaunchRow>& rows);

/// Returns the row in the form in which it is in a line and in the table.
ConfigNode to_node(const LaunchRow& row);

/// Reads the rows of a file, each with its last estimate and the number of launches that it represents. An
/// incomplete last line is ignored.
std::vector<LaunchRow> read_rows(const std::string& file);

}  // namespace heddle::program
