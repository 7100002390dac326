// Compares rtl/byte_align.v with the model's alignment of bytes: before a write, the model aligns the stored
// bytes of a register to one side of the row. Reports the block's area next to the area of warp_shift, the
// alignment hardware of earlier papers.

#include "models/banks/row_probes.h"
#include "testbench/cosim/block.h"
#include "testbench/cosim/catalogue.h"

namespace heddle::cosim::byte_align_block {
namespace {

using View = AlignPoint::View;

void table(BlockTable<AlignPoint>& t, const EntryFormat&) {
  t.input("values", [](const View& v) { return v.values; });
  t.input("left", [](const View& v) { return v.left; });
  t.output(
      "words", [](const View&, const LaneVec& words) { return words; },
      [](const View&, LaneVec& words, const LaneVec& by_rtl) { words = by_rtl; });
}

BlockFit fits(const EntryFormat&) { return {}; }

const Block<AlignPoint> block{{"byte_align", "alignments of what is written", Clocking::none, fits, table}};

const ReportRegistration report{
    "byte_align",
    {{"byte_align", "byte_align", {}, "alignment within each lane; an SM has five (Radaideh 2021, Table II)"},
     {"warp_shift",
      "warp_shift",
      {},
      "prior work: a shift across lanes; an SM has ten (Radaideh 2021, Table II)"}}};

}  // namespace
}  // namespace heddle::cosim::byte_align_block
