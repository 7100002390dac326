// SPDX-License-Identifier: Apache-2.0
// cub's operations, pairs and simple iterators (CUB's documentation, "Thread-level primitives" and "Iterators").
#pragma once

#include <iterator>

#include "../../heddle_cc.h"

namespace cub {

#define HEDDLE_CC_OPERATION(name, expression)             \
  struct name {                                           \
    template <class T>                                    \
    __host__ __device__ auto operator()(T a, T b) const { \
      return expression;                                  \
    }                                                     \
  };
HEDDLE_CC_OPERATION(Sum, (T)(a + b))
HEDDLE_CC_OPERATION(Difference, (T)(a - b))
HEDDLE_CC_OPERATION(Max, a < b ? b : a)
HEDDLE_CC_OPERATION(Min, b < a ? b : a)
HEDDLE_CC_OPERATION(Equality, a == b)
HEDDLE_CC_OPERATION(Inequality, a != b)
// For pairs: returns the pair with the larger (smaller) value. If values are equal, returns the pair with the
// smaller key.
HEDDLE_CC_OPERATION(ArgMax, a.value < b.value || (a.value == b.value && b.key < a.key) ? b : a)
HEDDLE_CC_OPERATION(ArgMin, b.value < a.value || (a.value == b.value && b.key < a.key) ? b : a)
#undef HEDDLE_CC_OPERATION

template <class KeyType, class ValueType>
struct KeyValuePair {
  typedef KeyType Key;
  typedef ValueType Value;
  Key key;
  Value value;
  KeyValuePair() = default;
  __host__ __device__ KeyValuePair(const Key& k, const Value& v) : key(k), value(v) {}
  __host__ __device__ bool operator!=(const KeyValuePair& other) const {
    return key != other.key || value != other.value;
  }
};

/// The two buffers of a sort. `selector` is the index of the buffer that holds the values.
template <class T>
struct DoubleBuffer {
  T* d_buffers[2] = {nullptr, nullptr};
  int selector = 0;
  DoubleBuffer() = default;
  DoubleBuffer(T* current, T* alternate) : d_buffers{current, alternate} {}
  T* Current() const { return d_buffers[selector]; }
  T* Alternate() const { return d_buffers[selector ^ 1]; }
};

/// Members that all computing iterators have: operator[], and +, * and ++ based on it.
#define HEDDLE_CC_ITERATOR(name, Value)                                                    \
  typedef Value value_type;                                                                \
  typedef Value reference;                                                                 \
  typedef Value* pointer;                                                                  \
  typedef ptrdiff_t difference_type;                                                       \
  typedef std::random_access_iterator_tag iterator_category;                               \
  __host__ __device__ Value operator*() const { return (*this)[0]; }                       \
  __host__ __device__ name& operator++() { return *this += 1; }                            \
  __host__ __device__ name operator+(difference_type n) const { return name(*this) += n; } \
  __host__ __device__ name operator-(difference_type n) const { return name(*this) += -n; }

template <class Value, class Offset = ptrdiff_t>
struct CountingInputIterator {
  HEDDLE_CC_ITERATOR(CountingInputIterator, Value)
  __host__ __device__ explicit CountingInputIterator(Value first) : first_(first) {}
  __host__ __device__ Value operator[](difference_type n) const { return first_ + (Value)n; }
  __host__ __device__ CountingInputIterator& operator+=(difference_type n) {
    first_ += (Value)n;
    return *this;
  }

 private:
  Value first_;
};

template <class Value, class Offset = ptrdiff_t>
struct ConstantInputIterator {
  HEDDLE_CC_ITERATOR(ConstantInputIterator, Value)
  __host__ __device__ explicit ConstantInputIterator(Value value) : value_(value) {}
  __host__ __device__ Value operator[](difference_type) const { return value_; }
  __host__ __device__ ConstantInputIterator& operator+=(difference_type) { return *this; }

 private:
  Value value_;
};

template <class Value, class Operation, class Input, class Offset = ptrdiff_t>
struct TransformInputIterator {
  HEDDLE_CC_ITERATOR(TransformInputIterator, Value)
  __host__ __device__ TransformInputIterator(Input input, Operation operation)
      : input_(input), operation_(operation) {}
  __host__ __device__ Value operator[](difference_type n) const { return operation_(input_[n]); }
  __host__ __device__ TransformInputIterator& operator+=(difference_type n) {
    input_ = input_ + n;
    return *this;
  }

 private:
  Input input_;
  Operation operation_;
};
#undef HEDDLE_CC_ITERATOR

}  // namespace cub
