// Compares rtl/delta_detect.v with the width of differences (0, 1 or 2 bytes) that the entry format
// `base-delta` finds.

#include "models/banks/base_delta_probes.h"
#include "testbench/cosim/block.h"
#include "testbench/cosim/catalogue.h"

namespace heddle::cosim::delta_detect_block {
namespace {

using View = DeltaDetectPoint::View;
using Halves = std::array<std::uint16_t, kLanes>;

Halves differences(const View& v) {
  Halves halves{};
  const std::uint32_t base = delta_base(v.values, v.live);
  for (int lane = 0; lane < kLanes; ++lane)
    halves[static_cast<std::size_t>(lane)] =
        static_cast<std::uint16_t>(delta_of(v.values, v.live, base, lane));
  return halves;
}

void table(BlockTable<DeltaDetectPoint>& t, const EntryFormat&) {
  t.input("values", [](const View& v) { return v.values; });
  t.input("live", [](const View& v) { return v.live; });
  t.output(
      "code", [](const View&, std::uint8_t code) { return code; },
      [](const View&, std::uint8_t& code, std::uint8_t by_rtl) { code = by_rtl; });
  t.output("base", [](const View& v, std::uint8_t) { return delta_base(v.values, v.live); });
  t.output("differences", [](const View& v, std::uint8_t) { return differences(v); });
}

BlockFit fits(const EntryFormat&) { return {}; }

const Block<DeltaDetectPoint> block{
    {"delta_detect", "codes of differences of what is written", Clocking::none, fits, table}};

const ReportRegistration report{
    "delta_detect",
    {{"delta_detect",
      "delta_detect",
      {},
      "base of a register of 32 lanes, differences of all lanes, their code (Lee 2015)"}}};

}  // namespace
}  // namespace heddle::cosim::delta_detect_block
