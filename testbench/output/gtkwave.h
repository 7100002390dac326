#pragma once

// Writes files for GTKWave. A save file shows a waveform as a timeline of warps, and filter files make
// GTKWave show states as words.

#include <string>
#include <vector>

#include "testbench/output/waves.h"
#include "testbench/run/out_folder.h"

namespace heddle::output {

/// Writes NAME.gtkw and its filter files (states, stalls, instructions, units) next to the waveform
/// `vcd_file` (NAME.vcd). NAME.gtkw shows the signals of one SM: the first SM whose signals changed. Throws
/// Error if a file cannot be written.
void write_gtkwave(run::OutFolder& folder, const std::string& vcd_file, const WaveRecorder& waves,
                   const std::vector<std::string>& stall_reasons);

std::vector<std::string> gtkwave_files(const std::string& vcd_file);

}  // namespace heddle::output
