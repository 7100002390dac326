// C++ references of the kernels in this folder: what a kernel's launch program must compute, written
// independently of its PTX. A kernel's reference.cpp registers one function under the folder's name; a test
// runs it on the data that the launch file describes and compares the launch's outputs with what the function
// left in the buffers.
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

// Element types of the launch format's buffers.
enum class ElementType { u8, s8, u16, s16, u32, s32, u64, s64, f32, f64 };

// The element type of the C++ type T, which must be one of the fixed-width integers, float or double.
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

// The launch program's data as a reference sees it: the file's "values" and its buffers, initialised as the
// file says. The function leaves the expected contents of every output in the buffer of that name, the names
// as they stand at the program's end (after swaps); what it leaves in other buffers does not matter.
class KernelData {
 public:
  virtual ~KernelData() = default;

  // The entry `name` of "values". Throws if there is none or, for integer(), if it has a fraction.
  virtual std::int64_t integer(std::string_view name) const = 0;
  virtual double number(std::string_view name) const = 0;

  // The buffer `name`. Throws if there is none or if its elements are not of type T.
  template <class T>
  std::span<T> buffer(std::string_view name) {
    const RawBuffer raw = raw_buffer(name, element_type_of<T>());
    return {static_cast<T*>(raw.data), raw.count};
  }

 protected:
  struct RawBuffer {
    void* data;
    std::size_t count;  // elements
  };
  virtual RawBuffer raw_buffer(std::string_view name, ElementType type) = 0;
};

using KernelReferenceFunction = void (*)(KernelData& data);

// Every registered reference by its kernel's folder name.
std::map<std::string, KernelReferenceFunction, std::less<>>& kernel_references();

// A static object of this type in reference.cpp registers the kernel's reference. Two of one name are an
// error.
struct KernelReference {
  KernelReference(const std::string& name, KernelReferenceFunction function) {
    if (!kernel_references().emplace(name, function).second) {
      throw std::logic_error("two kernel references are named '" + name + "'");
    }
  }
};

}  // namespace heddle::kernels
