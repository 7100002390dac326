// Compares rtl/pair_select.v with the model's coalescing arbiter. The arbiter selects a second request that a
// bank serves together with the first request.

#include "models/banks/row_probes.h"
#include "testbench/cosim/block.h"
#include "testbench/cosim/catalogue.h"

namespace heddle::cosim::pair_select_block {
namespace {

using View = PairPoint::View;

void table(BlockTable<PairPoint>& t, const BankArbiter&) {
  t.input("first", [](const View& v) { return v.first; });
  t.input("others", [](const View& v) { return v.others; });
  t.input("ready", [](const View& v) { return v.ready; });
  t.output(
      "partner", [](const View&, std::uint8_t partner) { return partner; },
      [](const View&, std::uint8_t& partner, std::uint8_t by_rtl) { partner = by_rtl; });
}

BlockFit fits(const BankArbiter&) { return {{{"WINDOW", PairPoint::kWindow}}, ""}; }

const Block<PairPoint> block{{"pair_select", "choices of partners", Clocking::none, fits, table}};

const ReportRegistration report{"pair_select",
                                {{"pair_select",
                                  "pair_select",
                                  {{"WINDOW", 16}},
                                  "partner of a bank's access among 16 (Radaideh 2021, IV-B3)"}}};

}  // namespace
}  // namespace heddle::cosim::pair_select_block
