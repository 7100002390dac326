#pragma once

// Containers whose index is an Id or an enumerator, so that a wrong index does not compile: an
// IndexedVector<WarpId, WarpState> cannot be indexed by a BankId.

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

#include "models/core/ids.h"

namespace heddle {

template <class Tag>
constexpr std::size_t index_of(Id<Tag> id) {
  return id.value;
}
template <class Enum>
requires std::is_enum_v<Enum>
constexpr std::size_t index_of(Enum e) { return static_cast<std::size_t>(e); }

template <class Key>
concept IndexKey = requires(Key key) {
  { index_of(key) } -> std::same_as<std::size_t>;
};

template <IndexKey Key>
constexpr Key key_at(std::size_t i) {
  if constexpr (std::is_enum_v<Key>)
    return static_cast<Key>(i);
  else
    return Key(static_cast<std::uint32_t>(i));
}

template <IndexKey Key, class T>
class IndexedVector {
 public:
  IndexedVector() = default;
  explicit IndexedVector(std::size_t size) : items_(size) {}
  IndexedVector(std::size_t size, const T& value) : items_(size, value) {}

  decltype(auto) operator[](Key key) { return items_[index_of(key)]; }
  decltype(auto) operator[](Key key) const { return items_[index_of(key)]; }

  bool contains(Key key) const { return index_of(key) < items_.size(); }
  bool empty() const { return items_.empty(); }
  std::size_t size() const { return items_.size(); }
  void reserve(std::size_t size) { items_.reserve(size); }
  void resize(std::size_t size) { items_.resize(size); }
  void assign(std::size_t size, const T& value) { items_.assign(size, value); }

  template <class... Args>
  Key emplace_back(Args&&... args) {
    items_.emplace_back(std::forward<Args>(args)...);
    return key_at<Key>(items_.size() - 1);
  }

  auto begin() { return items_.begin(); }
  auto end() { return items_.end(); }
  auto begin() const { return items_.begin(); }
  auto end() const { return items_.end(); }
  auto& back() { return items_.back(); }
  const std::vector<T>& items() const { return items_; }

 private:
  std::vector<T> items_;
};

template <IndexKey Key, class T, std::size_t N>
struct IndexedArray {
  std::array<T, N> items{};

  constexpr T& operator[](Key key) { return items[index_of(key)]; }
  constexpr const T& operator[](Key key) const { return items[index_of(key)]; }
  static constexpr std::size_t size() { return N; }
  constexpr auto begin() { return items.begin(); }
  constexpr auto end() { return items.end(); }
  constexpr auto begin() const { return items.begin(); }
  constexpr auto end() const { return items.end(); }
  constexpr void fill(const T& value) { items.fill(value); }
  friend constexpr bool operator==(const IndexedArray&, const IndexedArray&) = default;
};

/// All indices of a container of `size` items: for (const BankId bank : keys<BankId>(banks.size())).
template <IndexKey Key>
class keys {
 public:
  constexpr explicit keys(std::size_t size) : size_(size) {}
  class Iterator {
   public:
    constexpr explicit Iterator(std::size_t i) : i_(i) {}
    constexpr Key operator*() const { return key_at<Key>(i_); }
    constexpr Iterator& operator++() { return ++i_, *this; }
    friend constexpr bool operator==(Iterator, Iterator) = default;

   private:
    std::size_t i_;
  };
  constexpr Iterator begin() const { return Iterator(0); }
  constexpr Iterator end() const { return Iterator(size_); }

 private:
  std::size_t size_;
};

}  // namespace heddle
