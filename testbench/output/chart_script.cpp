// Scripts of the charts: D3 from Debian's libjs-d3, and Heddle's scripts from charts/. The build embeds them
// here, and each page contains them, so that a page needs no other file.

#include <cstddef>

#include "testbench/output/chart.h"

#define HEDDLE_FILE(path) ".incbin \"" path "\"\n"
#define HEDDLE_PART(name) HEDDLE_FILE(HEDDLE_CHARTS_FOLDER "/" name ".js")
#define HEDDLE_HOLD(name, files)                                                                         \
  asm(".pushsection .rodata\n" #name "_begin:\n" files #name                                             \
      "_end:\n.byte 0\n.popsection\n"                                                                    \
      ".globl " #name "_begin\n.globl " #name "_end\n.hidden " #name "_begin\n.hidden " #name "_end\n"); \
  extern "C" const char name##_begin[], name##_end[]

HEDDLE_HOLD(heddle_d3_script, HEDDLE_FILE(HEDDLE_D3_FILE));
HEDDLE_HOLD(heddle_charts_script,
            HEDDLE_PART("text") HEDDLE_PART("axes") HEDDLE_PART("bars") HEDDLE_PART("curves")
                HEDDLE_PART("points") HEDDLE_PART("rows") HEDDLE_PART("stacks") HEDDLE_PART("kinds"));
HEDDLE_HOLD(heddle_page_script, HEDDLE_PART("page"));
HEDDLE_HOLD(heddle_document_script, HEDDLE_PART("document"));
HEDDLE_HOLD(heddle_picture_script, HEDDLE_PART("picture"));

namespace heddle::output {
namespace {

const std::string kLicence =
                      "// D3 3, copyright 2010-2016 Michael Bostock, BSD 3-clause licence (d3js.org)\n",
                  kBegin = "(function () {\n'use strict';\n", kEnd = "})();\n";

std::string d3() { return kLicence + std::string(heddle_d3_script_begin, heddle_d3_script_end) + "\n"; }
std::string charts() { return {heddle_charts_script_begin, heddle_charts_script_end}; }

}  // namespace

std::string chart_script() {
  return d3() + kBegin + charts() + std::string(heddle_page_script_begin, heddle_page_script_end) + kEnd;
}

std::string picture_script(const std::string& colours, const std::string& pictures) {
  return std::string(heddle_document_script_begin, heddle_document_script_end) + d3() +
         "globalThis.d3 = module.exports;\n" + kBegin + "const colours = '" + colours +
         "', pictures = " + pictures + ";\n" + charts() +
         std::string(heddle_picture_script_begin, heddle_picture_script_end) +
         "for (const {file, spec, width} of pictures) require('fs').writeFileSync(file, picture(spec, "
         "width));\n" +
         kEnd;
}

}  // namespace heddle::output
