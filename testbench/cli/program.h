#pragma once

// Provides the command line of Heddle as a function, for a program that links Heddle's library with its own
// models. Such a program is `#include <systemc>` and `int sc_main(int argc, char** argv) { return
// heddle::cli::run_program(argc, argv); }`.

namespace heddle::cli {

/// Installs a handler for memory allocations that fail. If no code handles such a failure, the process ends
/// with one error line and status 1.
void end_at_memory_failures();

/// Runs one command of the command line and returns the exit status. May be called once per process, because
/// SystemC elaborates once.
int run_program(int argc, char** argv);

}  // namespace heddle::cli
