#include "models/regfile/register_path_top.h"

namespace heddle {

RegisterPathTop::RegisterPathTop(Clock& clock, const StatsScope& stats)
    : initiator("initiator"),
      clock_(&clock),
      reads_(stats.add("register_port.reads", "accesses", "register words asked for by the collectors")),
      writes_(
          stats.add("register_port.writes", "accesses", "result words written at the top of the path")) {}

}  // namespace heddle
