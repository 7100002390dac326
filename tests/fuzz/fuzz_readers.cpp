// fuzz-NAME runs one reader under libFuzzer (scripts/fuzz builds and runs it). Clang counts the code that an
// input reaches, so libFuzzer keeps inputs that reach new code. A finding ends the program as it would end
// Heddle.

#include <cstddef>
#include <cstdint>
#include <string>
#include <systemc>

#include "tests/fuzz/reader_targets.h"

namespace {

const heddle::fuzz::ReaderTarget& target() {
  for (const heddle::fuzz::ReaderTarget& known : heddle::fuzz::reader_targets())
    if (std::string(known.name) == HEDDLE_FUZZ_TARGET) return known;
  __builtin_trap();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  static const heddle::fuzz::ReaderTarget& reader = target();
  reader.read(std::string(reinterpret_cast<const char*>(bytes), size));
  return 0;
}

// The SystemC library needs sc_main; libFuzzer defines main.
int sc_main(int, char**) { return 0; }
