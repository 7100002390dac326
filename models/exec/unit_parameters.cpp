#include "models/exec/unit_parameters.h"

#include <fmt/format.h>

#include <algorithm>

#include "models/core/error.h"
#include "models/isa/matrix_operands.h"

namespace heddle {

isa::MatrixRules MatrixUnitParameters::rules() const {
  using namespace isa;
  MatrixRules rules;
  for (const MatrixGeneration g : {MatrixGeneration::volta, MatrixGeneration::turing,
                                   MatrixGeneration::ampere, MatrixGeneration::ada, MatrixGeneration::hopper})
    if (generation == name_of(g)) rules.generation = g;
  rules.floor = exponent_floor == "khattak" ? ExponentFloor::khattak
                : exponent_floor == "xie"   ? ExponentFloor::xie
                                            : ExponentFloor::none;
  rules.overflow = overflow == "largest" ? MatrixOverflow::largest : MatrixOverflow::infinity;
  rules.zero = zero_sign == "ieee" ? ZeroSign::ieee : ZeroSign::positive;
  return rules;
}

void check_matrix_units(const isa::Program& program, const MatrixUnitParameters& units) {
  for (const isa::Instruction& i : program.code) {
    if (i.unit != isa::UnitClass::matrix) continue;
    const auto where = [&] {
      return fmt::format("{}:{}:{}", program.file, i.location.ptx_line, i.location.ptx_column);
    };
    if (units.units == 0)
      throw Error(where(),
                  fmt::format("kernel {} has matrix instructions, this GPU no matrix units", program.kernel),
                  "--with matrix-unit, which adds one to each partition");
    const isa::MatrixRules rules = units.rules();
    if (const std::string_view reason = isa::matrix_refusal(i, rules.generation); !reason.empty())
      throw Error(where(),
                  fmt::format("matrix units of {} have no {}: {}", isa::name_of(rules.generation),
                              isa::name_of(i.source_type), reason),
                  "a later gpu.sm.units.matrix.generation");
  }
}

OperationTiming UnitParameters::converted_half(int values) const {
  const int interval = values * (3 * convert.interval_cycles + fp32.interval_cycles);
  const int first = 2 * convert.latency_cycles + convert.interval_cycles + fp32.latency_cycles;
  return {first + (values - 1) * (3 * convert.interval_cycles + fp32.interval_cycles), interval};
}

OperationTiming UnitParameters::timing(isa::OpClass c, isa::OpTiming part) const {
  using isa::OpTiming;
  const OperationTiming whole = timing(c);
  switch (part) {
    case OpTiming::simple:
      return simple.within(whole);
    case OpTiming::min_max:
      return min_max.within(whole);
    case OpTiming::multiply_add:
      return (c == isa::OpClass::fp32 ? fp32_multiply_add : int_multiply_add).within(whole);
    case OpTiming::root:
      return root.within(whole);
    case OpTiming::quotient:
      return approximate_division.within(whole);
    case OpTiming::own:
    case OpTiming::count_:
      break;
  }
  return whole;
}

int UnitParameters::longest_latency(isa::OpClass c) const {
  using isa::OpClass;
  using isa::OpTiming;
  const bool narrow = c == OpClass::int_add || c == OpClass::int_mul || c == OpClass::fp32;
  const auto has = [&](OpTiming part) {
    switch (part) {
      case OpTiming::min_max:
      case OpTiming::multiply_add:
        return narrow;
      case OpTiming::root:
        return c == OpClass::fp_div || c == OpClass::fp64_div;
      case OpTiming::quotient:
        return c == OpClass::sfu;
      default:
        return true;
    }
  };
  int longest = 0;
  for (int i = 0; i < static_cast<int>(OpTiming::count_); ++i)
    if (const auto part = static_cast<OpTiming>(i); has(part))
      longest = std::max(longest, timing(c, part).latency_cycles);
  return longest;
}

void bind_units(isa::Program& program, const UnitParameters& units) {
  if (units.fp64_unit != "sfu") return;
  for (isa::Instruction& i : program.code)
    if (i.op_class == isa::OpClass::fp64 && isa::timing_of(i) != isa::OpTiming::simple)
      i.unit = isa::UnitClass::sfu;
}

OperationTiming UnitParameters::timing(isa::OpClass c) const {
  using isa::OpClass;
  switch (c) {
    case OpClass::int_mul:
      return int_mul;
    case OpClass::int_bit:
      return int_bit;
    case OpClass::int_div:
      return int_div;
    case OpClass::convert:
      return convert;
    case OpClass::fp32:
      return fp32;
    case OpClass::fp64:
      return fp64;
    case OpClass::fp16:
      return half_units ? fp16 : converted_half(1);
    case OpClass::fp16x2:
      return half_units ? fp16 : converted_half(2);
    case OpClass::fp_div:
      return fp_div;
    case OpClass::fp64_div:
      return fp64_div;
    case OpClass::sfu:
      return sfu;
    case OpClass::cross_lane:
      return cross_lane;
    case OpClass::matrix_short:
      return matrix.short_;
    case OpClass::matrix_long:
      return matrix.long_;
    case OpClass::matrix_tf32:
      return matrix.tf32;
    case OpClass::matrix_quad:
      return matrix.quad;
    case OpClass::matrix_f64:
      return matrix.f64;
    case OpClass::int_add:
    case OpClass::memory:
    case OpClass::control:
    case OpClass::count_:
      break;
  }
  return int_add;
}

}  // namespace heddle
