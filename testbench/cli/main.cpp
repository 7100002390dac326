#include <systemc>

#include "testbench/cli/program.h"

// Runs before the initialisers of shared libraries. Failed allocations of these initialisers are thus
// handled, too.
extern "C" {
__attribute__((section(".preinit_array"),
               used)) static void (*const early)() = heddle::cli::end_at_memory_failures;
}

int sc_main(int argc, char** argv) { return heddle::cli::run_program(argc, argv); }
