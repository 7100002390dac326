#include <cstdio>
#include <exception>
#include <systemc>

#include "tests/microbench/clocks.h"
#include "tests/microbench/table.h"

int sc_main(int, char**) {
  using namespace heddle::microbench;
  try {
    std::string page = page_head();
    for (const std::string& preset : presets()) page += section(preset);
    page += clocks();
    page += switches();
    page += sources();
    std::fputs(page.c_str(), stdout);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "error: %s\n", error.what());
    return 1;
  }
  return 0;
}
