#include "tests/on_gpu/exact_values.h"

#include <cmath>

namespace heddle::on_gpu {

namespace {

using Real = long double;

Real exp2_of(Real a, Real) { return std::exp2(a); }
Real log2_of(Real a, Real) { return std::log2(a); }
Real sine_of(Real a, Real) { return std::sin(a); }
Real cosine_of(Real a, Real) { return std::cos(a); }
Real reciprocal_of(Real a, Real) { return 1 / a; }
Real root_of(Real a, Real) { return std::sqrt(a); }
Real root_reciprocal_of(Real a, Real) { return 1 / std::sqrt(a); }
Real tangent_of(Real a, Real) { return std::tanh(a); }
Real quotient_of(Real a, Real b) { return a / b; }

}  // namespace

const std::vector<ApproximateOperation>& approximate_operations() {
  static const std::vector<ApproximateOperation> operations = {
      {"ex2.approx.f32", "f32", 1, exp2_of},
      {"ex2.approx.ftz.f32", "f32", 1, exp2_of},
      {"lg2.approx.f32", "f32", 1, log2_of},
      {"lg2.approx.ftz.f32", "f32", 1, log2_of},
      {"sin.approx.f32", "f32", 1, sine_of},
      {"sin.approx.ftz.f32", "f32", 1, sine_of},
      {"cos.approx.f32", "f32", 1, cosine_of},
      {"cos.approx.ftz.f32", "f32", 1, cosine_of},
      {"rcp.approx.f32", "f32", 1, reciprocal_of},
      {"rcp.approx.ftz.f32", "f32", 1, reciprocal_of},
      {"sqrt.approx.f32", "f32", 1, root_of},
      {"sqrt.approx.ftz.f32", "f32", 1, root_of},
      {"rsqrt.approx.f32", "f32", 1, root_reciprocal_of},
      {"rsqrt.approx.ftz.f32", "f32", 1, root_reciprocal_of},
      {"tanh.approx.f32", "f32", 1, tangent_of},
      {"div.approx.f32", "f32", 2, quotient_of},
      {"div.approx.ftz.f32", "f32", 2, quotient_of},
      {"div.full.f32", "f32", 2, quotient_of},
      {"div.full.ftz.f32", "f32", 2, quotient_of},
      {"rcp.approx.ftz.f64", "f64", 1, reciprocal_of},
      {"rsqrt.approx.f64", "f64", 1, root_reciprocal_of},
      {"rsqrt.approx.ftz.f64", "f64", 1, root_reciprocal_of},
      {"ex2.approx.f16", "f16", 1, exp2_of},
      {"tanh.approx.f16", "f16", 1, tangent_of},
      {"ex2.approx.ftz.bf16", "bf16", 1, exp2_of, "sm_90"},
      {"tanh.approx.bf16", "bf16", 1, tangent_of, "sm_90"},
  };
  return operations;
}

}  // namespace heddle::on_gpu
