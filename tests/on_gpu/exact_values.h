#pragma once

// Exact values of the operations that PTX approximates, with more bits than any floating-point format has.

#include <string>
#include <vector>

namespace heddle::on_gpu {

struct ApproximateOperation {
  std::string name;  ///< PTX name with the type once, for example "ex2.approx.ftz.f32"
  std::string type;  ///< PTX type of operands and result: f16, bf16, f32 or f64
  int operands = 1;
  long double (*exact)(long double a, long double b);
  std::string target = "sm_75", version = "7.8";
};
const std::vector<ApproximateOperation>& approximate_operations();

}  // namespace heddle::on_gpu
