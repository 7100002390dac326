// Compares rtl/interval_moves.v with the registers that the model chooses to move between the banks and the
// interval file when a warp begins its next register interval. Only the first four warps are compared.

#include "models/stages/storage_points.h"
#include "testbench/cosim/block.h"
#include "testbench/cosim/catalogue.h"

namespace heddle::cosim::interval_moves_block {
namespace {

using View = MovePoint::View;
using Answer = MovePoint::Answer;
using Words = std::array<std::uint64_t, kRegisterWords>;
using Flags = std::array<bool, MovePoint::kBanks>;
using Registers = std::array<std::uint8_t, MovePoint::kBanks>;

BlockFit fits(const MovePoint::Owner&) { return {}; }

struct Next {
  Flags valid{};
  Registers reg{};
};

// Returns, for each bank, the lowest register that leaves the interval file and must be written to the banks.
// In the mode `drive`, these outputs do not replace the model's choice, because the model writes registers in
// the order in which they entered the interval file.
Next out(const Answer& answer) {
  Next next;
  answer.backs.for_each([&next](std::uint32_t reg) {
    const std::uint32_t bank = reg % MovePoint::kBanks;
    if (!next.valid[bank]) next.reg[bank] = static_cast<std::uint8_t>(reg);
    next.valid[bank] = true;
  });
  return next;
}

template <class T>
std::optional<T> when(bool compared, const T& value) {
  return compared ? std::optional<T>{value} : std::nullopt;
}

void table(BlockTable<MovePoint>& t, const MovePoint::Owner&) {
  t.input("held", [](const View& v) { return v.held.bits; });
  t.input("dirty", [](const View& v) { return v.dirty.bits; });
  t.input("live", [](const View& v) { return v.live.bits; });
  t.input("wanted", [](const View& v) { return v.set.bits; });
  t.output(
      "leave", [](const View& v, const Answer& a) { return when(!v.enters, a.leaves.bits); },
      [](const View& v, Answer& a, const Words& by_rtl) {
        if (!v.enters) a.leaves.bits = by_rtl;
      });
  t.output(
      "back", [](const View& v, const Answer& a) { return when(!v.enters, a.backs.bits); },
      [](const View& v, Answer& a, const Words& by_rtl) {
        if (!v.enters) a.backs.bits = by_rtl;
      });
  t.output("out_valid", [](const View& v, const Answer& a) { return when(!v.enters, out(a).valid); });
  t.output("out_register", [](const View& v, const Answer& a) { return when(!v.enters, out(a).reg); });
  const auto next = [&t](const char* port, auto member) {
    t.output(
        port, [member](const View& v, const Answer& a) { return when(v.enters, a.*member); },
        [member](const View& v, Answer& a, const auto& by_rtl) {
          if (v.enters) a.*member = by_rtl;
        });
  };
  next("in_valid", &Answer::valid);
  next("in_register", &Answer::next);
  next("in_reads", &Answer::reads);
}

const Block<MovePoint> block{
    {"interval_moves", "moves of warps between intervals", Clocking::none, fits, table}};

const ReportRegistration report{
    "interval_moves",
    {{"interval_moves",
      "interval_moves",
      {},
      "256 registers in four banks: which leave, which are written below, the next of each bank (Sadrosadati "
      "2018, LTRF)"}}};

}  // namespace
}  // namespace heddle::cosim::interval_moves_block
