#pragma once

// Writes a save file for GTKWave that opens a waveform as a timeline of warps, and filter files that show the
// numbers of states as words.

#include <string>
#include <vector>

#include "testbench/output/waves.h"
#include "testbench/run/out_folder.h"

namespace heddle::output {

/// Writes NAME.gtkw and its filter files (states, stalls, instructions, units) into the folder of the waveform
/// `vcd_file` (NAME.vcd). The save file shows the first SM with a changed signal, and only signals that
/// changed: the states of all warps, a closed group for each warp, then the other parts. `stall_reasons`: their names by number. Throws Error if a file cannot be written.
void write_gtkwave(run::OutFolder& folder, const std::string& vcd_file, const WaveRecorder& waves,
                   const std::vector<std::string>& stall_reasons);

/// Returns the names of the files that write_gtkwave() writes.
std::vector<std::string> gtkwave_files(const std::string& vcd_file);

}  // namespace heddle::output
