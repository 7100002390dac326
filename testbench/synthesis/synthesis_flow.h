#pragma once

// From Verilog to gates. Yosys maps a block to the cells of a library, OpenSTA finds its longest path, and
// ABC or Yosys proves that the netlist is equivalent to the Verilog. Wires are not modelled: an area is the
// sum of cell areas, and a delay is the delay of cells that drive pins of other cells.

#include <string>
#include <vector>

#include "testbench/synthesis/liberty.h"

namespace heddle::synthesis {

struct Block {
  std::string name;
  std::string top;
  std::vector<std::pair<std::string, int>> parameters;
  std::string what;
};

struct BlockResult {
  double area_um2 = 0, flip_flop_area_um2 = 0;
  int cells = 0, flip_flops = 0;
  double path_ns = 0;
  double bare_path_ns = 0;  ///< longest path without buffers, with the smallest cells
  bool equivalent = false;
};

class SynthesisFlow {
 public:
  /// Prepares to synthesise the blocks of `rtl_folder`. `folder`: receives scripts, netlists and logs. Throws
  /// Error if the folder cannot be created, or if a tool is missing or fails.
  SynthesisFlow(const Liberty& library, const std::string& rtl_folder, const std::string& folder);

  /// Synthesises a block, and measures its area and delay. Throws Error if a tool fails or if the netlist is
  /// not proven equivalent. Several threads may call this function at the same time.
  BlockResult run(const Block& block) const;
  /// netlist() returns the path of the netlist of a completed block. cells_view() returns the path of a
  /// simple Verilog view of the library cells. In this view, all flip-flops start with the value `begins` (0
  /// or 1). An unknown start value could stay unknown in simulation, for example after a multiplexer with
  /// equal inputs. This does not happen in silicon.
  std::string netlist(const Block& block) const { return folder_ + "/" + block.name + ".netlist.v"; }
  std::string cells_view(int begins) const { return folder_ + "/cells" + std::to_string(begins) + ".v"; }
  const std::string& folder() const { return folder_; }

  /// Returns the area of a gate equivalent (a two-input NAND).
  double nand2_um2() const { return nand2_um2_; }
  double fo4_ns() const { return fo4_ns_; }  ///< delay of an inverter that drives four inverters
  std::string yosys_version() const;
  std::string sta_version() const;

 private:
  std::string yosys(const std::string& name, const std::string& script) const;
  std::string sta(const std::string& name, const std::string& netlist, const std::string& top) const;
  std::string read_rtl(const Block& block) const;
  double longest_path(const Block& block, const std::string& netlist) const;
  void prove_equivalent(const Block& block) const;
  void measure_gates();
  void measure_fo4(const std::string& inverter_netlist);
  double area_of(const std::string& stat, BlockResult& result) const;

  const Liberty& library_;
  std::string rtl_, folder_;
  double nand2_um2_ = 0, fo4_ns_ = 0;
};

}  // namespace heddle::synthesis
