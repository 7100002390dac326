#pragma once

// The command line as a function: a program of your own that links Heddle's library and parts of its own is
// `#include <systemc>` and `int sc_main(int argc, char** argv) { return heddle::cli::run_program(argc, argv); }`.

namespace heddle::cli {

/// Runs one command; returns the exit status. Once a process: SystemC elaborates once.
int run_program(int argc, char** argv);

}  // namespace heddle::cli
