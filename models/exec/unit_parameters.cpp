#include "models/exec/unit_parameters.h"

namespace heddle {

OperationTiming UnitParameters::converted_half(int values) const {
  const int interval = values * (3 * convert.interval_cycles + fp32.interval_cycles);
  const int first = 2 * convert.latency_cycles + convert.interval_cycles + fp32.latency_cycles;
  return {first + (values - 1) * (3 * convert.interval_cycles + fp32.interval_cycles), interval};
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
    case OpClass::int_add:
    case OpClass::memory:
    case OpClass::control:
    case OpClass::count_:
      break;
  }
  return int_add;
}

}  // namespace heddle
