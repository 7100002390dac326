// A program that uses the installed library. It builds an SM whose scheduler and memory model are chosen by
// name, so the library must have registered both.

#include <cstdio>

#include "models/core/registry.h"
#include "models/memory/i_memory_model.h"
#include "models/sm/issue_stage.h"
#include "models/sm/sm.h"

int sc_main(int, char**) {
  using namespace heddle;
  MemoryImage image;
  StatsRegistry stats;
  RunStatus status;
  SmParameters parameters;
  parameters.scheduler = ConfigNode::make_string("two-level");
  Sm::Context context;
  context.stats = &stats;
  context.status = &status;
  Sm sm("sm", parameters, context);
  Clock clock("clock", sm.clock().period(), status);
  IMemoryModel::Context memory_context{"memory", clock, StatsScope(stats, "memory"), image, 1, 8};
  const auto memory =
      Registry<IMemoryModel>::instance().make(ConfigNode::make_string("cached"), memory_context);
  sm.memory().bind(memory->socket());
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  std::printf("an SM with %d schedulers\n", sm.issue().schedulers().count());
  return sm.idle() && sm.issue().schedulers().count() == 2 ? 0 : 1;
}
