// The policy "always-on" of register power: every row has its full voltage at all times. The policy adds no
// cycles and has no counters.

#include "models/banks/i_register_power.h"
#include "models/core/part_arrays.h"
#include "models/core/registry.h"

namespace heddle {
namespace {

class AlwaysOn : public RegisterPower {
 public:
  AlwaysOn(const NoParameters&, Context&) {}
  bool always_on() const override { return true; }
  bool shapes_accesses() const override { return false; }
};

const Registration<RegisterPower, AlwaysOn> always_on_entry{"always-on",
                                                            "every row has its full voltage at all times"};

const Arrays<RegisterPower> always_on_arrays{"always-on", {}};

}  // namespace
}  // namespace heddle
