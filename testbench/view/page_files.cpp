// The script and the style of the page. The build embeds the files of page/ here.

#include "testbench/view/view_page.h"

#define HEDDLE_FILE(name) ".incbin \"" HEDDLE_PAGE_FOLDER "/" name "\"\n"
#define HEDDLE_HOLD(name, files)                                                                         \
  asm(".pushsection .rodata\n" #name "_begin:\n" files #name                                             \
      "_end:\n.byte 0\n.popsection\n"                                                                    \
      ".globl " #name "_begin\n.globl " #name "_end\n.hidden " #name "_begin\n.hidden " #name "_end\n"); \
  extern "C" const char name##_begin[], name##_end[]

HEDDLE_HOLD(heddle_view_script,
            HEDDLE_FILE("recording.js") HEDDLE_FILE("gauges.js") HEDDLE_FILE("machine.js")
                HEDDLE_FILE("overview.js") HEDDLE_FILE("details.js") HEDDLE_FILE("page.js"));
HEDDLE_HOLD(heddle_view_style, HEDDLE_FILE("page.css"));

namespace heddle::view {

std::string page_script() { return {heddle_view_script_begin, heddle_view_script_end}; }
std::string page_style() { return {heddle_view_style_begin, heddle_view_style_end}; }

}  // namespace heddle::view
