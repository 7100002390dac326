#include "testbench/kernels/kernel_reference.h"

namespace heddle::kernels {

std::map<std::string, KernelReferenceFunction, std::less<>>& kernel_references() {
  static std::map<std::string, KernelReferenceFunction, std::less<>> references;
  return references;
}

}  // namespace heddle::kernels
