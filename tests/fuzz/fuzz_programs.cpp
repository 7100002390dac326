// Command fuzz-programs: runs any number of random programs.
//
//   fuzz-programs --seed 1 --count 10000 --keep failures
//
// runs the programs with seeds 1 to 10000, prints the seed of each program that fails, and writes the files
// of the program to failures/<seed>.

#include <CLI/CLI.hpp>
#include <cstdio>
#include <systemc>

#include "tests/fuzz/fuzz_run.h"

int sc_main(int argc, char** argv) {
  CLI::App app("Runs random PTX programs on random machines against the reference.");
  std::uint64_t seed = 1, count = 1;
  std::string keep;
  bool always = false;
  app.add_option("--seed", seed, "first seed");
  app.add_option("--count", count, "number of programs");
  app.add_option("--keep", keep, "folder for PTX, launch and scenario files of what fails");
  app.add_flag("--keep-all", always, "keep them of every program");
  CLI11_PARSE(app, argc, argv);
  heddle::fuzz::Coverage coverage;
  std::uint64_t failures = 0;
  for (std::uint64_t s = seed; s < seed + count; ++s) {
    const heddle::fuzz::FuzzCase fuzz = heddle::fuzz::make_case(s);
    const std::string failure = heddle::fuzz::run_case(fuzz, coverage);
    if (!failure.empty()) {
      ++failures;
      std::printf("seed %llu: %s\n", static_cast<unsigned long long>(s), failure.c_str());
      std::fflush(stdout);
    }
    if (!keep.empty() && (always || !failure.empty()))
      heddle::fuzz::keep_case(fuzz, keep + "/" + std::to_string(s));
  }
  std::printf("%s%llu of %llu programs failed\n", coverage.report().c_str(),
              static_cast<unsigned long long>(failures), static_cast<unsigned long long>(count));
  return failures == 0 ? 0 : 1;
}
