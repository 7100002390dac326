// semantics-generator FOLDER: writes the tables with expected results of PTX instructions into FOLDER.

#include <cstdio>
#include <exception>

#include "groups.h"

int main(int argc, char** argv) {
  using namespace heddle::semantics;
  if (argc != 2) {
    std::fprintf(stderr, "usage: semantics-generator FOLDER\n");
    return 1;
  }
  try {
    for (const auto write : {write_integer_arithmetic,
                             write_carry_chains,
                             write_bit_operations,
                             write_byte_operations,
                             write_comparisons,
                             write_float_arithmetic,
                             write_approximations,
                             write_conversions,
                             write_moves,
                             write_loads,
                             write_stores,
                             write_atomics,
                             write_warp_operations,
                             write_barriers,
                             write_control_flow,
                             write_spellings,
                             write_errors,
                             write_halves,
                             write_half_conversions,
                             write_calls,
                             write_textures}) {
      write(argv[1]);
    }
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
  return 0;
}
