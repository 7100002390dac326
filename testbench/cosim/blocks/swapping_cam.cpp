// Compares rtl/swapping_cam.v with the model's tables of swapped registers. Pairs of registers of a warp may
// have exchanged their rows. Each table gives the current rows of one warp's registers.

#include "testbench/cosim/blocks/swapping_table.h"
#include "testbench/cosim/catalogue.h"

namespace heddle::cosim::swapping_cam_block {
namespace {

BlockFit fits(const SwappingTableSettings& settings) { return fits_swapping(settings, "cam"); }

const Block<SwappingPoint> block{
    {"swapping_cam", "swapping tables (cam)", Clocking::per_event, fits, fill_swapping}};

const ReportRegistration report{
    "swapping_cam",
    {{"swapping_cam", "swapping_cam", {}, "swapping table of four pairs, a CAM of 8 x 13 bits"}}};

}  // namespace
}  // namespace heddle::cosim::swapping_cam_block
