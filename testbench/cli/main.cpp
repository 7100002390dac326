
#include <systemc>

#include "testbench/cli/program.h"

int sc_main(int argc, char** argv) { return heddle::cli::run_program(argc, argv); }
