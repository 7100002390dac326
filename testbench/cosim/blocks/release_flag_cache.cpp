// Compares rtl/release_flag_cache.v with the model's front-end caches of `pir` words (release flags).

#include "models/frontend/release_flag_cache.h"
#include "testbench/cosim/block.h"
#include "testbench/cosim/catalogue.h"

namespace heddle::cosim::release_flag_cache_block {
namespace {

using View = FlagCachePoint::View;
using Answer = FlagCachePoint::Answer;

BlockFit fits(const FlagCachePoint::Owner& cache) {
  if (cache.entries == 0) return {{}, "there is nothing to a cache without entries"};
  return {{{"ENTRIES", static_cast<int>(cache.entries)}}, ""};
}

void table(BlockTable<FlagCachePoint>& t, const FlagCachePoint::Owner&) {
  t.input("clear", [](const View& v) { return v.what == View::clears; });
  t.input("replace", [](const View& v) { return v.what == View::replaces; });
  t.input("word", [](const View& v) { return v.address / isa::kInstructionBytes; });
  t.input("decoded", [](const View& v) { return v.flags; });
  t.output("hit", [](const View&, const Answer& flags) { return flags.has_value(); });
  t.output(
      "flags", [](const View&, const Answer& flags) { return flags; },
      [](const View&, Answer& flags, std::uint64_t by_rtl) {
        if (flags) flags = by_rtl;
      });
}

const Block<FlagCachePoint> block{
    {"release_flag_cache", "release flag caches", Clocking::per_event, fits, table}};

const ReportRegistration report{"release_flag_cache",
                                {{"release_flag_cache",
                                  "release_flag_cache",
                                  {{"ENTRIES", 2}},
                                  "two of ten entries: 54 flags and a tag of 16 bits each"}}};

}  // namespace
}  // namespace heddle::cosim::release_flag_cache_block
