// Code of the programs fuzz-NAME. Each program runs one reader of files under libFuzzer (scripts/fuzz).
// libFuzzer keeps inputs that reach new code. A fault that would end Heddle also ends the fuzz program.
// Before the first input, the program writes the reader's start inputs (seeds) into the folder that
// FUZZ_SEEDS names.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <fstream>
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

extern "C" int LLVMFuzzerInitialize(int*, char***) {
  const char* const folder = std::getenv("FUZZ_SEEDS");
  if (!folder) return 0;
  int number = 0;
  for (const std::string& seed : heddle::fuzz::seeds_of(target()))
    std::ofstream(std::string(folder) + "/seed-" + std::to_string(number++), std::ios::binary) << seed;
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  static const heddle::fuzz::ReaderTarget& reader = target();
  reader.read(std::string(reinterpret_cast<const char*>(bytes), size));
  return 0;
}

int sc_main(int, char**) { return 0; }
