// Compares rtl/tric_states.v with the power states (on, drowsy, off) of the first four rows of the model's
// tri-modal banks. The module is rtl/tric.v with its states as additional outputs.

#include <array>
#include <cstddef>

#include "models/banks/tri_modal_point.h"
#include "testbench/cosim/block.h"
#include "testbench/cosim/catalogue.h"

namespace heddle::cosim::tric_states_block {
namespace {

// Largest number of register uses that can begin in a cycle, and of uses that can end in it. It is the value
// of the Verilog parameter EVENTS.
constexpr std::size_t kEvents = 16;

BlockFit fits(const TricSettings& settings) {
  if (settings.look_ahead_cycles != 0) return {{}, "there is no RTL of rows that wake ahead of their use"};
  return {};
}

/// Returns a mask whose n lowest bits are set. n is the number of register uses that are announced in this
/// cycle for all rows together.
template <std::uint32_t TricView::*kCount>
std::uint64_t events(const TricRowsView& v) {
  std::uint32_t sum = 0;
  for (const TricView& row : v.rows) sum += row.*kCount;
  return (std::uint64_t{1} << sum) - 1;
}
template <std::uint32_t TricView::*kCount>
Elements rows(const TricRowsView& v) {
  Elements all;
  std::size_t count = 0;
  for (std::size_t r = 0; r < v.rows.size(); ++r)
    for (std::uint32_t i = 0; i < v.rows[r].*kCount; ++i, ++count) all.add(r);
  for (; count < kEvents; ++count) all.add(0);
  return all;
}

/// Returns a mask of the rows whose state has the property `kWhat`.
template <bool TricView::*kWhat>
std::uint32_t mask(const TricRowsView& v) {
  std::uint32_t mask = 0;
  for (std::size_t r = 0; r < v.rows.size(); ++r) mask |= std::uint32_t{v.rows[r].*kWhat} << r;
  return mask;
}

void table(BlockTable<TricRowsPoint>& t, const TricSettings& settings) {
  using View = TricRowsView;
  t.setting("wake_up_time", static_cast<std::uint64_t>(settings.wake_up_cycles));
  t.setting("unallocated_off", settings.unallocated_off);
  t.input("allocated", mask<&TricView::allocated>);
  t.input("freed", mask<&TricView::freed>);
  t.input("begins", events<&TricView::begins>);
  t.input("begin_rows", rows<&TricView::begins>);
  t.input("ends", events<&TricView::ends>);
  t.input("end_rows", rows<&TricView::ends>);
  t.output("full", [](const View&, const TricRowsPoint::Answer&) { return false; });
  t.output("state", [](const View&, const TricRowsPoint::Answer& states) {
     return states;
   }).named({"off", "drowsy", "waking", "on"});
}

const Block<TricRowsPoint> block{
    {"tric_states", "control of tri-modal rows", Clocking::per_cycle, fits, table}};

const ReportRegistration report{
    "tric_states",
    {{"tric",
      "tric",
      {},
      "tri-modal control of a bank of 64 rows: two bits a row, eight counters that they share"},
     {"tric_4",
      "tric",
      {{"COUNTERS", 4}, {"BEGINS", 1}},
      "the same with four counters, and one use that begins in a cycle"}},
    {{"tric",
      "The paper adds AND gates to the word lines, COMA with its table of masks, and TRIC, for about 4 % of "
      "the register file's area (Abdel-Majeed 2016, 5.5.5). A bank of 64 rows takes 0.121 mm2 by CACTI 7 at "
      "45 nm (power/joint/arrays-cacti7.csv).",
      "all that it adds, 4 %", 4848, 0.121, "a bank of 8 KB"}}};

}  // namespace
}  // namespace heddle::cosim::tric_states_block
