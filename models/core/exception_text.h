#pragma once

// Returns the text of an exception for error messages, in plain English instead of names such as
// "std::bad_alloc".

#include <exception>
#include <new>
#include <string>

namespace heddle {

inline constexpr const char* kNoMemory = "not enough memory";

inline std::string exception_text(const std::exception& error) {
  return dynamic_cast<const std::bad_alloc*>(&error) ? kNoMemory : error.what();
}

}  // namespace heddle
