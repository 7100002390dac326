// SPDX-License-Identifier: Apache-2.0
// thrust's device pointers and iterators (Thrust's documentation, "Iterators"). raw() converts an iterator
// for use in kernels: it replaces device_ptr by plain pointers at every depth.
#pragma once

#include <iterator>

#include "functional.h"
#include "tuple.h"

namespace thrust {

template <class T>
class device_ptr;

/// Refers, on the host, to a value in device memory. Reads and writes copy the value.
template <class T>
class device_reference {
 public:
  explicit device_reference(T* at) : at_(at) {}
  device_reference(const device_reference&) = default;
  operator T() const {
    typename std::remove_const<T>::type value;
    cudaMemcpy((void*)&value, (const void*)at_, sizeof(T), cudaMemcpyDeviceToHost);
    return value;
  }
  device_reference& operator=(const T& value) {
    cudaMemcpy((void*)at_, (const void*)&value, sizeof(T), cudaMemcpyHostToDevice);
    return *this;
  }
  device_reference& operator=(const device_reference& other) { return *this = (T)other; }
#define HEDDLE_CC_ASSIGNMENT(op) \
  device_reference& operator op##=(const T& value) { return *this = (T)((T) * this op value); }
  HEDDLE_CC_ASSIGNMENT(+)
  HEDDLE_CC_ASSIGNMENT(-)
  HEDDLE_CC_ASSIGNMENT(*)
  HEDDLE_CC_ASSIGNMENT(/)
  HEDDLE_CC_ASSIGNMENT(%)
  HEDDLE_CC_ASSIGNMENT(&)
  HEDDLE_CC_ASSIGNMENT(|)
  HEDDLE_CC_ASSIGNMENT(^)
  HEDDLE_CC_ASSIGNMENT(<<)
  HEDDLE_CC_ASSIGNMENT(>>)
#undef HEDDLE_CC_ASSIGNMENT
  device_reference& operator++() { return *this += 1; }
  device_reference& operator--() { return *this -= 1; }
  T operator++(int) {
    const T old = *this;
    *this += 1;
    return old;
  }
  T operator--(int) {
    const T old = *this;
    *this -= 1;
    return old;
  }
  device_ptr<T> operator&() const { return device_ptr<T>(at_); }

 private:
  T* at_;
};

/// Members that all random-access iterators have, based on `at(n)`, `step(n)` and `from(other)`.
#define HEDDLE_CC_ITERATOR(name)                                                           \
  typedef ptrdiff_t difference_type;                                                       \
  typedef std::random_access_iterator_tag iterator_category;                               \
  __host__ __device__ decltype(auto) operator*() const { return at(0); }                   \
  __host__ __device__ decltype(auto) operator[](difference_type n) const { return at(n); } \
  __host__ __device__ name& operator+=(difference_type n) { return step(n), *this; }       \
  __host__ __device__ name& operator-=(difference_type n) { return step(-n), *this; }      \
  __host__ __device__ name& operator++() { return step(1), *this; }                        \
  __host__ __device__ name& operator--() { return step(-1), *this; }                       \
  __host__ __device__ name operator++(int) {                                               \
    name old(*this);                                                                       \
    return step(1), old;                                                                   \
  }                                                                                        \
  __host__ __device__ name operator+(difference_type n) const { return name(*this) += n; } \
  __host__ __device__ name operator-(difference_type n) const { return name(*this) -= n; } \
  __host__ __device__ difference_type operator-(const name& o) const { return from(o); }   \
  __host__ __device__ bool operator==(const name& o) const { return from(o) == 0; }        \
  __host__ __device__ bool operator!=(const name& o) const { return from(o) != 0; }        \
  __host__ __device__ bool operator<(const name& o) const { return from(o) < 0; }

template <class T>
class device_ptr {
 public:
  typedef typename std::remove_const<T>::type value_type;
  typedef device_reference<T> reference;
  typedef device_ptr pointer;
  HEDDLE_CC_ITERATOR(device_ptr)
  device_ptr() = default;
  __host__ __device__ explicit device_ptr(T* at) : at_(at) {}
  template <class U, class = std::enable_if_t<std::is_convertible<U*, T*>::value>>
  __host__ __device__ device_ptr(const device_ptr<U>& other) : at_(other.get()) {}
  __host__ __device__ T* get() const { return at_; }
  explicit operator bool() const { return at_; }

