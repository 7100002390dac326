#pragma once

// Computes exact values of the operations that PTX approximates. The values have more bits than any
// floating-point format.

#include <string>
#include <vector>

namespace heddle::on_gpu {

struct ApproximateOperation {
  std::string name;
  std::string type;
  int operands = 1;
  long double (*exact)(long double a, long double b);
  std::string target = "sm_75", version = "7.8";
};
const std::vector<ApproximateOperation>& approximate_operations();

}  // namespace heddle::on_gpu
