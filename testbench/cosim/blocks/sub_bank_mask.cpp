// Compares rtl/sub_bank_mask.v with the set of sub-banks that the model opens for an access to a bank.

#include "models/banks/row_probes.h"
#include "testbench/cosim/block.h"
#include "testbench/cosim/catalogue.h"

namespace heddle::cosim::sub_bank_mask_block {
namespace {

using View = SubBankPoint::View;

void table(BlockTable<SubBankPoint>& t, const EntryFormat&) {
  t.input("code", [](const View& v) { return v.code; });
  t.input("left", [](const View& v) { return v.left; });
  t.output(
      "sub_banks", [](const View&, std::uint8_t set) { return set; },
      [](const View&, std::uint8_t& set, std::uint8_t by_rtl) { set = by_rtl; });
}

BlockFit fits(const EntryFormat&) { return {}; }

const Block<SubBankPoint> block{{"sub_bank_mask", "sub-banks of widths", Clocking::none, fits, table}};

const ReportRegistration report{
    "sub_bank_mask", {{"sub_bank_mask", "sub_bank_mask", {}, "sub-banks of a width (Radaideh 2021, IV-B3)"}}};

}  // namespace
}  // namespace heddle::cosim::sub_bank_mask_block
