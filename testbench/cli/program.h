#pragma once

// The command line as a function, for a program that links Heddle's library and its own parts. The whole
// program is `#include <systemc>` and `int sc_main(int argc, char** argv) { return
// heddle::cli::run_program(argc, argv); }`.

namespace heddle::cli {

/// From here on a failure to allocate memory that nothing catches, also inside of a library or before main, ends the
/// process with one line and status 1.
void end_at_memory_failures();

/// Runs one command and returns the exit status. May be called once per process, because SystemC elaborates
/// once.
int run_program(int argc, char** argv);

}  // namespace heddle::cli
