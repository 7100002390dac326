#pragma once

// Latencies of a GPU, for the compiler passes that set control bits and schedule instructions. A latency is
// the number of cycles from the issue of an instruction to the issue of a dependent instruction, if no other
// instruction delays the two. The kinds of readers (enum Reader) follow Mesa NAK, sm80_instr_latencies.rs.

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "models/core/fields.h"
#include "models/isa/instruction.h"

namespace heddle::isa {

/// Kinds of readers of a result. The kind determines the point in the pipeline at which the reader reads.
enum class Reader : std::uint8_t {
  int_,      ///< operand of a fixed-latency integer operation
  fp,        ///< operand of a fixed-latency floating-point operation
  matrix,    ///< operand of a fixed-latency matrix product
  variable,  ///< data operand of a variable-latency operation
  address,   ///< address operand of a memory operation
  guard,     ///< guard, branch, barrier, or predicate operand of a variable-latency operation
  count_
};
inline constexpr std::size_t kReaders = static_cast<std::size_t>(Reader::count_);
const char* name_of(Reader r);

/// Parameters from which LatencyTable computes the latency between dependent instructions, in addition to the
/// latencies of the execution units.
struct DependenceParameters {
  std::vector<std::string> variable{"int-div", "fp-div", "fp64-div", "sfu", "cross-lane"};
  int other_unit_cycles = 1;
  int matrix_operand_cycles = 7;
  int variable_reader_cycles = 0;
  int address_cycles = 1;
  int guard_cycles = 9;
  int overwrite_cycles = 2;
  int raise_cycles = 2;
  int global_load_cycles = 200;

  void fields(FieldVisitor& v) {
    v.field("variable", variable,
            "latency classes whose results come after a variable time, as those of memory do: a dependence "
            "counter announces them");
    v.field("other_unit_cycles", other_unit_cycles, {0, 100},
            "further cycles from a fixed-latency result to a reader in a unit of another kind");
    v.field("matrix_operand_cycles", matrix_operand_cycles, {0, 100},
            "least cycles from a fixed-latency result of another unit to a matrix product that reads it");
    v.field("variable_reader_cycles", variable_reader_cycles, {0, 100},
            "further cycles from a fixed-latency result to a reader of variable latency");
    v.field("address_cycles", address_cycles, {0, 100},
            "further cycles from a fixed-latency result to a memory access that has it as address");
    v.field("guard_cycles", guard_cycles, {0, 100},
            "further cycles from a fixed-latency predicate to a guard, a branch, or a reader of variable "
            "latency");
    v.field("overwrite_cycles", overwrite_cycles, {1, 100},
            "cycles from a fixed-latency reader of a register to an instruction of variable latency that "
            "writes it");
    v.field("raise_cycles", raise_cycles, {1, 100},
            "cycles from an instruction that raises a dependence counter to one that waits for the counter");
    v.field("global_load_cycles", global_load_cycles, {1, 10000},
            "cycles that a schedule assumes from a load of global or local memory to its first reader");
  }
};

struct LatencyTable {
  struct Row {
    int cycles = 4;         ///< latency to a reader of the result that executes in the same kind of unit
    bool variable = false;  ///< true: variable latency; `cycles` is then the smallest latency
    bool operator==(const Row&) const = default;
  };
  std::string machine;
  std::array<Row, static_cast<std::size_t>(OpClass::count_)> rows;
  int other_unit = 1, matrix_operand = 7, variable_reader = 0, address = 1, guard = 9, overwrite = 2,
      raise = 2;
  /// Number of cycles that the scheduling passes place between a load and its readers: for shared memory, for
  /// constant memory, and for global or local memory.
  int shared_load = 24, constant_load = 26, global_load = 200;

  /// Sets the latencies of `parameters`. Throws Error with the configuration key if `parameters` names an
  /// unknown latency class.
  void set(const DependenceParameters& parameters);

  const Row& row(OpClass c) const { return rows[static_cast<std::size_t>(c)]; }
  /// True for instructions of variable latency: memory operations, barriers with a result, and the classes of
  /// DependenceParameters::variable.
  bool is_variable(const Instruction& i) const;
  /// Cycles from the issue of a fixed-latency instruction to the issue of an instruction that reads its
  /// result.
  int to_reader(const Instruction& producer, Reader reader) const;
  /// Cycles from the issue of a fixed-latency instruction until its result is written. If two instructions
  /// write the same register, control bits must ensure that the later instruction also writes later.
  int to_write(const Instruction& producer) const { return row(producer.op_class).cycles; }
  /// Number of cycles that the scheduling passes place between an instruction (of fixed or variable latency)
  /// and a reader of its result.
  int expected(const Instruction& producer, Reader reader) const;
  /// Returns how instruction `i` reads its source operand `slot`, as a kind of reader.
  Reader reader_of(const Instruction& i, std::size_t slot) const;
};

/// Returns the first difference between the latencies of two machines, such as "int-add takes 4 cycles on
/// ampere-a6000, 6 on maxwell-gtx980"; nothing if they are equal.
std::optional<std::string> first_difference(const LatencyTable& a, const LatencyTable& b);

}  // namespace heddle::isa
