// The scripts of charts lie in the program as the build found them: D3 as Debian's libjs-d3 has it, and charts.js. A
// page holds both, and needs no other file.

#include <cstddef>

#include "testbench/output/chart.h"

#define HEDDLE_HOLD(name, path)                                                                          \
  asm(".pushsection .rodata\n" #name "_begin:\n.incbin \"" path "\"\n" #name                             \
      "_end:\n.byte 0\n.popsection\n"                                                                    \
      ".globl " #name "_begin\n.globl " #name "_end\n.hidden " #name "_begin\n.hidden " #name "_end\n"); \
  extern "C" const char name##_begin[], name##_end[]

HEDDLE_HOLD(heddle_d3_script, HEDDLE_D3_FILE);
HEDDLE_HOLD(heddle_charts_script, HEDDLE_CHARTS_FILE);

namespace heddle::output {

std::string chart_script() {
  return "// D3 3, copyright 2010-2016 Michael Bostock, BSD 3-clause licence (d3js.org)\n" +
         std::string(heddle_d3_script_begin, heddle_d3_script_end) + "\n" +
         std::string(heddle_charts_script_begin, heddle_charts_script_end);
}

}  // namespace heddle::output
