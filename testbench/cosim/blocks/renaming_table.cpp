// Compares rtl/renaming_table.v with the tables of the model's renaming stages.

#include "models/stages/renaming_points.h"
#include "testbench/cosim/block.h"
#include "testbench/cosim/catalogue.h"

namespace heddle::cosim::renaming_table_block {
namespace {

using View = TablePoint::View;

// Sizes of the renaming table in Jeon 2015, 7.1: warps, registers per warp, physical registers.
constexpr std::uint32_t kWarps = 48, kRegisters = 63, kPlaces = 1u << 10;

BlockFit fits(const TablePoint::Owner& table) {
  if (table.warps > kWarps) return {{}, "the RTL has rows for 48 warps"};
  if (table.depth * table.banks > kPlaces) return {{}, "the RTL names one of 1024 physical registers"};
  return {};
}

void table(BlockTable<TablePoint>& t, const TablePoint::Owner& owner) {
  const std::uint32_t depth = owner.depth;
  const auto number = [depth](const RegisterPlace& p) { return p.bank.value * depth + p.entry; };
  t.only([](const View& v) { return v.reg.value < kRegisters; });
  t.input("gets", [](const View& v) { return v.what == View::maps; });
  t.input("loses", [](const View& v) { return v.what == View::unmaps; });
  t.input("warp", [](const View& v) { return v.warp.value; });
  t.input("register_number", [](const View& v) { return v.reg.value; });
  t.input("place", [number](const View& v) { return v.what == View::maps ? number(v.place) : 0u; });
  t.output("mapped", [](const View&, const RegisterPlace& place) { return place.set; });
  t.output(
      "entry",
      [number](const View&, const RegisterPlace& place) {
        return place.set ? std::optional<std::uint32_t>{number(place)} : std::nullopt;
      },
      [depth](const View&, RegisterPlace& place, std::uint32_t by_rtl) {
        if (place.set) place = {BankId(by_rtl / depth), by_rtl % depth, true};
      });
}

const Block<TablePoint> block{{"renaming_table", "renaming tables", Clocking::per_event, fits, table}};

const ReportRegistration report{
    "renaming_table",
    {{"renaming_table",
      "renaming_table",
      {},
      "2 warps x 8 registers x 10 bits in flip-flops; the 1 KB of Jeon 2015 would be a memory"}}};

}  // namespace
}  // namespace heddle::cosim::renaming_table_block
