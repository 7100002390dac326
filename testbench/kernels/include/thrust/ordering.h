// SPDX-License-Identifier: Apache-2.0
// thrust's algorithms of ordering and selection: sorts, searches, extremes, removal, and runs of equal keys
// (Thrust's documentation, "Algorithms"). Sorts are stable. The first argument may be an execution policy.
#pragma once

#include "algorithms.h"

namespace thrust {

// A sort packs its keys and values into arrays, sorts the arrays and writes the result back.

template <class Place, class Keys, class Values, class Less, class = IfPolicy<Place>>
__host__ __device__ void stable_sort_by_key(const Place& place, Keys first, Keys last, Values values,
                                            Less less) {
  using Key = iterator_value_t<Keys>;
  using Value = iterator_value_t<Values>;
  const size_t n = last - first;
  typename Place::template Temporary<Key> keys(n);
  typename Place::template Temporary<Value> beside(n);
  thrust::copy(place, first, last, keys.data);
  thrust::copy(place, values, values + n, beside.data);
  place.sort(keys.data, beside.data, n, less);
  thrust::copy(place, (const Key*)keys.data, (const Key*)keys.data + n, first);
  thrust::copy(place, (const Value*)beside.data, (const Value*)beside.data + n, values);
}
template <class Place, class Keys, class Values, class = IfPolicy<Place>>
__host__ __device__ void stable_sort_by_key(const Place& place, Keys first, Keys last, Values values) {
  thrust::stable_sort_by_key(place, first, last, values, less<>());
}
template <class Place, class It, class Less, class = IfPolicy<Place>>
__host__ __device__ void stable_sort(const Place& place, It first, It last, Less less) {
  using Key = iterator_value_t<It>;
  const size_t n = last - first;
  typename Place::template Temporary<Key> keys(n);
  thrust::copy(place, first, last, keys.data);
  place.sort(keys.data, (heddle_cc::parallel::Nothing*)nullptr, n, less);
  thrust::copy(place, (const Key*)keys.data, (const Key*)keys.data + n, first);
}
template <class Place, class It, class = IfPolicy<Place>>
__host__ __device__ void stable_sort(const Place& place, It first, It last) {
  thrust::stable_sort(place, first, last, less<>());
}
template <class Place, class... Arguments, class = IfPolicy<Place>>
__host__ __device__ void sort(const Place& place, Arguments... arguments) {
  thrust::stable_sort(place, arguments...);
}
template <class Place, class... Arguments, class = IfPolicy<Place>>
__host__ __device__ void sort_by_key(const Place& place, Arguments... arguments) {
  thrust::stable_sort_by_key(place, arguments...);
}
template <class Place, class It, class Less, class = IfPolicy<Place>>
__host__ __device__ bool is_sorted(const Place& place, It first, It last, Less less) {
  const auto in = raw(first);
  const size_t n = last - first;
  return n < 2 || thrust::none_of(place, counting_iterator<size_t>(1), counting_iterator<size_t>(n),
                                  [=] __host__ __device__(size_t i) { return less(in[i], in[i - 1]); });
}
template <class Place, class It, class = IfPolicy<Place>>
__host__ __device__ bool is_sorted(const Place& place, It first, It last) {
  return thrust::is_sorted(place, first, last, less<>());
}

// Searches for an element: reductions over indices find its position.

/// Finds the first element that no other element precedes.
template <class In, class Less>
struct FirstOf {
  In in;
  Less less;
  __host__ __device__ ptrdiff_t operator()(ptrdiff_t a, ptrdiff_t b) const {
    return less(in[b], in[a]) ? b : a;
  }
};
template <class Place, class It, class Less, class = IfPolicy<Place>>
__host__ __device__ It min_element(const Place& place, It first, It last, Less less) {
  if (first == last) return last;
  const FirstOf<decltype(raw(first)), Less> earlier{raw(first), less};
  return first + place.template fold_some<ptrdiff_t>(counting_iterator<ptrdiff_t>(0), last - first, earlier);
}
template <class Less>
struct Turned {
  Less less;
  template <class A, class B>
  __host__ __device__ bool operator()(const A& a, const B& b) const {
    return less(b, a);
  }
};
template <class Place, class It, class Less, class = IfPolicy<Place>>
__host__ __device__ It max_element(const Place& place, It first, It last, Less less) {
  return thrust::min_element(place, first, last, Turned<Less>{less});
}
template <class Place, class It, class = IfPolicy<Place>>
__host__ __device__ It min_element(const Place& place, It first, It last) {
  return thrust::min_element(place, first, last, less<>());
}
template <class Place, class It, class = IfPolicy<Place>>
__host__ __device__ It max_element(const Place& place, It first, It last) {
  return thrust::max_element(place, first, last, less<>());
}
template <class Place, class It, class... Less, class = IfPolicy<Place>>
__host__ __device__ pair<It, It> minmax_element(const Place& place, It first, It last, Less... less) {
  return {thrust::min_element(place, first, last, less...), thrust::max_element(place, first, last, less...)};
}
template <class Place, class It, class Condition, class = IfPolicy<Place>>
__host__ __device__ It find_if(const Place& place, It first, It last, Condition condition) {
  const auto in = raw(first);
  const ptrdiff_t n = last - first;
  return first + thrust::transform_reduce(
                     place, counting_iterator<ptrdiff_t>(0), counting_iterator<ptrdiff_t>(n),
                     [=] __host__ __device__(ptrdiff_t i) { return condition(in[i]) ? i : n; }, n,
                     minimum<>());
}
template <class Place, class It, class T, class = IfPolicy<Place>>
__host__ __device__ It find(const Place& place, It first, It last, T value) {
  using Value = iterator_value_t<It>;
  return thrust::find_if(place, first, last,
                         [=] __host__ __device__(const Value& of) { return of == value; });
}

/// Returns where a value belongs in a sorted sequence: before its equals, or after them if `after`.
template <bool after, class In, class T>
__host__ __device__ ptrdiff_t bound(In in, ptrdiff_t n, const T& value) {
  ptrdiff_t low = 0, high = n;
  while (low < high) {
    const ptrdiff_t middle = (low + high) / 2;
    const bool before = after ? !(value < in[middle]) : in[middle] < value;
    if (before) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}
#define HEDDLE_CC_BOUND(name, after)                                                                       \
  template <class Place, class It, class Values, class Out, class = IfPolicy<Place>>                       \
  __host__ __device__ Out name(const Place& place, It first, It last, Values values, Values end, Out to) { \
    const auto in = raw(first);                                                                            \
    const auto of = raw(values);                                                                           \
    const auto out = raw(to);                                                                              \
    const ptrdiff_t n = last - first;                                                                      \
    place.for_each(end - values,                                                                           \
                   [=] __host__ __device__(size_t i) { out[i] = bound<after>(in, n, of[i]); });            \
    return to + (end - values);                                                                            \
  }
HEDDLE_CC_BOUND(lower_bound, false)
HEDDLE_CC_BOUND(upper_bound, true)
#undef HEDDLE_CC_BOUND

// before[i] becomes the number of kept elements before element i: its new index. kept(i): true to keep element i.

template <class Place, class Kept>
__host__ __device__ size_t places_of(const Place& place, size_t n, Kept kept, unsigned long long* before) {
  if (!n) return 0;
  place.for_each(n, [=] __host__ __device__(size_t i) { before[i] = kept(i) ? 1 : 0; });
  place.scan((const unsigned long long*)before, before, n, plus<>());
  return place.copied(before + n - 1);
}
template <class Place, class In, class Kept, class Out>
__host__ __device__ Out keep(const Place& place, In first, size_t n, Kept kept, Out to) {
  using T = iterator_value_t<In>;
  const auto in = raw(first);
  typename Place::template Temporary<unsigned long long> numbers(n);
  typename Place::template Temporary<T> values(n);
  unsigned long long* const number = numbers.data;
  T* const value = values.data;
  const size_t count = thrust::places_of(place, n, kept, number);
  place.for_each(n, [=] __host__ __device__(size_t i) {
    if (number[i] != (i ? number[i - 1] : 0)) value[number[i] - 1] = in[i];
  });
  return thrust::copy(place, (const T*)value, (const T*)value + count, to);
}
template <class Place, class In, class Stencil, class Out, class Condition, class = IfPolicy<Place>>
__host__ __device__ Out copy_if(const Place& place, In first, In last, Stencil stencil, Out to,
                                Condition condition) {
  const auto tells = raw(stencil);
  return thrust::keep(
      place, first, last - first, [=] __host__ __device__(size_t i) -> bool { return condition(tells[i]); },
      to);
}
template <class Place, class In, class Out, class Condition, class = IfPolicy<Place>>
__host__ __device__ Out copy_if(const Place& place, In first, In last, Out to, Condition condition) {
  return thrust::copy_if(place, first, last, first, to, condition);
}
template <class Place, class It, class Condition, class = IfPolicy<Place>>
__host__ __device__ It remove_if(const Place& place, It first, It last, Condition condition) {
  const auto in = raw(first);
  return thrust::keep(
      place, first, last - first, [=] __host__ __device__(size_t i) -> bool { return !condition(in[i]); },
      first);
}
template <class Place, class It, class Stencil, class Condition, class = IfPolicy<Place>>
__host__ __device__ It remove_if(const Place& place, It first, It last, Stencil stencil,
                                 Condition condition) {
  const auto tells = raw(stencil);
  return thrust::keep(
      place, first, last - first, [=] __host__ __device__(size_t i) -> bool { return !condition(tells[i]); },
      first);
}
template <class Place, class It, class T, class = IfPolicy<Place>>
__host__ __device__ It remove(const Place& place, It first, It last, T value) {
  const auto in = raw(first);
  return thrust::keep(
      place, first, last - first, [=] __host__ __device__(size_t i) -> bool { return !(in[i] == value); },
      first);
}
/// Returns true if element i begins a run of equal elements.
template <class In, class Same>
struct Begins {
  In in;
  Same same;
  __host__ __device__ bool operator()(size_t i) const { return !i || !same(in[i - 1], in[i]); }
};
template <class Place, class It, class Same = equal_to<>, class = IfPolicy<Place>>
__host__ __device__ It unique(const Place& place, It first, It last, Same same = {}) {
  return thrust::keep(place, first, last - first, Begins<decltype(raw(first)), Same>{raw(first), same},
                      first);
}
template <class Place, class It, class Out, class = IfPolicy<Place>>
__host__ __device__ Out unique_copy(const Place& place, It first, It last, Out to) {
  return thrust::keep(place, first, last - first, Begins<decltype(raw(first)), equal_to<>>{raw(first), {}},
                      to);
}
template <class Place, class Keys, class Values, class Same = equal_to<>, class = IfPolicy<Place>>
__host__ __device__ pair<Keys, Values> unique_by_key(const Place& place, Keys first, Keys last, Values values,
                                                     Same same = {}) {
  const Begins<decltype(raw(first)), Same> begins{raw(first), same};
  const Values end = thrust::keep(place, values, last - first, begins, values);
  return {thrust::keep(place, first, last - first, begins, first), end};
}

/// For each run of equal keys, writes the key and the reduction of the run's values. A thread processes one run.
template <class Place, class Keys, class Values, class KeysOut, class ValuesOut, class Same, class Operation,
          class = IfPolicy<Place>>
__host__ __device__ pair<KeysOut, ValuesOut> reduce_by_key(const Place& place, Keys first, Keys last,
                                                           Values values, KeysOut keys_to,
                                                           ValuesOut values_to, Same same,
                                                           Operation operation) {
  using T = iterator_value_t<Values>;
  const size_t n = last - first;
  const auto keys = raw(first);
  const auto in = raw(values);
  const auto keys_out = raw(keys_to);
  const auto out = raw(values_to);
  const Begins<decltype(raw(first)), Same> begins{keys, same};
  typename Place::template Temporary<unsigned long long> numbers(n);
  unsigned long long* const number = numbers.data;
  const size_t count = thrust::places_of(place, n, begins, number);
  place.for_each(n, [=] __host__ __device__(size_t i) {
    if (i && number[i] == number[i - 1]) return;
    T sum = in[i];
    for (size_t k = i + 1; k < n && number[k] == number[i]; ++k) sum = operation(sum, (T)in[k]);
    keys_out[number[i] - 1] = keys[i];
    out[number[i] - 1] = sum;
  });
  return {keys_to + count, values_to + count};
}
template <class Place, class Keys, class Values, class KeysOut, class ValuesOut, class Same,
          class = IfPolicy<Place>>
__host__ __device__ pair<KeysOut, ValuesOut> reduce_by_key(const Place& place, Keys first, Keys last,
                                                           Values values, KeysOut keys_to,
                                                           ValuesOut values_to, Same same) {
  return reduce_by_key(place, first, last, values, keys_to, values_to, same, plus<>());
}
template <class Place, class Keys, class Values, class KeysOut, class ValuesOut, class = IfPolicy<Place>>
__host__ __device__ pair<KeysOut, ValuesOut> reduce_by_key(const Place& place, Keys first, Keys last,
                                                           Values values, KeysOut keys_to,
                                                           ValuesOut values_to) {
  return reduce_by_key(place, first, last, values, keys_to, values_to, equal_to<>(), plus<>());
}

HEDDLE_CC_PLACED(stable_sort_by_key)
HEDDLE_CC_PLACED(stable_sort)
HEDDLE_CC_PLACED(sort)
HEDDLE_CC_PLACED(sort_by_key)
HEDDLE_CC_PLACED(is_sorted)
HEDDLE_CC_PLACED(min_element)
HEDDLE_CC_PLACED(max_element)
HEDDLE_CC_PLACED(minmax_element)
HEDDLE_CC_PLACED(find_if)
HEDDLE_CC_PLACED(find)
HEDDLE_CC_PLACED(lower_bound)
HEDDLE_CC_PLACED(upper_bound)
HEDDLE_CC_PLACED(copy_if)
HEDDLE_CC_PLACED(remove_if)
HEDDLE_CC_PLACED(remove)
HEDDLE_CC_PLACED(unique)
HEDDLE_CC_PLACED(unique_copy)
HEDDLE_CC_PLACED(unique_by_key)
HEDDLE_CC_PLACED(reduce_by_key)

/// Shuffles elements on the host, in an order that depends on the engine's random numbers. Elements are
/// exchanged from the last one on.
template <class It, class Engine>
void shuffle(It first, It last, Engine&& engine) {
  std::vector<iterator_value_t<It>> values(last - first);
  thrust::copy(first, last, values.begin());
  for (size_t i = values.size(); i > 1; --i) std::swap(values[i - 1], values[engine() % i]);
  thrust::copy(values.begin(), values.end(), first);
}

}  // namespace thrust
