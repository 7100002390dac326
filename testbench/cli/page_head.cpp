#include "testbench/cli/page_head.h"

#include "models/core/error.h"
#include "testbench/run/data_files.h"
#include "testbench/why/why_text.h"

namespace heddle::cli {

std::string why_text_of(const ConfigNode& result, const why::Places& places) {
  try {
    const auto rules =
        why::read_rules(run::find_named("configs/rules", "default", "file of rules", "--rules"));
    return why::cycles_text(why::causes_of(result, rules, places, "result"));
    // The page of an untimed run has no sentences about cycles.
  } catch (const Error&) {
    return {};
  }
}

}  // namespace heddle::cli
