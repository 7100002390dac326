// Compares rtl/fold_mask.v, quad_shift.v and quad_reshift.v with an INT or FP pipeline of the model that can
// move threads to other lanes. For every pass of an instruction, compares which thread is in which lane, the
// operand words and the result words.

#include "models/exec/lane_execution.h"
#include "testbench/cosim/block.h"
#include "testbench/cosim/catalogue.h"

namespace heddle::cosim::fold_mask_block {
namespace {

using View = LanePassView;

BlockFit fits(const LaneOwner& owner) {
  return {{}, owner.rules.by_rank ? "there is no RTL of a split by rank" : ""};
}
BlockFit fits_any(const LaneOwner&) { return {}; }

/// For each lane, returns the position (0 to 3) that the thread in this lane had in its group of four lanes
/// (quad). Returns 0 for a lane without a thread.
std::array<std::uint8_t, kLanes> sources(const LanePass& pass) {
  std::array<std::uint8_t, kLanes> all{};
  for (LaneMask rest = pass.lanes; rest; rest &= rest - 1) {
    const auto lane = static_cast<std::size_t>(std::countr_zero(rest));
    all[lane] = pass.from[lane] % kQuad;
  }
  return all;
}

LaneMask threads_of(const LanePass& pass) {
  LaneMask threads = 0;
  for (LaneMask rest = pass.lanes; rest; rest &= rest - 1)
    threads |= LaneMask{1} << pass.thread_of(std::countr_zero(rest));
  return threads;
}

void map_table(BlockTable<LaneMapPoint>& t, const LaneOwner& owner) {
  t.setting("pack", owner.rules.pack);
  t.input("mask", [](const View& v) { return v.item.mask; });
  t.input("fold", [](const View& v) { return v.fold; });
  t.input("pass", [](const View& v) { return v.number; });
  t.output(
      "lanes", [](const View&, const LaneMapPoint::Answer& a) { return a.pass.lanes; },
      [](const View&, LaneMapPoint::Answer& a, LaneMask lanes) { a.pass.lanes = lanes; });
  t.output(
      "source", [](const View&, const LaneMapPoint::Answer& a) { return sources(a.pass); },
      [](const View&, LaneMapPoint::Answer& a, const std::array<std::uint8_t, kLanes>& from) {
        for (std::size_t lane = 0; lane < kLanes; ++lane)
          a.pass.from[lane] = static_cast<std::uint8_t>(lane / kQuad * kQuad + from[lane]);
      });
  t.output(
      "second", [](const View&, const LaneMapPoint::Answer& a) { return a.passes > 1; },
      [](const View&, LaneMapPoint::Answer& a, bool second) { a.passes = second ? 2 : 1; });
}

void shift_table(BlockTable<LaneShiftPoint>& t, const LaneOwner&) {
  t.input("values", [](const View& v) { return *v.values; });
  t.input("source", [](const View& v) { return sources(*v.pass); });
  t.output<LaneVec>(
      "shifted", [](const View& v, const LaneVec& lanes) { return Elements(lanes, v.pass->lanes); },
      [](const View& v, LaneVec& lanes, const LaneVec& by_rtl) {
        merge_lanes(lanes, by_rtl, v.pass->lanes);
      });
}

void reshift_table(BlockTable<LaneReshiftPoint>& t, const LaneOwner&) {
  t.input("results", [](const View& v) { return *v.values; });
  t.input("lanes", [](const View& v) { return v.pass->lanes; });
  t.input("source", [](const View& v) { return sources(*v.pass); });
  t.output<LaneVec>(
      "returned",
      [](const View& v, const LaneVec& threads) { return Elements(threads, threads_of(*v.pass)); },
      [](const View& v, LaneVec& threads, const LaneVec& by_rtl) {
        merge_lanes(threads, by_rtl, threads_of(*v.pass));
      });
  t.output("write", [](const View& v, const LaneVec&) { return threads_of(*v.pass); });
}

const Block<LaneMapPoint> map{{"fold_mask", "pipelines whose lanes shift", Clocking::none, fits, map_table}};
const Block<LaneShiftPoint> shift{{"quad_shift", "shifting stages", Clocking::none, fits_any, shift_table}};
const Block<LaneReshiftPoint> reshift{
    {"quad_reshift", "re-shifting stages", Clocking::none, fits_any, reshift_table}};

const ReportRegistration report{
    "fold_mask",
    {{"fold_mask", "fold_mask", {}, "lanes and selects of one pass, 32 lanes"},
     {"quad_shift", "quad_shift", {{"QUADS", 1}}, "shifting of one 32-bit operand in a quad"},
     {"quad_reshift", "quad_reshift", {{"QUADS", 1}}, "re-shifting of one 32-bit result in a quad"}}};

}  // namespace
}  // namespace heddle::cosim::fold_mask_block
