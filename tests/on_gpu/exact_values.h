#pragma once

// Exact values that the approximate operations approximate, with more bits than any of them has.

#include <string>
#include <vector>

namespace heddle::on_gpu {

struct ApproximateOperation {
  std::string name;  ///< as spelled, without the type's suffix repeated: "ex2.approx.ftz.f32"
  std::string type;  ///< of operands and result: f16, bf16, f32, f64
  int operands = 1;
  long double (*exact)(long double a, long double b);
  std::string target = "sm_75", version = "7.8";
};
const std::vector<ApproximateOperation>& approximate_operations();

}  // namespace heddle::on_gpu
