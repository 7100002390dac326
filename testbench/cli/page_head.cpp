#include "testbench/cli/page_head.h"

#include "models/core/error.h"
#include "testbench/why/why_text.h"

namespace heddle::cli {

std::string why_text_of(const ConfigNode& result, const why::Places& places) {
  try {
    return why::cycles_text(why::causes_of(result, why::rules_with({}), places, "result"));
    // The page of an untimed run has no sentences about cycles.
  } catch (const Error&) {
    return {};
  }
}

}  // namespace heddle::cli
