// Reports bits and area of two circuits, as shares of the register file of the GPU in Huerta 2025. The first
// is rtl/control_bits.v, which holds all state that a warp needs for control bits. The second is the
// scoreboards that control bits replace. This file only reports; other files of blocks/ compare the Verilog
// modules with the model.

#include "testbench/cosim/catalogue.h"

namespace heddle::cosim::control_bits_block {
namespace {

constexpr int kWarps = 48;
constexpr int kBanks = 8;
constexpr double kFileBits = kBanks * 256 * 1024;
// Areas of a bank with 256 rows of 128 bytes, from CACTI 7 at 45 nm (power/joint/arrays-cacti7.csv): with a
// read port and a write port, and with a single port.
constexpr double kBankMm2 = 0.45160, kSinglePortMm2 = 0.18368;

StorageShare share(const char* row, const char* name, double published) {
  return {row, name, kWarps, kFileBits, published, kBanks * kBankMm2, kBanks * kSinglePortMm2};
}

const ReportRegistration report{
    "control_bits",
    {{"control_bits", "control_bits", {}, "all that a warp has for control bits"},
     {"consumer_scoreboard_1",
      "consumer_scoreboard",
      {{"CONSUMERS", 1}},
      "scoreboard of a warp: 332 bits for pending writes, 332 counts of pending readers up to 1"},
     {"consumer_scoreboard_3", "consumer_scoreboard", {{"CONSUMERS", 3}}, "the same, counts up to 3"},
     {"consumer_scoreboard_63", "consumer_scoreboard", {{"CONSUMERS", 63}}, "the same, counts up to 63"}},
    {},
    {share("control_bits", "`control_bits`", 0.09),
     share("consumer_scoreboard_1", "`consumer_scoreboard` of 1 reader", 1.52),
     share("consumer_scoreboard_3", "`consumer_scoreboard` of 3 readers", 2.28),
     share("consumer_scoreboard_63", "`consumer_scoreboard` of 63 readers", 5.32)}};

}  // namespace
}  // namespace heddle::cosim::control_bits_block
