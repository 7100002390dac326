// Compares rtl/width_expand.v with how the model restores a register's values from its row.

#include <cstring>

#include "models/banks/row_probes.h"
#include "testbench/cosim/block.h"
#include "testbench/cosim/catalogue.h"

namespace heddle::cosim::width_expand_block {
namespace {

using View = ExpandPoint::View;

LaneVec slices_of(const ByteRow& row) {
  LaneVec slices;
  std::memcpy(&slices, row.bytes, sizeof row.bytes);
  return slices;
}

void table(BlockTable<ExpandPoint>& t, const EntryFormat&) {
  t.input("slices", [](const View& v) { return slices_of(v.delivered); });
  t.input("code", [](const View& v) { return v.code; });
  t.input("left", [](const View& v) { return v.left; });
  t.output(
      "values", [](const View&, const LaneVec& values) { return values; },
      [](const View&, LaneVec& values, const LaneVec& by_rtl) { values = by_rtl; });
}

BlockFit fits(const EntryFormat&) { return {}; }

const Block<ExpandPoint> block{{"width_expand", "expansions of what is read", Clocking::none, fits, table}};

const ReportRegistration report{
    "width_expand",
    {{"width_expand", "width_expand", {}, "bytes of a row to lanes, fill (Radaideh 2021, IV-B4 and IV-C)"}}};

}  // namespace
}  // namespace heddle::cosim::width_expand_block
