// A plug-in run analysis: counts the lanes that execute issued instructions.

#include <array>
#include <memory>
#include <vector>

#include "models/sm/sm.h"
#include "testbench/analysis/i_run_analysis.h"

namespace heddle {
namespace {

class LaneUse : public RunAnalysis, public tlm::tlm_analysis_if<LifeEvent> {
 public:
  LaneUse(const NoParameters&, Context&) {}

  void attach(Sm& sm) override {
    sm.events.bind(*this);
    sm.observe_events();
  }
  void write(const LifeEvent& event) override {
    if (event.what == Life::issued) ++issued_[static_cast<std::size_t>(count_lanes(event.mask))];
  }
  std::vector<AnalysisTable> tables() const override {
    AnalysisTable table{
        "lanes", "Lanes that execute an instruction <b>[here](http://toys)", "warp-instructions", {}, {}};
    for (std::size_t lanes = 0; lanes < issued_.size(); ++lanes)
      table.bins.emplace_back(std::to_string(lanes), issued_[lanes]);
    return {table};
  }

 private:
  std::array<std::uint64_t, kLanes + 1> issued_{};
};

const Registration<RunAnalysis, LaneUse> toy_analysis_entry{"toy-lane-use",
                                                            "lanes that execute an instruction"};

}  // namespace
}  // namespace heddle
