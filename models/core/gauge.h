#pragma once

// A gauge is a value of the SM. To draw the SM, an observer may read the gauge after each cycle in which the SM
// ran. Each part of the SM adds its gauges in probes() (probe.h). A gauge that no observer reads costs no host
// time during the run.

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "models/core/ids.h"

namespace heddle {

struct Gauge {
  enum class Form : std::uint8_t {
    amount,        ///< one number
    cells,         ///< one bit mask of the part's entries (cells): bit i is 1 if cell i is in use
    states,        ///< for each cell (entry of the part), an index into `states`
    warps,         ///< for each position of the part, the warp slot there plus 1; 0: the position is empty
    instructions,  ///< for each position, the sequence number (uid) of an instruction + 1; 0: the position is empty
    registers,  ///< for each position, register_number() of a register; 0: the position is empty
  };
  /// How an observer draws a state of a cell (an entry of a part of the SM).
  enum class Tone : std::uint8_t { off, idle, active, waiting, changing };
  struct State {
    std::string name;
    Tone tone = Tone::idle;
  };

  std::string name, doc;
  Form form = Form::amount;
  std::uint64_t most = 0;  ///< largest amount, or number of cells or positions; 0: no limit
  std::vector<State> states{};
  /// number of cells or positions that are drawn in one row, such as the entries of a bank; 0: any number
  std::uint64_t row = 0;
  /// True: the value belongs to one cycle only. The value is 0 in each cycle in which the SM does not run.
  bool momentary = false;
  /// Appends to `values` the state of the gauge at the end of `cycle`: for the forms `amount` and `cells` one
  /// number, for the other forms one number per cell or position.
  std::function<void(Cycle cycle, std::vector<std::uint64_t>& values)> read{};

  static std::uint64_t register_number(WarpId warp, RegId reg) {
    return (std::uint64_t{warp.value} << 8 | reg.value) + 1;
  }
};

/// Data with which an observer draws a part of the SM: its gauges, counters and instructions.
struct PartPicture {
  std::string doc;  ///< meaning of the part, a few words; empty: drawn only if it has gauges or counters
  /// Names of the life events (i_life_listener.h) with which an instruction enters this part, such as
  /// "fetched" and "issued". "accessed" is the name for the event `dispatched` of a memory instruction.
  std::vector<std::string> steps;
  std::uint64_t warps = ~std::uint64_t{0};  ///< warp slots that the part serves; bit w stands for warp w
  std::vector<Gauge> gauges;
  /// Counters of the part. An item is either the name of an owner ("sm0.front_end"), which stands for all its
  /// counters, or the beginning of a name ("sm0.load_store.l1_"), which stands for all counters whose names
  /// begin with this text.
  std::vector<std::string> counters;
};

}  // namespace heddle