 private:
  __host__ device_reference<T> at(difference_type n) const { return device_reference<T>(at_ + n); }
  __host__ __device__ void step(difference_type n) { at_ += n; }
  __host__ __device__ difference_type from(const device_ptr& o) const { return at_ - o.at_; }
  T* at_ = nullptr;
};
template <class T>
__host__ __device__ device_ptr<T> device_pointer_cast(T* at) {
  return device_ptr<T>(at);
}
template <class T>
__host__ __device__ device_ptr<T> device_pointer_cast(device_ptr<T> at) {
  return at;
}
template <class T>
__host__ __device__ T* raw_pointer_cast(device_ptr<T> at) {
  return at.get();
}
template <class T>
__host__ __device__ T* raw_pointer_cast(T* at) {
  return at;
}

template <class T, class = void, class = void, class = void>
class counting_iterator {
 public:
  typedef T value_type;
  typedef T reference;
  typedef const T* pointer;
  HEDDLE_CC_ITERATOR(counting_iterator)
  counting_iterator() = default;
  __host__ __device__ explicit counting_iterator(T first) : first_(first) {}

 private:
  __host__ __device__ T at(difference_type n) const { return (T)(first_ + n); }
  __host__ __device__ void step(difference_type n) { first_ = (T)(first_ + n); }
  __host__ __device__ difference_type from(const counting_iterator& o) const {
    return (difference_type)first_ - (difference_type)o.first_;
  }
  T first_;
};
template <class T>
__host__ __device__ counting_iterator<T> make_counting_iterator(T first) {
  return counting_iterator<T>(first);
}

template <class T, class = void, class = void>
class constant_iterator {
 public:
  typedef T value_type;
  typedef T reference;
  typedef const T* pointer;
  HEDDLE_CC_ITERATOR(constant_iterator)
  __host__ __device__ constant_iterator(T value, ptrdiff_t place = 0) : value_(value), place_(place) {}

 private:
  __host__ __device__ T at(difference_type) const { return value_; }
  __host__ __device__ void step(difference_type n) { place_ += n; }
  __host__ __device__ difference_type from(const constant_iterator& o) const { return place_ - o.place_; }
  T value_;
  ptrdiff_t place_;
};
template <class T>
__host__ __device__ constant_iterator<T> make_constant_iterator(T value) {
  return constant_iterator<T>(value);
}

/// Drops the values that are written to it.
class discard_iterator {
 public:
  struct Sink {
    template <class T>
    __host__ __device__ const Sink& operator=(const T&) const {
      return *this;
    }
  };
  typedef Sink value_type;
  typedef Sink reference;
  typedef Sink* pointer;
  HEDDLE_CC_ITERATOR(discard_iterator)
  __host__ __device__ explicit discard_iterator(ptrdiff_t place = 0) : place_(place) {}

 private:
  __host__ __device__ Sink at(difference_type) const { return {}; }
  __host__ __device__ void step(difference_type n) { place_ += n; }
  __host__ __device__ difference_type from(const discard_iterator& o) const { return place_ - o.place_; }
  ptrdiff_t place_;
};
inline discard_iterator make_discard_iterator() { return discard_iterator(); }

template <class Function, class Base, class = void, class = void>
class transform_iterator {
 public:
  typedef typename std::decay<decltype(std::declval<Function>()(
      std::declval<typename std::iterator_traits<Base>::value_type>()))>::type value_type;
  typedef value_type reference;
  typedef const value_type* pointer;
  HEDDLE_CC_ITERATOR(transform_iterator)
  __host__ __device__ explicit transform_iterator(Base base, Function function = Function())
      : base_(base), function_(function) {}
  __host__ __device__ const Base& base() const { return base_; }
  __host__ __device__ const Function& functor() const { return function_; }

