#pragma once

// report.html of a program: how it ended, its kernels and launches, what differs.

#include <string>
#include <vector>

#include "testbench/program/process.h"

namespace heddle::program {

std::string program_report(const ExecParameters& parameters, const std::vector<std::string>& command,
                           const ProgramEnd& end);

}  // namespace heddle::program
