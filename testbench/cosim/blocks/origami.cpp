// Reports the area of rtl/origami.v, which contains all hardware that Origami adds to an SM. The module
// itself is not compared with the model: other blocks compare its submodules.

#include "testbench/cosim/catalogue.h"

namespace heddle::cosim::origami_block {
namespace {

const ReportRegistration report{
    "origami",
    {{"fold_lanes",
      "fold_lanes",
      {},
      "one SP: maps, three operands shifted, one result re-shifted and collected, registers of the two "
      "stages"},
     {"origami", "origami", {}, "all that an SM with two SPs gets, settings as constants"}},
    {{"origami",
      "The paper synthesised \"the all-ones detection logic, the additional blocks in the lane-shifting and "
      "re-shifting stages and the extra counters used by the scheduler\" with a 45 nm kit (Abdel-Majeed "
      "2016, 4.4.5); how many operands shift, how wide the collection buffer is, and whether the registers "
      "of the two stages count, it does not say. Its share of 32.7 mm2, the area that it gives for the "
      "execution units, is 0.168 %, printed as 0.15 %.",
      "the added logic", 55000, 32.7}}};

}  // namespace
}  // namespace heddle::cosim::origami_block
