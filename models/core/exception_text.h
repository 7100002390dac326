#pragma once

// Texts of exceptions for error messages. Words replace "std::bad_alloc" and similar texts.

#include <exception>
#include <new>
#include <string>

namespace heddle {

inline constexpr const char* kNoMemory = "not enough memory";

inline std::string exception_text(const std::exception& error) {
  return dynamic_cast<const std::bad_alloc*>(&error) ? kNoMemory : error.what();
}

}  // namespace heddle
