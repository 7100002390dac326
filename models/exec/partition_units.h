#pragma once

// The execution units of one SM partition, and how collected instructions reach them.

#include <functional>
#include <memory>
#include <vector>

#include "models/exec/execution_unit.h"
#include "models/ports/unit_inputs.h"

namespace heddle {

class PartitionUnits : public UnitInputs {
 public:
  PartitionUnits(const std::string& name, Clock& clock, const UnitParameters& parameters, int overhead_cycles,
                 CycleQueue<InFlight*>& load_store_input, IssueInbox& inbox, const StatsScope& stats);

  void begin_cycle() override { cluster_used_ = 0; }
  /// Passes the instruction on to the unit it is bound to; false if that cannot take it now.
  bool dispatch(Cycle now, InFlight* item) override;

  std::vector<CycleQueue<InFlight*>*> outputs();
  const std::vector<std::unique_ptr<ExecutionUnit>>& int_units() const { return int_; }
  const std::vector<std::unique_ptr<ExecutionUnit>>& fp_units() const { return fp_; }
  const std::vector<std::unique_ptr<ExecutionUnit>>& sfu_units() const { return sfu_; }

 private:
  using Units = std::vector<std::unique_ptr<ExecutionUnit>>;
  bool dispatch_to(Cycle now, InFlight* item, Units& units, bool clustered);

  Clock* clock_;
  bool shared_port_;
  Units int_, fp_, sfu_;
  CycleQueue<InFlight*>* load_store_;
  std::uint32_t cluster_used_ = 0;  ///< clusters whose dispatch port is taken in this cycle
};

}  // namespace heddle
