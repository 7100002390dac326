// Compares rtl/delta_place.v with how the entry format `base-delta` uses a row of a bank: the sub-banks that
// an access opens, and the bytes that a write stores.

#include <cstring>

#include "models/banks/base_delta_probes.h"
#include "models/banks/i_entry_format.h"
#include "testbench/cosim/block.h"
#include "testbench/cosim/catalogue.h"

namespace heddle::cosim::delta_place_block {
namespace {

using View = DeltaPlacePoint::View;
using Answer = DeltaPlacePoint::Answer;
using Halves = std::array<std::uint16_t, kLanes>;

// Mask of a row's 4-byte words in use: base and differences of 0, 1 or 2 bytes, or the whole register.
constexpr LaneMask kWords[] = {0x1, 0x1ff, 0x1ffff, kAllLanes};

std::uint32_t base_of(const View& v) { return v.values ? delta_base(*v.values, v.live) : 0; }

Halves differences(const View& v) {
  Halves halves{};
  for (int lane = 0; v.values && lane < kLanes; ++lane)
    halves[static_cast<std::size_t>(lane)] =
        static_cast<std::uint16_t>(delta_of(*v.values, v.live, base_of(v), lane));
  return halves;
}

LaneVec words_of(const DeltaRow& row) {
  LaneVec words;
  std::memcpy(&words, row.data(), row.size());
  return words;
}

void table(BlockTable<DeltaPlacePoint>& t, const EntryFormat&) {
  t.input("code", [](const View& v) { return v.code; });
  t.input("base", base_of);
  t.input("differences", differences);
  t.input("values", [](const View& v) { return v.values ? *v.values : LaneVec{}; });
  t.output(
      "sub_banks", [](const View&, const Answer& answer) { return answer.sub_banks; },
      [](const View&, Answer& answer, std::uint8_t by_rtl) { answer.sub_banks = by_rtl; });
  t.output<LaneVec>(
      "row",
      [](const View& v, const Answer& answer) {
        return v.values ? Elements(words_of(answer.row), kWords[v.code]) : Elements();
      },
      [](const View& v, Answer& answer, const LaneVec& by_rtl) {
        LaneVec words = words_of(answer.row);
        merge_lanes(words, by_rtl, v.values ? kWords[v.code] : 0);
        std::memcpy(answer.row.data(), &words, answer.row.size());
      });
}

BlockFit fits(const EntryFormat& format) { return {{{"SUB_BANKS", format.sub_banks()}}, ""}; }

const Block<DeltaPlacePoint> block{
    {"delta_place", "places of bases and differences in rows", Clocking::none, fits, table}};

const ReportRegistration report{
    "delta_place",
    {{"delta_place",
      "delta_place",
      {{"SUB_BANKS", 8}},
      "base and differences to the bytes of a row, which of eight sub-banks hold them (Lee 2015)"}}};

}  // namespace
}  // namespace heddle::cosim::delta_place_block
