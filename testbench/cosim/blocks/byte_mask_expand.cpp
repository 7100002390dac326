// Compares rtl/byte_mask_expand.v with how the model restores a register whose row stores only the bytes in a
// mask.

#include <cstring>

#include "models/banks/row_probes.h"
#include "testbench/cosim/block.h"
#include "testbench/cosim/catalogue.h"

namespace heddle::cosim::byte_mask_expand_block {
namespace {

using View = ByteFillPoint::View;

LaneVec slices_of(const ByteRow& row) {
  LaneVec slices;
  std::memcpy(&slices, row.bytes, sizeof row.bytes);
  return slices;
}

void table(BlockTable<ByteFillPoint>& t, const EntryFormat&) {
  t.input("slices", [](const View& v) { return slices_of(v.delivered); });
  t.input("stored", [](const View& v) { return v.mask >> 1 & 0b111; });
  t.input("ones", [](const View& v) { return v.mask >> 5 & 0b111; });
  t.input("left", [](const View& v) { return v.left; });
  t.output(
      "values", [](const View&, const LaneVec& values) { return values; },
      [](const View&, LaneVec& values, const LaneVec& by_rtl) { values = by_rtl; });
}

BlockFit fits(const EntryFormat&) { return {}; }

const Block<ByteFillPoint> block{
    {"byte_mask_expand", "expansions by byte masks", Clocking::none, fits, table}};

const ReportRegistration report{"byte_mask_expand",
                                {{"byte_mask_expand",
                                  "byte_mask_expand",
                                  {},
                                  "bytes of a row to lanes by such a mask, fill of each byte"}}};

}  // namespace
}  // namespace heddle::cosim::byte_mask_expand_block
