// Calls that Heddle does not support. Each of them returns an error, and prints a message that names the
// call.

#include <fmt/format.h>

#include "testbench/cudart/api.h"

namespace heddle::cudart {
namespace {

int refuse_call(const char* name, const char* what, const char* advice) {
  return Runtime::instance().call(name, [&](Runtime&) {
    refuse(cudaErrorNotSupported, fmt::format("Heddle does not have this call ({}): {}", what, advice));
  });
}

}  // namespace

#define CALL(name, what, advice) \
  HEDDLE_CUDA int name() { return refuse_call(#name, what, advice); }
#include "testbench/cudart/refused_calls.inc"
#include "testbench/cudart/refused_driver_calls.inc"
#undef CALL

}  // namespace heddle::cudart
