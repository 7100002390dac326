// A user's program that links the library. It runs Heddle's command line, and adds a scheduling policy of its
// own.

#include <bit>
#include <systemc>

#include "models/core/registry.h"
#include "models/scheduler/i_scheduler_policy.h"
#include "testbench/cli/program.h"

namespace {

struct Own : heddle::SchedulerPolicy {
  Own(const heddle::NoParameters&, heddle::SchedulerContext&) {}
  bool choose(const heddle::SchedulerView& view, heddle::PickList& picks) override {
    if (view.ready) picks.add(heddle::WarpId(static_cast<unsigned>(std::countr_zero(view.ready.bits()))));
    return false;
  }
};
const heddle::Registration<heddle::SchedulerPolicy, Own> own_program_entry{
    "consumers-own", "the ready warp in the lowest slot"};

}  // namespace

int sc_main(int argc, char** argv) { return heddle::cli::run_program(argc, argv); }
