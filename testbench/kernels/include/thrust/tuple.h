// SPDX-License-Identifier: Apache-2.0
// thrust's tuples and pairs, for host and device (Thrust's documentation, "Utility").
#pragma once

#include <tuple>
#include <utility>

#include "../../heddle_cc.h"
#include "version.h"

namespace thrust {

using std::make_pair;
using std::pair;

template <class... T>
class tuple;
template <>
class tuple<> {};

template <class Head, class... Tail>
class tuple<Head, Tail...> {
 public:
  tuple() = default;
  __host__ __device__ tuple(const Head& first, const Tail&... more) : head(first), tail(more...) {}
  template <class H, class... T, class = std::enable_if_t<sizeof...(T) == sizeof...(Tail)>>
  __host__ __device__ tuple(const tuple<H, T...>& other) : head(other.head), tail(other.tail) {}
  tuple(const tuple&) = default;
  // Also assigns through references.
  __host__ __device__ tuple& operator=(const tuple& other) {
    head = other.head;
    tail = other.tail;
    return *this;
  }
  template <class H, class... T>
  __host__ __device__ tuple& operator=(const tuple<H, T...>& other) {
    head = other.head;
    tail = other.tail;
    return *this;
  }

  Head head;
  tuple<Tail...> tail;
};

template <size_t i, class Tuple>
struct tuple_element;
template <size_t i, class Head, class... Tail>
struct tuple_element<i, tuple<Head, Tail...>> : tuple_element<i - 1, tuple<Tail...>> {};
template <class Head, class... Tail>
struct tuple_element<0, tuple<Head, Tail...>> {
  typedef Head type;
};
template <class Tuple>
struct tuple_size;
template <class... T>
struct tuple_size<tuple<T...>> {
  static constexpr size_t value = sizeof...(T);
};

template <int i, class Head, class... Tail>
__host__ __device__ auto& get(tuple<Head, Tail...>& of) {
  if constexpr (i == 0) {
    return of.head;
  } else {
    return get<i - 1>(of.tail);
  }
}
template <int i, class Head, class... Tail>
__host__ __device__ auto& get(const tuple<Head, Tail...>& of) {
  if constexpr (i == 0) {
    return of.head;
  } else {
    return get<i - 1>(of.tail);
  }
}
template <int i, class Head, class... Tail>
__host__ __device__ auto get(tuple<Head, Tail...>&& of) {
  return get<i>(of);
}

template <class... T>
__host__ __device__ tuple<T...> make_tuple(T... values) {
  return tuple<T...>(values...);
}
template <class... T>
__host__ __device__ tuple<T&...> tie(T&... values) {
  return tuple<T&...>(values...);
}

__host__ __device__ inline bool operator==(const tuple<>&, const tuple<>&) { return true; }
__host__ __device__ inline bool operator<(const tuple<>&, const tuple<>&) { return false; }
template <class H, class... T, class G, class... S>
__host__ __device__ bool operator==(const tuple<H, T...>& a, const tuple<G, S...>& b) {
  return a.head == b.head && a.tail == b.tail;
}
template <class H, class... T, class G, class... S>
__host__ __device__ bool operator<(const tuple<H, T...>& a, const tuple<G, S...>& b) {
  return a.head < b.head || (!(b.head < a.head) && a.tail < b.tail);
}
template <class H, class... T, class G, class... S>
__host__ __device__ bool operator!=(const tuple<H, T...>& a, const tuple<G, S...>& b) {
  return !(a == b);
}

}  // namespace thrust
