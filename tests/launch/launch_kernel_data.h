#pragma once

// Provides the data of a launch as input of the kernel's C++ reference: copies of the initialised buffers.

#include <cstring>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "testbench/kernels/kernel_reference.h"
#include "testbench/launch/launch_run.h"

namespace heddle::launch::testing {

class LaunchKernelData : public kernels::KernelData {
 public:
  LaunchKernelData(const LaunchFile& file, const LaunchRun& run) : file_(file) {
    for (const BufferSpec& spec : file.buffers) {
      const BufferView view = run.buffer(spec.name);
      Copy& copy = copies_[spec.name];
      copy.type = spec.type;
      copy.bytes = view.data.size();
      copy.words.resize((copy.bytes + 7) / 8);
      std::memcpy(copy.words.data(), view.data.data(), copy.bytes);
    }
  }

  std::int64_t integer(std::string_view name) const override {
    const Number& value = find(name);
    if (!value.integral) throw std::runtime_error("the value \"" + std::string(name) + "\" has a fraction");
    return static_cast<std::int64_t>(value.integer);
  }
  double number(std::string_view name) const override { return find(name).real; }

  BufferView view(const std::string& name) const {
    const Copy& copy = copies_.at(name);
    BufferView view;
    view.name = name;
    view.type = copy.type;
    view.data = {reinterpret_cast<const std::uint8_t*>(copy.words.data()), copy.bytes};
    return view;
  }

 protected:
  RawBuffer raw_buffer(std::string_view name, kernels::ElementType type) override {
    const auto found = copies_.find(name);
    if (found == copies_.end()) throw std::runtime_error("no buffer \"" + std::string(name) + "\"");
    if (static_cast<int>(found->second.type) != static_cast<int>(type))
      throw std::runtime_error("the buffer \"" + std::string(name) + "\" is of another type");
    return {found->second.words.data(), found->second.bytes / bytes_of(found->second.type)};
  }

 private:
  struct Copy {
    ElementType type{};
    std::size_t bytes = 0;
    std::vector<std::uint64_t> words;
  };
  const Number& find(std::string_view name) const {
    const Number* value = file_.values.find(name);
    if (!value) throw std::runtime_error("no value \"" + std::string(name) + "\"");
    return *value;
  }

  const LaunchFile& file_;
  std::map<std::string, Copy, std::less<>> copies_;
};

}  // namespace heddle::launch::testing
