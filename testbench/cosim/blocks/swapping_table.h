#pragma once

// Ports of the Verilog modules swapping_cam and swapping_index, which have the same ports. Both implement the
// table that gives the row of each register after pairs of registers have exchanged rows: swapping_cam as a
// CAM, swapping_index as an array that the register number indexes.

#include <memory>

#include "models/stages/swapping_table.h"
#include "testbench/cosim/block.h"

namespace heddle::cosim {

inline BlockFit fits_swapping(const SwappingTableSettings& settings, const char* table) {
  if (settings.table != table) return {{}, "it is a table of the other kind"};
  if (!settings.one_table) return {{}, "warps of two tables run at a time, the block has one"};
  return {{{"PAIRS", settings.fast_registers}}, ""};
}

inline void fill_swapping(BlockTable<SwappingPoint>& t, const SwappingTableSettings& settings) {
  using View = SwappingView;
  const auto pairs = static_cast<std::size_t>(settings.fast_registers);
  const auto side = [pairs](auto of) {
    return [pairs, of](const View& v) {
      Elements all;
      for (std::size_t i = 0; i < pairs; ++i)
        all.add(v.writes && i < v.table->swaps().size() ? of(v.table->swaps()[i]) : 0);
      return all;
    };
  };
  t.input("load", [](const View& v) { return v.writes; });
  t.input("valid", [](const View& v) { return v.writes ? (1u << v.table->swaps().size()) - 1 : 0; });
  t.input("slow", side([](const RegisterSwap& swap) { return std::uint64_t{swap.slow}; }));
  t.input("fast", side([](const RegisterSwap& swap) { return std::uint64_t{swap.fast}; }));
  t.input("register_number", [](const View& v) { return v.home; });
  t.output("row", [](const View& v, const std::uint32_t& row) {
    return v.writes ? std::optional<std::uint32_t>{} : std::optional<std::uint32_t>{row};
  });
}

}  // namespace heddle::cosim
