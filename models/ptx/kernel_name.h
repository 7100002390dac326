#pragma once

// Mangled, demangled and plain names of kernels and variables.

#include <string>

namespace heddle::ptx {

struct KernelName {
  std::string mangled;
  std::string plain;  ///< demangled name without result type and parameters, such as "ns::scale<float>"
};

/// Returns the demangled name, such as "void ns::scale<float>(float*)". A name without C++ mangling is
/// returned unchanged.
std::string demangled(const std::string& name);

std::string plain_name(const std::string& mangled);

/// Returns the text in which each mangled name after the word "kernel" is replaced by the plain name.
std::string with_plain_names(const std::string& text);

}  // namespace heddle::ptx
