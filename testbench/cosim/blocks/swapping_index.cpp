// Compares rtl/swapping_index.v with the model's tables of swapped registers. Pairs of registers of a warp
// may have exchanged their rows. Each table gives the current rows of one warp's registers.

#include "testbench/cosim/blocks/swapping_table.h"
#include "testbench/cosim/catalogue.h"

namespace heddle::cosim::swapping_index_block {
namespace {

BlockFit fits(const SwappingTableSettings& settings) { return fits_swapping(settings, "indexed"); }

const Block<SwappingPoint> block{
    {"swapping_index", "swapping tables (indexed)", Clocking::per_event, fits, fill_swapping}};

const ReportRegistration report{
    "swapping_index", {{"swapping_index", "swapping_index", {}, "swapping table of 63 x 6 bits, indexed"}}};

}  // namespace
}  // namespace heddle::cosim::swapping_index_block
