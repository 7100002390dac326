// Compares rtl/delta_expand.v with the register values that the entry format `base-delta` restores from base
// and differences.

#include <cstring>

#include "models/banks/base_delta_probes.h"
#include "testbench/cosim/block.h"
#include "testbench/cosim/catalogue.h"

namespace heddle::cosim::delta_expand_block {
namespace {

using View = DeltaExpandPoint::View;

LaneVec words_of(const DeltaRow& row) {
  LaneVec words;
  std::memcpy(&words, row.data(), row.size());
  return words;
}

void table(BlockTable<DeltaExpandPoint>& t, const EntryFormat&) {
  t.input("row", [](const View& v) { return words_of(v.delivered); });
  t.input("code", [](const View& v) { return v.code; });
  t.output(
      "values", [](const View&, const LaneVec& values) { return values; },
      [](const View&, LaneVec& values, const LaneVec& by_rtl) { values = by_rtl; });
}

BlockFit fits(const EntryFormat&) { return {}; }

const Block<DeltaExpandPoint> block{
    {"delta_expand", "values of what is read, by base and differences", Clocking::none, fits, table}};

const ReportRegistration report{"delta_expand",
                                {{"delta_expand",
                                  "delta_expand",
                                  {},
                                  "base and differences of a row to lanes, 32 additions (Lee 2015)"}}};

}  // namespace
}  // namespace heddle::cosim::delta_expand_block