 private:
  __host__ __device__ value_type at(difference_type n) const { return function_(base_[n]); }
  __host__ __device__ void step(difference_type n) { base_ += n; }
  __host__ __device__ difference_type from(const transform_iterator& o) const { return base_ - o.base_; }
  Base base_;
  mutable Function function_;  // its operator() may be non-const
};
template <class Function, class Base>
__host__ __device__ transform_iterator<Function, Base> make_transform_iterator(Base base, Function function) {
  return transform_iterator<Function, Base>(base, function);
}

template <class Base, class Places>
class permutation_iterator {
 public:
  typedef typename std::iterator_traits<Base>::value_type value_type;
  typedef typename std::iterator_traits<Base>::reference reference;
  typedef typename std::iterator_traits<Base>::pointer pointer;
  HEDDLE_CC_ITERATOR(permutation_iterator)
  __host__ __device__ permutation_iterator(Base base, Places places) : base_(base), places_(places) {}
  __host__ __device__ const Base& base() const { return base_; }
  __host__ __device__ const Places& places() const { return places_; }

 private:
  __host__ __device__ decltype(auto) at(difference_type n) const { return base_[places_[n]]; }
  __host__ __device__ void step(difference_type n) { places_ += n; }
  __host__ __device__ difference_type from(const permutation_iterator& o) const {
    return places_ - o.places_;
  }
  Base base_;
  Places places_;
};
template <class Base, class Places>
__host__ __device__ permutation_iterator<Base, Places> make_permutation_iterator(Base base, Places places) {
  return permutation_iterator<Base, Places>(base, places);
}

template <class Tuple>
class zip_iterator;
/// An iterator whose values are tuples; tuples of references if the iterators have references.
template <class... Base>
class zip_iterator<tuple<Base...>> {
 public:
  typedef tuple<typename std::iterator_traits<Base>::value_type...> value_type;
  typedef tuple<typename std::iterator_traits<Base>::reference...> reference;
  typedef value_type* pointer;
  HEDDLE_CC_ITERATOR(zip_iterator)
  __host__ __device__ explicit zip_iterator(const tuple<Base...>& bases) : bases_(bases) {}
  __host__ __device__ const tuple<Base...>& get_iterator_tuple() const { return bases_; }

 private:
  template <size_t... i>
  __host__ __device__ reference of(difference_type n, std::index_sequence<i...>) const {
    return reference(get<i>(bases_)[n]...);
  }
  template <size_t... i>
  __host__ __device__ void move(difference_type n, std::index_sequence<i...>) {
    ((get<i>(bases_) += n), ...);
  }
  using All = std::index_sequence_for<Base...>;
  __host__ __device__ reference at(difference_type n) const { return of(n, All()); }
  __host__ __device__ void step(difference_type n) { move(n, All()); }
  __host__ __device__ difference_type from(const zip_iterator& o) const {
    return get<0>(bases_) - get<0>(o.bases_);
  }
  tuple<Base...> bases_;
};
template <class... Base>
__host__ __device__ zip_iterator<tuple<Base...>> make_zip_iterator(const tuple<Base...>& bases) {
  return zip_iterator<tuple<Base...>>(bases);
}
template <class... Base>
__host__ __device__ auto make_zip_iterator(Base... bases) -> zip_iterator<tuple<Base...>> {
  return zip_iterator<tuple<Base...>>(tuple<Base...>(bases...));
}
#undef HEDDLE_CC_ITERATOR

template <class It>
using iterator_value_t = typename std::iterator_traits<It>::value_type;
template <class It>
struct iterator_value {
  typedef iterator_value_t<It> type;
};
template <class It>
struct iterator_difference {
  typedef typename std::iterator_traits<It>::difference_type type;
};
template <class It>
__host__ __device__ ptrdiff_t distance(It first, It last) {
  return last - first;
}
template <class It>
__host__ __device__ void advance(It& it, ptrdiff_t n) {
  it += n;
}

}  // namespace thrust
