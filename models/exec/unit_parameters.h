#pragma once

// Parameters of the execution units of one SM partition.

#include <array>

#include "models/core/fields.h"
#include "models/isa/matrix.h"
#include "models/isa/opcode.h"
#include "models/isa/program.h"

namespace heddle {

struct OperationTiming {
  int latency_cycles = 8;
  int interval_cycles = 1;
  void fields(FieldVisitor& v) {
    v.field("latency_cycles", latency_cycles, {1, 100000},
            "cycles from the issue of the operation to the issue of an instruction that needs its result, "
            "without conflicts");
    v.field("interval_cycles", interval_cycles, {1, 100000},
            "cycles for which a unit accepts no other instruction after it starts this one");
  }
};

/// Timing of a subset (OpTiming) of the operations of a latency class. A value of 0 means that the value of
/// the class is used.
struct PartTiming {
  int latency_cycles = 0;
  int interval_cycles = 0;
  OperationTiming within(OperationTiming whole) const {
    return {latency_cycles ? latency_cycles : whole.latency_cycles,
            interval_cycles ? interval_cycles : whole.interval_cycles};
  }
  void fields(FieldVisitor& v) {
    v.field("latency_cycles", latency_cycles, {0, 100000},
            "cycles from the issue of the operation to the issue of an instruction that needs its result, "
            "without conflicts (0: as its class)");
    v.field(
        "interval_cycles", interval_cycles, {0, 100000},
        "cycles for which a unit accepts no other instruction after it starts this one (0: as its class)");
    v.off("latency_cycles", "0");
    v.off("interval_cycles", "0");
  }
};

/// Parameters of the matrix units (tensor cores) of a partition. The defaults are the values of an A100: 256
/// products of f16 per cycle and partition. A latency is the number of cycles from one matrix instruction to
/// a dependent instruction (Mesa NAK, sm80_instr_latencies.rs).
struct MatrixUnitParameters {
  static constexpr int kMostUnits = 8;

  int units = 0;
  std::string generation = "ampere";
  std::string exponent_floor = "none";
  std::string overflow = "infinity";
  std::string zero_sign = "positive";
  OperationTiming short_{14, 4}, long_{18, 8}, tf32{18, 4}, quad{18, 4}, f64{26, 16};

  isa::MatrixRules rules() const;

  void fields(FieldVisitor& v) {
    v.field("units", units, {0, kMostUnits},
            "matrix units of a partition. 0: a kernel with matrix instructions is refused");
    v.field(
        "generation", generation, {"volta", "turing", "ampere", "ada", "hopper"},
        "GPU generation whose arithmetic the units have: how many products they sum at once, and how they "
        "round. It changes values, not times");
    v.field(
        "exponent_floor", exponent_floor, {"none", "khattak", "xie"},
        "least exponent to which the terms of a sum are aligned: none; or as Khattak and Mikaitis (ACM TACO) "
        "or Xie et al. (arXiv 2511.10909) state it");
    v.field(
        "overflow", overflow, {"infinity", "largest"},
        "f32 result of a sum that is too large: infinity, or the largest number, as rounding towards zero "
        "gives in IEEE 754");
    v.field("zero_sign", zero_sign, {"positive", "ieee"},
            "sign of a result 0: +0, or -0 if all products and the accumulator are -0");
    v.group("short", short_,
            "products whose A has 1 or 2 words: f16 and bf16 with k 8, 8-bit integers with k 16");
    v.group("long", long_,
            "products whose A has 4 words: f16 and bf16 with k 16, tf32 with k 8, 8-bit types with k 32");
    v.group("tf32", tf32, "products of tf32 with k 4");
    v.group("quad", quad, "m8n8k4 of f16, by quad pairs");
    v.group("f64", f64, "products of f64");
    v.off("units", "0",
          {"generation", "exponent_floor", "overflow", "zero_sign", "short", "long", "tf32", "quad", "f64"});
  }
};

/// Throws Error if the program has a matrix instruction that the units cannot execute.
void check_matrix_units(const isa::Program& program, const MatrixUnitParameters& units);

/// A latency runs from the issue of an instruction to the issue of a dependent instruction. `cycles`: cycles of
/// this latency that the instruction spends outside its unit. `fixed_cycles`: the same for the operations in
/// `fixed_classes`, if the operand stage reads operands in a fixed window of cycles (such as "read-window").
/// These operations have a fixed latency and never wait in their unit.
struct UnitOverhead {
  int cycles = 0;
  std::uint32_t fixed_classes = 0;  ///< bit mask of isa::OpClass: operations of fixed latency
  int fixed_cycles = 0;
  bool has_fixed(isa::OpClass c) const { return fixed_classes >> static_cast<unsigned>(c) & 1; }
};

struct UnitParameters {
  static constexpr int kMostUnits = 16;

