#include <systemc>

#include "testbench/cli/program.h"

// Calls end_at_memory_failures before the initialisers of shared libraries run (section .preinit_array), so
// that failed allocations in these initialisers are also handled.
extern "C" {
__attribute__((section(".preinit_array"),
               used)) static void (*const early)() = heddle::cli::end_at_memory_failures;
}

int sc_main(int argc, char** argv) { return heddle::cli::run_program(argc, argv); }
