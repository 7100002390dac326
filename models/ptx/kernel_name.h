#pragma once

// Names of kernels and variables.

#include <string>

namespace heddle::ptx {

struct KernelName {
  std::string mangled;
  std::string plain;  ///< demangled, without result type and parameters: "ns::scale<float>"
};

/// Returns the demangled text, such as "void ns::scale<float>(float*)". Names without C++ mangling are
/// returned unchanged.
std::string demangled(const std::string& name);

/// Returns the plain name, such as "ns::scale<float>". Names without mangling are returned unchanged.
std::string plain_name(const std::string& mangled);

}  // namespace heddle::ptx
