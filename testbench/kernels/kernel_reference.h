// C++ references of the kernels in this folder, written independently of the kernels' PTX. In a kernel's
// reference.cpp, a function computes the results of the kernel's launch file, and a static object registers
// this function. A test compares the outputs of the launch with these results.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>

namespace heddle::kernels {

enum class ElementType { u8, s8, u16, s16, u32, s32, u64, s64, f32, f64 };

// Returns the element type of T, which is a fixed-width integer, float or double.
template <class T>
constexpr ElementType element_type_of() {
  if constexpr (std::is_same_v<T, std::uint8_t>) return ElementType::u8;
  if constexpr (std::is_same_v<T, std::int8_t>) return ElementType::s8;
  if constexpr (std::is_same_v<T, std::uint16_t>) return ElementType::u16;
  if constexpr (std::is_same_v<T, std::int16_t>) return ElementType::s16;
  if constexpr (std::is_same_v<T, std::uint32_t>) return ElementType::u32;
  if constexpr (std::is_same_v<T, std::int32_t>) return ElementType::s32;
  if constexpr (std::is_same_v<T, std::uint64_t>) return ElementType::u64;
  if constexpr (std::is_same_v<T, std::int64_t>) return ElementType::s64;
  if constexpr (std::is_same_v<T, float>) return ElementType::f32;
  if constexpr (std::is_same_v<T, double>) return ElementType::f64;
}

// Data for a reference: the "values" of the launch file, and its buffers with their initial contents. If the launch
// file swaps buffers, each buffer has its name after the last swap. The reference writes the expected contents of every
// output into the buffer with the output's name.
class KernelData {
 public:
  virtual ~KernelData() = default;

  // Return one of the "values" of the launch file. Both functions throw an exception if no value has this name.
  // integer() also throws if the value has a fraction.
  virtual std::int64_t integer(std::string_view name) const = 0;
  virtual double number(std::string_view name) const = 0;

  // Returns a buffer. Throws an exception if no buffer has this name, or if its elements are not of type
  // T.
  template <class T>
  std::span<T> buffer(std::string_view name) {
    const RawBuffer raw = raw_buffer(name, element_type_of<T>());
    return {static_cast<T*>(raw.data), raw.count};
  }

 protected:
  struct RawBuffer {
    void* data;
    std::size_t count;
  };
  virtual RawBuffer raw_buffer(std::string_view name, ElementType type) = 0;
};

using KernelReferenceFunction = void (*)(KernelData& data);

// All registered references. Key: the name of the kernel's folder.
std::map<std::string, KernelReferenceFunction, std::less<>>& kernel_references();

// A static object of this class in reference.cpp registers the kernel's reference. It is an error if two
// references have the same name.
struct KernelReference {
  KernelReference(const std::string& name, KernelReferenceFunction function) {
    if (!kernel_references().emplace(name, function).second) {
      throw std::logic_error("two kernel references are named '" + name + "'");
    }
  }
};

}  // namespace heddle::kernels
