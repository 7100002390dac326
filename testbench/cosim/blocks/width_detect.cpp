// Compares rtl/width_detect.v with how the model's sub-banked entry format (storage of a register in a row)
// detects the width of values.

#include "models/banks/row_probes.h"
#include "testbench/cosim/block.h"
#include "testbench/cosim/catalogue.h"

namespace heddle::cosim::width_detect_block {
namespace {

using View = WidthPoint::View;

void table(BlockTable<WidthPoint>& t, const EntryFormat&) {
  t.input("values", [](const View& v) { return v.values; });
  t.input("lanes", [](const View& v) { return v.lanes; });
  t.output(
      "code", [](const View&, std::uint8_t code) { return code; },
      [](const View&, std::uint8_t& code, std::uint8_t by_rtl) { code = by_rtl; });
}

BlockFit fits(const EntryFormat&) { return {}; }

const Block<WidthPoint> block{{"width_detect", "widths of what is written", Clocking::none, fits, table}};

const ReportRegistration report{
    "width_detect",
    {{"width_detect", "width_detect", {}, "width of a register of 32 lanes (Radaideh 2021, IV-B5)"}}};

}  // namespace
}  // namespace heddle::cosim::width_detect_block