  int clusters = 2;
  bool shared_dispatch_port = true;
  std::string cluster_choice = "lowest";
  int sfu_units = 1;
  bool half_units = false;
  MatrixUnitParameters matrix;
  OperationTiming int_add, int_mul{8, 1}, int_bit, int_div{100, 16}, convert, fp32, fp16, fp64{16, 2},
      fp_div{100, 16}, fp64_div{200, 32}, sfu{20, 4}, cross_lane{20, 1};

  std::string fp64_unit = "fp";
  PartTiming simple, min_max, int_multiply_add, fp32_multiply_add, root, approximate_division;

  OperationTiming timing(isa::OpClass c) const;
  OperationTiming timing(isa::OpClass c, isa::OpTiming part) const;
  /// Returns the longest latency of an operation of the class, in cycles.
  int longest_latency(isa::OpClass c) const;
  /// Timing of half-precision operations on units that do not support half precision: operands are widened, the
  /// operation runs in single precision, and the result is narrowed.
  OperationTiming converted_half(int values) const;

  void fields(FieldVisitor& v) {
    v.field("clusters", clusters, {1, kMostUnits},
            "SP clusters of a partition: each has one INT and one FP pipeline");
    v.field("shared_dispatch_port", shared_dispatch_port,
            "INT and FP of a cluster together accept at most one instruction a cycle");
    v.field("cluster_choice", cluster_choice, {"lowest", "in-turn"},
            "among units with equally many instructions waiting at their ports, an instruction goes to the "
            "lowest one, or round-robin");
    v.field("sfu_units", sfu_units, {1, kMostUnits}, "special function units of a partition (warp-wide)");
    v.group("int_add", int_add, "integer add, logic, shift, compare, select, move");
    v.group("int_mul", int_mul, "integer multiply and multiply-add");
    v.group("int_bit", int_bit, "bit field, count, permute, funnel shift");
    v.group("int_div", int_div, "integer division and remainder (a sequence in hardware)");
    v.group("convert", convert, "conversions between integer and floating point");
    v.group("fp32", fp32, "single precision add, multiply, fused multiply-add, compare");
    v.field("half_units", half_units,
            "units for f16 and bf16. Without them, an operation takes the time of three conversions and one "
            "single-precision operation, twice this time for a pair, and a run with such operations prints a "
            "note");
    v.group("fp16", fp16,
            "half precision and bfloat16, one value or a pair: add, multiply, fused multiply-add, compare "
            "(with half_units)");
    v.off("half_units", "false", {"fp16"});
    v.group("fp64", fp64, "double precision add, multiply, fused multiply-add, compare");
    v.group("fp_div", fp_div, "IEEE division and square root, single precision (a sequence in hardware)");
    v.group("fp64_div", fp64_div, "IEEE division and square root, double precision (a sequence in hardware)");
    v.group("sfu", sfu, "approximations: rcp, rsqrt, sin, cos, ex2, lg2");
    v.group("cross_lane", cross_lane, "vote, shuffle, match");
    v.field("fp64_unit", fp64_unit, {"fp", "sfu"},
            "units that execute double precision add, multiply and fused multiply-add: those of single "
            "precision, or the special function units");
    v.off("fp64_unit", "fp");
    v.group(
        "simple", simple,
        "part of int_add, fp32 and fp64: move, logic, shift, select, compare, integer conversion, abs, neg");
    v.group("min_max", min_max, "part of int_add and fp32: min, max");
    v.group("int_multiply_add", int_multiply_add, "part of int_mul: mad");
    v.group("fp32_multiply_add", fp32_multiply_add, "part of fp32: fma, mad");
    v.group("root", root, "part of fp_div and fp64_div: square root and reciprocal");
    v.group("approximate_division", approximate_division, "part of sfu: div.approx and div.full");
    v.group("matrix", matrix, "matrix units (tensor cores)");
  }
};

/// If `units` assigns double precision to the special function units (fp64_unit), sets this unit in all
/// double-precision operations of the program.
void bind_units(isa::Program& program, const UnitParameters& units);

}  // namespace heddle
