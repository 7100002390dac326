#pragma once

// What a kernel is called.

#include <string>

namespace heddle::ptx {

struct KernelName {
  std::string mangled;
  std::string plain;  ///< demangled, without result type and parameters: "ns::scale<float>"
};

/// "ns::scale<float>" of a mangled name; the name itself if it is not mangled.
std::string plain_name(const std::string& mangled);

}  // namespace heddle::ptx
