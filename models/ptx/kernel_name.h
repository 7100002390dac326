#pragma once

// Names of kernels and variables.

#include <string>

namespace heddle::ptx {

struct KernelName {
  std::string mangled;
  std::string plain;  ///< demangled, without result type and parameters: "ns::scale<float>"
};

/// "void ns::scale<float>(float*)" for a name that the C++ ABI has mangled; other names are unchanged.
std::string demangled(const std::string& name);

/// "ns::scale<float>" of a mangled name; the name itself if it is not mangled.
std::string plain_name(const std::string& mangled);

}  // namespace heddle::ptx
