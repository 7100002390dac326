// Compares rtl/pilot_counters.v with the model's counters of a pilot warp's accesses to each register.

#include "models/stages/pilot_profile.h"
#include "testbench/cosim/block.h"
#include "testbench/cosim/catalogue.h"

namespace heddle::cosim::pilot_counters_block {
namespace {

BlockFit fits(const PilotSettings& settings) {
  return {{{"REGS", settings.counters}, {"COUNT_W", settings.counter_bits}, {"TOP", settings.top}}, ""};
}

void table(BlockTable<PilotPoint>& t, const PilotSettings& settings) {
  using View = PilotView;
  using Answer = std::vector<std::uint8_t>;
  const auto top = static_cast<std::size_t>(settings.top);
  t.input("clear", [](const View& v) { return v.what == View::begins; });
  t.input("count", [](const View& v) { return v.what == View::counts; });
  t.input("scan", [](const View& v) { return v.what == View::ranks; });
  t.input("register_number", [](const View& v) { return v.reg; });
  t.output("top_valid", [](const View& v, const Answer& answer) {
    return v.what == View::ends ? std::optional<unsigned>{(1u << answer.size()) - 1} : std::nullopt;
  });
  t.output("top", [top](const View& v, const Answer& answer) {
    if (v.what != View::ends) return std::optional<Elements>{};
    Elements all;
    for (std::size_t i = 0; i < top; ++i) all.add(i < answer.size() ? answer[i] : 0u);
    return std::optional<Elements>{all};
  });
}

const Block<PilotPoint> block{{"pilot_counters", "pilot warps' counters", Clocking::per_event, fits, table}};

const ReportRegistration report{"pilot_counters",
                                {{"pilot_counters",
                                  "pilot_counters",
                                  {},
                                  "63 counters of 16 bits, the four highest one register a cycle"}}};

}  // namespace
}  // namespace heddle::cosim::pilot_counters_block
