// fuzz-readers TARGET SECONDS [SEED]: mutations of a reader's corpus until the time is over. A finding ends
// the program as it would end Heddle; the input that led to it is left in fuzz-readers.input.

#include <systemc>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>

#include "tests/fuzz/reader_targets.h"

int sc_main(int argc, char** argv) {
  using namespace heddle::fuzz;
  if (argc < 3) {
    std::puts("usage: fuzz-readers ptx|launch|scenario|technology|npy SECONDS [SEED]");
    return 1;
  }
  const double seconds = std::atof(argv[2]);
  Dice dice(argc > 3 ? std::strtoull(argv[3], nullptr, 10) : 1);
  for (const ReaderTarget& target : reader_targets()) {
    if (std::string(target.name) != argv[1]) continue;
    const auto start = std::chrono::steady_clock::now();
    unsigned long inputs = 0, refused = 0;
    while (std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() < seconds) {
      const std::string input =
          mutate(read_corpus(dice.choose(target.corpus)), read_corpus(dice.choose(target.corpus)), dice);
      std::ofstream("fuzz-readers.input", std::ios::binary) << input;
      refused += !target.read(input);
      ++inputs;
    }
    std::remove("fuzz-readers.input");
    std::printf("%s: %lu inputs, %lu refused, no finding\n", target.name, inputs, refused);
    return 0;
  }
  std::printf("unknown target %s\n", argv[1]);
  return 1;
}
