#pragma once

// Where operand collectors send what they have collected: the units of their partition.

#include "models/ports/in_flight.h"

namespace heddle {

class UnitInputs {
 public:
  virtual ~UnitInputs() = default;
  virtual void begin_cycle() = 0;
  /// Passes the instruction to a unit that can take it in this cycle; false if none can.
  virtual bool dispatch(Cycle now, InFlight* item) = 0;
};

}  // namespace heddle
