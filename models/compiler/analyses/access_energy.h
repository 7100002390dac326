#pragma once

// Energy of accesses to the levels of the register hierarchy. The allocation passes minimise this energy.
// Values from Gebhart 2012, Tables IV and V, in pJ for four 32-bit values (128 bits). The passes depend only on
// the ratios.

#include "models/core/fields.h"
#include "models/isa/instruction.h"

namespace heddle::compiler {

struct AccessEnergy {
  int active_warps = 8;
  double main_read_pj = 8, main_write_pj = 11;
  double operand_read_pj = 0, operand_write_pj = 0;
  double last_read_pj = 0.7, last_write_pj = 2;
  double main_wire_pj = 7.6;
  double operand_wire_pj = 1.52, operand_wire_shared_pj = 3.04;
  double last_wire_pj = 0.38;

  void fields(FieldVisitor& v) {
    v.field("active_warps", active_warps, {1, 64},
            "active warps that share the operand level, for its energies (Gebhart 2012, Table IV)");
    v.field("main_read_pj", main_read_pj, {0, 1e6}, "main level, read of 128 bits (Gebhart 2012, Table V)");
    v.field("main_write_pj", main_write_pj, {0, 1e6},
            "main level, write of 128 bits (Gebhart 2012, Table V)");
    v.field("operand_read_pj", operand_read_pj, {0, 1e6},
            "operand level, read of 128 bits; 0 = by entries x active warps from Gebhart 2012, Tables IV and "
            "V, interpolated");
    v.field("operand_write_pj", operand_write_pj, {0, 1e6},
            "operand level, write of 128 bits; 0 = as for operand_read_pj");
    v.field("last_read_pj", last_read_pj, {0, 1e6},
            "last-result level, read of 128 bits (Gebhart 2012, Table V)");
    v.field("last_write_pj", last_write_pj, {0, 1e6},
            "last-result level, write of 128 bits (Gebhart 2012, Table V)");
    v.field("main_wire_pj", main_wire_pj, {0, 1e6},
            "128 bits over 1 mm, main level to any unit (Gebhart 2012, Table V: 1.9 pJ/mm for 32 bits)");
    v.field("operand_wire_pj", operand_wire_pj, {0, 1e6},
            "0.2 mm, operand level to the private datapath (Gebhart 2012, Table V)");
    v.field("operand_wire_shared_pj", operand_wire_shared_pj, {0, 1e6},
            "0.4 mm, operand level to the shared units (Gebhart 2012, Table V)");
    v.field("last_wire_pj", last_wire_pj, {0, 1e6},
            "0.05 mm, last-result level to the private datapath (Gebhart 2012, Table V)");
  }

  /// Returns the energies of this object with operand_read_pj and operand_write_pj, if 0, replaced by the
  /// values of Gebhart 2012 for an operand level with `entries` entries per warp.
  AccessEnergy resolved(int entries) const;

  /// Energy in pJ of a read or write of four 32-bit values at `level`, including wires. `shared_unit`: the
  /// instruction executes on an SFU or a memory unit, which is farther away from the registers than the ALUs.
  /// (Gebhart 2012 calls the ALUs the private datapath.)
  double read(int level, bool shared_unit) const;
  double write(int level, bool shared_unit) const;
};

}  // namespace heddle::compiler
