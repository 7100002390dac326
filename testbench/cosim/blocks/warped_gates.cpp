// Reports the area of rtl/warped_gates.v, which contains all hardware that Warped-Gates adds to an SM. The
// module itself is not compared with the model: other blocks compare its submodules.

#include "testbench/cosim/catalogue.h"

namespace heddle::cosim::warped_gates_block {
namespace {

const ReportRegistration report{
    "warped_gates",
    {{"warped_gates", "warped_gates", {}, "all that an SM with two clusters gets, settings as constants"}},
    {{"warped_gates",
      "The paper synthesised \"the various counters\" with a 45 nm kit (Abdel-Majeed 2016, 3.6.5); what "
      "counts as a counter, and which widths, it does not say.",
      "the set of counters", 1210.8, 48.1}}};

}  // namespace
}  // namespace heddle::cosim::warped_gates_block
