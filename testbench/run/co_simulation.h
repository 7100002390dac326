#pragma once

// Interface between a run and co-simulation. The folder testbench/cosim implements it, in builds with
// Verilator.

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "models/core/fields.h"

namespace heddle {
class Gpu;
}

namespace heddle::run {

struct CoSimulationParameters {
  std::string mode = "off";
  std::string record;
  std::uint64_t record_cycles = 20000;

  bool on() const { return mode != "off"; }
  void fields(FieldVisitor& v) {
    v.field(
        "mode", mode, {"off", "lockstep", "drive"},
        "Verilated RTL connected to the model: lockstep compares every output in every cycle, and the first "
        "difference ends the run; with drive, the RTL decides instead of the model (results do not change)");
    v.field("record", record, {},
            "folder for the inputs and outputs of every block, with which gate-level netlists are checked "
            "(empty: none)");
    v.field("record_cycles", record_cycles, {1, 100000000}, "cycles that are recorded for every block");
  }
};

/// A register or output of a co-simulated RTL block, for waveforms.
struct CoSimulationSignal {
  std::size_t sm = 0;
  std::string name;
  int width = 1;
  bool power_state = false;
  std::function<std::uint64_t()> read;
};

class CoSimulation {
 public:
  virtual ~CoSimulation() = default;
  /// Returns one line for each unit of the model. The line says that the unit is compared with RTL, or why
  /// the unit is not compared.
  virtual std::vector<std::string> notes() const = 0;
  virtual std::vector<CoSimulationSignal> signals() const = 0;
  virtual void finish() = 0;

  /// Function that makes the co-simulation of a GPU. Call it before the GPU's first cycle.
  using Factory = std::unique_ptr<CoSimulation> (*)(Gpu& gpu, const CoSimulationParameters& parameters);
  /// Returns the function that makes co-simulations; nullptr in a program without co-simulation.
  static Factory& factory() {
    static Factory factory = nullptr;
    return factory;
  }
};

}  // namespace heddle::run
