// A plug-in memory model: every access is answered in the following cycle.

#include "models/memory/arrival_memory.h"

namespace heddle {
namespace {

class NextCycle : public ArrivalMemory {
 public:
  NextCycle(const sc_core::sc_module_name& name, const NoParameters&, Context& context)
      : ArrivalMemory(name, context),
        reads_(context.stats.add("reads", "requests", "read requests")),
        writes_(context.stats.add("writes", "requests", "write requests")) {}

 private:
  Cycle answer_cycle(const tlm::tlm_generic_payload& request, Cycle arrival) override {
    ++(request.is_read() ? reads_ : writes_);
    return arrival + 1;
  }
  int undisturbed_cycles() const override { return 1; }

  Counter &reads_, &writes_;
};

const ModuleRegistration<IMemoryModel, NextCycle, MemoryParameters<NoParameters>> toy_memory_entry{
    "toy-next-cycle", "every access is answered in the next cycle"};

}  // namespace
}  // namespace heddle
