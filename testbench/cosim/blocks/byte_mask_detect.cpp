// Compares rtl/byte_mask_detect.v with the masks of stored bytes that the model's entry format `byte-masked`
// (storage of a register in a row) computes for a register value.

#include "models/banks/row_probes.h"
#include "testbench/cosim/block.h"
#include "testbench/cosim/catalogue.h"

namespace heddle::cosim::byte_mask_detect_block {
namespace {

using View = ByteMaskPoint::View;

void table(BlockTable<ByteMaskPoint>& t, const EntryFormat&) {
  t.input("values", [](const View& v) { return v.values; });
  t.input("lanes", [](const View& v) { return v.lanes; });
  t.output(
      "stored", [](const View&, std::uint8_t mask) { return std::uint8_t(mask >> 1 & 0b111); },
      [](const View&, std::uint8_t& mask, std::uint8_t by_rtl) {
        mask = static_cast<std::uint8_t>((mask & 0b11110001) | by_rtl << 1);
      });
  t.output(
      "ones", [](const View&, std::uint8_t mask) { return std::uint8_t(mask >> 5 & 0b111); },
      [](const View&, std::uint8_t& mask, std::uint8_t by_rtl) {
        mask = static_cast<std::uint8_t>((mask & 0b00011111) | by_rtl << 5);
      });
}

BlockFit fits(const EntryFormat&) { return {}; }

const Block<ByteMaskPoint> block{
    {"byte_mask_detect", "byte masks of what is written", Clocking::none, fits, table}};

const ReportRegistration report{
    "byte_mask_detect",
    {{"byte_mask_detect",
      "byte_mask_detect",
      {},
      "mask of a register of 32 lanes, each byte by itself (Radaideh 2021, IV-B5)"}}};

}  // namespace
}  // namespace heddle::cosim::byte_mask_detect_block
