#pragma once

// A port of a Verilated block, up to 1,024 bits in Verilator's storage, and the conversion of the model's
// values to port bits. A value is a number, or a list of elements of equal width with element 0 in the lowest
// bits. Lists are std::array, Elements (whose length the instance sets) and the lanes of a register.

#include <array>
#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>

#include "models/core/lanes.h"

namespace heddle::cosim {

class Port {
 public:
  /// `storage` is Verilator's type of the port: an unsigned integer, or 32-bit words.
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

  /// Returns the bits [low, low + width), at most 64 of them.
  std::uint64_t field(int low, int width) const {
    return width_ <= 64 ? integer() >> low & low_bits(width) : wide_field(low, width);
  }
  /// Sets these bits. Throws InternalError if the value does not fit.
  void put_field(int low, int width, std::uint64_t value) {
    if (value & ~low_bits(width)) [[unlikely]]
      does_not_fit(value, width);
    if (width_ <= 64)
      put_integer((integer() & ~(low_bits(width) << low)) | value << low);
    else
      put_wide_field(low, width, value);
  }
  void clear() { std::memset(storage_, 0, static_cast<std::size_t>(bytes_)); }

  /// Returns element `i` of `count` elements.
  std::uint64_t element(int i, int count) const {
    const int width = element_width(count);
    return field(i * width, width);
  }
  void put_element(int i, int count, std::uint64_t value) {
    const int width = element_width(count);
    put_field(i * width, width, value);
  }
  /// Returns the width of an element. Throws InternalError if the port does not divide into `count` elements
  /// of equal width and at most 64 bits.
  int element_width(int count) const {
    const int width = width_ / count;
    if (width * count != width_ || width > 64) [[unlikely]]
      not_so_many(count);
    return width;
  }
  /// Returns the port's 32 words if it holds the lanes of a register, otherwise nullptr.
  std::uint32_t* lanes() const {
    return width_ == 32 * kLanes ? static_cast<std::uint32_t*>(storage_) : nullptr;
  }

 private:
  static constexpr std::uint64_t low_bits(int width) {
    return width >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1;
  }
  // Ports of up to 64 bits are one integer. Wider ports are words of 32 bits.
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

/// Elements of equal width. The instance sets their number.
struct Elements {
  int count = 0;
  std::array<std::uint64_t, 64> value;  // the first `count` are valid
  void add(std::uint64_t v) { value[static_cast<std::size_t>(count++)] = v; }
};

/// Lanes of a register, of which only those in `mask` are compared.
struct MaskedLanes {
  const LaneVec* lanes = nullptr;
  LaneMask mask = kAllLanes;
};

/// Converts values of type `T` to a port: count(), get(element), set(element), cares(element).
template <class T>
struct ValueOf {  // for numbers, enumerations and bool
  static int count(const T&) { return 1; }
  static std::uint64_t get(const T& v, int) { return static_cast<std::uint64_t>(v); }
  static void set(T& v, int, std::uint64_t bits) { v = static_cast<T>(bits); }
  static bool cares(const T&, int) { return true; }
};
template <class T, std::size_t n>
struct ValueOf<std::array<T, n>> {
  static int count(const std::array<T, n>&) { return static_cast<int>(n); }
  static std::uint64_t get(const std::array<T, n>& v, int i) {
    return static_cast<std::uint64_t>(v[static_cast<std::size_t>(i)]);
  }
  static void set(std::array<T, n>& v, int i, std::uint64_t bits) {
    v[static_cast<std::size_t>(i)] = static_cast<T>(bits);
  }
  static bool cares(const std::array<T, n>&, int) { return true; }
};
template <>
struct ValueOf<Elements> {
  static int count(const Elements& v) { return v.count; }
  static std::uint64_t get(const Elements& v, int i) { return v.value[static_cast<std::size_t>(i)]; }
  static void set(Elements& v, int i, std::uint64_t bits) { v.value[static_cast<std::size_t>(i)] = bits; }
  static bool cares(const Elements&, int) { return true; }
};
template <>
struct ValueOf<LaneVec> {
  static int count(const LaneVec&) { return kLanes; }
  static std::uint64_t get(const LaneVec& v, int i) { return v[i]; }
  static void set(LaneVec& v, int i, std::uint64_t bits) { v[i] = static_cast<std::uint32_t>(bits); }
  static bool cares(const LaneVec&, int) { return true; }
};
template <>
struct ValueOf<MaskedLanes> {
  static int count(const MaskedLanes&) { return kLanes; }
  static std::uint64_t get(const MaskedLanes& v, int i) { return (*v.lanes)[i]; }
  static bool cares(const MaskedLanes& v, int i) { return v.mask >> i & 1; }
};

template <class T>
void put_value(Port& port, const T& value) {
  if constexpr (std::is_same_v<T, LaneVec>) {
    if (std::uint32_t* words = port.lanes()) {
      std::memcpy(words, value.lane, sizeof value.lane);
      return;
    }
  }
  const int count = ValueOf<T>::count(value);
  for (int i = 0; i < count; ++i) port.put_element(i, count, ValueOf<T>::get(value, i));
}

/// Returns the index of the first element that differs from the port; -1 if all agree.
template <class T>
int difference(const Port& port, const T& value) {
  if constexpr (std::is_same_v<T, LaneVec>) {
    const std::uint32_t* words = port.lanes();
    if (words && std::memcmp(words, value.lane, sizeof value.lane) == 0) return -1;
  }
  const int count = ValueOf<T>::count(value);
  for (int i = 0; i < count; ++i)
    if (ValueOf<T>::cares(value, i) && port.element(i, count) != ValueOf<T>::get(value, i)) return i;
  return -1;
}

template <class T>
void get_value(const Port& port, T& value) {
  const int count = ValueOf<T>::count(value);
  for (int i = 0; i < count; ++i) ValueOf<T>::set(value, i, port.element(i, count));
}

}  // namespace heddle::cosim
