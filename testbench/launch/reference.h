#pragma once

// The untimed reference as a library: runs the kernels of a PTX text with arguments from a C++ program. The
// interface of class `Reference` is stable: it does not change within a version of Heddle.
//
//   heddle::Reference reference(ptx_text);
//   const auto x = reference.upload(values);
//   reference.launch("scale", {.grid = {4}, .block = {256}}, {x, 2.0f, 1000u});
//   values = reference.download<float>(x, values.size());
//
// Errors are exceptions of type heddle::Error. They are thrown for text that is not PTX, for unsupported
// kernels, for arguments that do not fit, and for the errors listed in models/reference/reference.h (accesses
// out of bounds, barriers that cannot complete, ...).

#include <concepts>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "models/reference/reference.h"

namespace heddle {

/// An address in the memory of a Reference object. A kernel receives it with 4 or 8 bytes, as the parameter's
/// type requires.
struct DeviceAddress {
  std::uint64_t value = 0;
  DeviceAddress operator+(std::uint64_t bytes) const { return {value + bytes}; }
};

/// An argument that requests dynamic shared memory of this many bytes. The kernel receives the address of
/// this memory (a __local pointer of OpenCL).
struct SharedBytes {
  std::uint32_t value = 0;
};

class Reference {
 public:
  /// One kernel argument: a number, the bytes of a structure, an address, or shared memory. Integers and
  /// addresses are converted to the size of the parameter if their values fit. All other arguments must have
  /// exactly the parameter's size.
  class Argument {
   public:
    template <std::integral T>
    Argument(T value)
        : kind_(Kind::integer), integer_(static_cast<std::uint64_t>(value)), negative_(value < T{}) {}
    Argument(DeviceAddress address) : kind_(Kind::integer), integer_(address.value) {}
    Argument(SharedBytes bytes) : kind_(Kind::shared), integer_(bytes.value) {}
    template <class T>
    requires(std::is_trivially_copyable_v<T> && !std::integral<T> && !std::is_pointer_v<T>)
        Argument(const T& value)
        : kind_(Kind::bytes), bytes_(sizeof value) {
      std::memcpy(bytes_.data(), &value, sizeof value);
    }

   private:
    friend class Reference;
    enum class Kind : std::uint8_t { integer, shared, bytes };
    Kind kind_;
    std::uint64_t integer_ = 0;
    bool negative_ = false;
    std::vector<std::uint8_t> bytes_;
  };

  struct Shape {
    isa::Dim3 grid, block;
    std::uint32_t shared_bytes = 0;
    bool cooperative = false;  ///< CTAs may wait for each other, so all must be resident at once.
  };

  explicit Reference(std::string_view ptx, const std::string& name = "PTX");
  ~Reference();
  Reference(const Reference&) = delete;
  Reference& operator=(const Reference&) = delete;

  /// Allocates memory that contains zeros. The memory's address is a multiple of 256 or more, and the space
  /// before and after the memory is unmapped. `bytes` must be above 0.
  DeviceAddress allocate(std::uint64_t bytes);
  void write(DeviceAddress to, const void* from, std::uint64_t bytes);
  void read(DeviceAddress from, void* to, std::uint64_t bytes) const;
  DeviceAddress variable(const std::string& name) const;

  template <class T>
  requires std::is_trivially_copyable_v<T> DeviceAddress upload(const std::vector<T>& values) {
    const DeviceAddress address = allocate(values.size() * sizeof(T));
    write(address, values.data(), values.size() * sizeof(T));
    return address;
  }
  template <class T>
  requires std::is_trivially_copyable_v<T> std::vector<T> download(DeviceAddress from, std::size_t count)
  const {
    std::vector<T> values(count);
    read(from, values.data(), count * sizeof(T));
    return values;
  }

  /// Runs all CTAs of a launch. `kernel`: the mangled name, or the plain name if only one kernel has this
  /// plain name.
  reference::ReferenceResult launch(const std::string& kernel, const Shape& shape,
                                    std::initializer_list<Argument> arguments = {});

  /// Returns the options of later launches, such as limits and observers. The caller may change them.
  reference::ReferenceOptions& options();
  std::string take_printed();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace heddle
