#pragma once

// Writes report.html of a program. It says how the program ended, and shows its kernels, its launches, and
// differences from the reference.

#include <functional>
#include <string>
#include <vector>

#include "testbench/program/process.h"

namespace heddle::output {
class HtmlPage;
}

namespace heddle::program {

/// Returns the text of report.html. `why`: reasons of the program's cycles, one in each line; may be empty.
/// `more`: function that adds sections after the table of kernels.
std::string program_report(const ExecParameters& parameters, const std::vector<std::string>& command,
                           const ProgramEnd& end, const std::string& why,
                           const std::function<void(output::HtmlPage&)>& more);

}  // namespace heddle::program
