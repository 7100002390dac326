#pragma once

// Writes a command file for the waveform viewer Surfer (commands of version 0.5). With this file, Surfer
// shows the signals of each warp one below another.

#include <string>

#include "testbench/output/waves.h"
#include "testbench/run/out_folder.h"

namespace heddle::output {

/// Writes the command file NAME.sucl into the folder of the waveform `vcd_file` (NAME.vcd). Its commands load
/// the waveform and add signals of one SM, warp by warp: the warp signals that changed, of the first SM with
/// a signal that changed. Throws Error if the file cannot be written.
void write_surfer(run::OutFolder& folder, const std::string& vcd_file, const WaveRecorder& waves);

std::string surfer_file(const std::string& vcd_file);

}  // namespace heddle::output
