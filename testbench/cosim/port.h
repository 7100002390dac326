#pragma once

// A port of a Verilated block, and the values of a port. The port has up to 1,024 bits, in the storage that
// Verilator chose.

#include <array>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <type_traits>

#include "models/core/lanes.h"

namespace heddle::cosim {

class Port {
 public:
  /// `storage`: the port's variable in Verilator's type, which is an unsigned integer or an array of 32-bit
  /// words.
  template <class Storage>
  Port(std::string port_name, int width, bool output, Storage& storage)
      : name_(std::move(port_name)),
        width_(width),
        output_(output),
        bytes_(static_cast<int>(sizeof storage)),
        storage_(&storage) {}

  const std::string& name() const { return name_; }
  int width() const { return width_; }
  bool output() const { return output_; }

  /// Returns bits `low` to low + width - 1 of the port; `width` is at most 64.
  std::uint64_t field(int low, int width) const {
    return width_ <= 64 ? integer() >> low & low_bits(width) : wide_field(low, width);
  }
  /// Sets bits `low` to low + width - 1 of the port. Throws InternalError if the value does not fit.
  void put_field(int low, int width, std::uint64_t value) {
    if (value & ~low_bits(width)) [[unlikely]]
      does_not_fit(value, width);
    if (width_ <= 64)
      put_integer((integer() & ~(low_bits(width) << low)) | value << low);
    else
      put_wide_field(low, width, value);
  }
  void clear() { std::memset(storage_, 0, static_cast<std::size_t>(bytes_)); }

  std::uint64_t element(int i, int count) const {
    const int width = element_width(count);
    return field(i * width, width);
  }
  void put_element(int i, int count, std::uint64_t value) {
    const int width = element_width(count);
    put_field(i * width, width, value);
  }
  /// Returns the width of an element if the port is divided into `count` equal elements. Throws InternalError
  /// if this is impossible, or if an element has more than 64 bits.
  int element_width(int count) const {
    const int width = width_ / count;
    if (width * count != width_ || width > 64) [[unlikely]]
      not_so_many(count);
    return width;
  }
  std::uint32_t* lanes() const {
    return width_ == 32 * kLanes ? static_cast<std::uint32_t*>(storage_) : nullptr;
  }

 private:
  static constexpr std::uint64_t low_bits(int width) {
    return width >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1;
  }
  // Returns the port as one integer. Ports of more than 64 bits are arrays of 32-bit words, and not read
  // here.
  std::uint64_t integer() const {
    switch (bytes_) {
      case 1:
        return *static_cast<const std::uint8_t*>(storage_);
      case 2:
        return *static_cast<const std::uint16_t*>(storage_);
      case 4:
        return *static_cast<const std::uint32_t*>(storage_);
      default:
        return *static_cast<const std::uint64_t*>(storage_);
    }
  }
  void put_integer(std::uint64_t value) {
    switch (bytes_) {
      case 1:
        *static_cast<std::uint8_t*>(storage_) = static_cast<std::uint8_t>(value);
        break;
      case 2:
        *static_cast<std::uint16_t*>(storage_) = static_cast<std::uint16_t>(value);
        break;
      case 4:
        *static_cast<std::uint32_t*>(storage_) = static_cast<std::uint32_t>(value);
        break;
      default:
        *static_cast<std::uint64_t*>(storage_) = value;
    }
  }
  std::uint64_t wide_field(int low, int width) const;
  void put_wide_field(int low, int width, std::uint64_t value);
  [[noreturn]] void not_so_many(int count) const;
  [[noreturn]] void does_not_fit(std::uint64_t value, int width) const;

  std::string name_;
  int width_;
  bool output_;
  int bytes_;
  void* storage_;
};

/// A value for a port. It consists of elements of equal width; element 0 is in the lowest bits. A value
/// without elements means that the port is not compared.
class Elements {
 public:
  static constexpr int kMost = 64;

  Elements() = default;
  template <class T>
  requires(std::is_integral_v<T> || std::is_enum_v<T>) Elements(T value) {
    add(static_cast<std::uint64_t>(value));
  }
  template <class T, std::size_t n>
  requires(n <= kMost) Elements(const std::array<T, n>& values) {
    for (const T& value : values) add(static_cast<std::uint64_t>(value));
  }
  Elements(const LaneVec& lanes, LaneMask compared = kAllLanes);
  template <class T>
  Elements(const std::optional<T>& value) {
    if (value) *this = Elements(*value);
  }

  int count() const { return count_; }
  std::uint64_t operator[](int element) const { return values_[static_cast<std::size_t>(element)]; }
  bool is_compared(int element) const { return compared_ >> element & 1; }
  void add(std::uint64_t value) { values_[static_cast<std::size_t>(count_++)] = value; }

  template <class T>
  T as() const {
    T value{};
    if constexpr (std::is_integral_v<T> || std::is_enum_v<T>)
      value = static_cast<T>(values_[0]);
    else
      for (int i = 0; i < count_of<T>(); ++i)
        element_of(value, i) = static_cast<std::remove_cvref_t<decltype(element_of(value, 0))>>((*this)[i]);
    return value;
  }
  template <class T>
  static constexpr int count_of() {
    if constexpr (std::is_same_v<T, LaneVec>)
      return kLanes;
    else if constexpr (std::is_integral_v<T> || std::is_enum_v<T>)
      return 1;
    else
      return static_cast<int>(std::tuple_size_v<T>);
  }

 private:
  static std::uint32_t& element_of(LaneVec& lanes, int i) { return lanes[i]; }
  template <class T, std::size_t n>
  static T& element_of(std::array<T, n>& values, int i) {
    return values[static_cast<std::size_t>(i)];
  }

  int count_ = 0;
  std::uint64_t compared_ = ~std::uint64_t{0};  ///< Bit i is set if element i is compared.
  std::array<std::uint64_t, kMost> values_;
};

/// Sets the port to the elements. Throws InternalError if they do not fit.
void put_elements(Port& port, const Elements& value);
Elements elements_of(const Port& port, int count);
/// Returns the index of the first element in which port and value differ; -1 if they are equal or not
/// compared.
int difference(const Port& port, const Elements& value);

}  // namespace heddle::cosim
