// Compares rtl/register_allocator.v with the model's allocation of free bank entries for a renaming stage.

#include "models/stages/availability.h"
#include "models/stages/renaming_points.h"
#include "testbench/cosim/block.h"
#include "testbench/cosim/catalogue.h"

namespace heddle::cosim::register_allocator_block {
namespace {

using View = AllocatorPoint::View;
using Answer = AllocatorPoint::Answer;

BlockFit fits(const AllocatorPoint::Owner& bank) {
  if (!bank.lowest_first) return {{}, "there is no RTL of entries given in turn"};
  return {{{"ENTRIES", static_cast<int>(bank.entries)}, {"SUBARRAYS", static_cast<int>(bank.subarrays)}}, ""};
}

void table(BlockTable<AllocatorPoint>& t, const AllocatorPoint::Owner& bank) {
  const DomainSet all = bank.subarrays == 64 ? ~DomainSet{0} : (DomainSet{1} << bank.subarrays) - 1;
  t.input("awake", [all](const View& v) { return std::uint64_t{v.gives ? 0 : v.awake & all}; });
  t.input("reserved", [](const View& v) { return v.reserved; });
  t.input("take", [](const View& v) { return !v.gives; });
  t.input("give", [](const View& v) { return v.gives; });
  t.input("given", [](const View& v) { return v.gives ? v.given : 0u; });
  t.output("found", [](const View&, const Answer& answer) { return answer.entry != Availability::kNone; });
  t.output(
      "entry",
      [](const View&, const Answer& answer) {
        return answer.entry == Availability::kNone ? std::optional<std::uint32_t>{}
                                                   : std::optional<std::uint32_t>{answer.entry};
      },
      [](const View&, Answer& answer, std::uint32_t by_rtl) {
        if (answer.entry != Availability::kNone) answer.entry = by_rtl;
      });
  t.output(
      "wake",
      [](const View&, const Answer& answer) {
        return answer.entry != Availability::kNone ? std::optional<std::uint64_t>{}
                                                   : std::optional<std::uint64_t>{answer.wake};
      },
      [](const View&, Answer& answer, std::uint64_t by_rtl) {
        if (answer.entry == Availability::kNone) answer.wake = by_rtl;
      });
  t.output("occupied", [](const View& v, const Answer&) { return std::uint64_t{v.occupied}; });
}

const Block<AllocatorPoint> block{
    {"register_allocator", "banks under renaming", Clocking::per_event, fits, table}};

const ReportRegistration report{
    "register_allocator",
    {{"register_allocator",
      "register_allocator",
      {},
      "availability of a subarray's worth of entries (64 of a bank's 256), in four subarrays"}}};

}  // namespace
}  // namespace heddle::cosim::register_allocator_block
