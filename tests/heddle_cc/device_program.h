#pragma once

// Compiles a CUDA source file with scripts/heddle-cc and runs its kernels on the untimed reference.

#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "models/ptx/module.h"

namespace heddle::device_test {

bool have_clang();

/// Runs scripts/heddle-cc with some arguments in a temporary folder. Keeps its exit status and its output.
struct Compilation {
  int status = 0;
  std::string text;
};
Compilation compile(const std::string& words, const std::string& folder);
std::string new_folder();

class DeviceProgram {
 public:
  explicit DeviceProgram(const std::string& source, const std::string& options = {});

  /// Runs a kernel whose parameters are the addresses of `buffers`. Afterwards copies the contents back into
  /// `buffers`.
  void run(const std::string& kernel, unsigned ctas, unsigned threads,
           const std::vector<std::vector<std::uint8_t>*>& buffers) const;
  const std::string& text() const { return text_; }

 private:
  std::string text_;
  std::shared_ptr<const ptx::Module> module_;
};

template <class T>
std::vector<std::uint8_t> bytes_of(const std::vector<T>& values) {
  std::vector<std::uint8_t> bytes(values.size() * sizeof(T));
  std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}
template <class T>
std::vector<T> values_of(const std::vector<std::uint8_t>& bytes) {
  std::vector<T> values(bytes.size() / sizeof(T));
  std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

}  // namespace heddle::device_test
