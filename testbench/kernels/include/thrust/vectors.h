// SPDX-License-Identifier: Apache-2.0
// thrust's vectors of the device and of the host (Thrust's documentation, "Containers").
#pragma once

#include <initializer_list>

#include "algorithms.h"

namespace thrust {

template <class T, class Allocator = std::allocator<T>>
class host_vector;

/// An array in device memory. The host reads and writes its elements by copies. begin() and end() return device
/// iterators for thrust's algorithms.
template <class T, class Allocator = void>
class device_vector {
 public:
  typedef T value_type;
  typedef device_ptr<T> iterator;
  typedef device_ptr<const T> const_iterator;
  typedef device_ptr<T> pointer;
  typedef device_reference<T> reference;
  typedef size_t size_type;
  typedef ptrdiff_t difference_type;

  device_vector() = default;
  explicit device_vector(size_t n) : device_vector(n, T()) {}
  device_vector(size_t n, const T& value) { resize(n, value); }
  device_vector(const device_vector& other) { assign(other.begin(), other.end()); }
  device_vector(device_vector&& other) noexcept { swap(other); }
  device_vector(std::initializer_list<T> values) { assign(values.begin(), values.end()); }
  template <class U, class A>
  device_vector(const device_vector<U, A>& other) {
    assign(other.begin(), other.end());
  }
  template <class U, class A>
  device_vector(const std::vector<U, A>& other) {
    assign(other.begin(), other.end());
  }
  template <class It, class = typename std::iterator_traits<It>::iterator_category>
  device_vector(It first, It last) {
    assign(first, last);
  }
  ~device_vector() { cudaFree((void*)data_); }

  device_vector& operator=(const device_vector& other) {
    if (this != &other) assign(other.begin(), other.end());
    return *this;
  }
  device_vector& operator=(device_vector&& other) noexcept {
    swap(other);
    return *this;
  }
  template <class U, class A>
  device_vector& operator=(const std::vector<U, A>& other) {
    assign(other.begin(), other.end());
    return *this;
  }
  template <class It, class = typename std::iterator_traits<It>::iterator_category>
  void assign(It first, It last) {
    reserve(last - first);
    size_ = last - first;
    thrust::copy(first, last, begin());
  }
  void assign(size_t n, const T& value) {
    size_ = 0;
    resize(n, value);
  }

  size_t size() const { return size_; }
  size_t capacity() const { return capacity_; }
  bool empty() const { return !size_; }
  device_ptr<T> data() { return device_ptr<T>(data_); }
  device_ptr<const T> data() const { return device_ptr<const T>(data_); }
  iterator begin() { return data(); }
  iterator end() { return data() + size_; }
  const_iterator begin() const { return data(); }
  const_iterator end() const { return data() + size_; }
  const_iterator cbegin() const { return data(); }
  const_iterator cend() const { return data() + size_; }
  device_reference<T> operator[](size_t i) { return device_reference<T>(data_ + i); }
  device_reference<const T> operator[](size_t i) const { return device_reference<const T>(data_ + i); }
  device_reference<T> front() { return (*this)[0]; }
  device_reference<T> back() { return (*this)[size_ - 1]; }
  T front() const { return (*this)[0]; }
  T back() const { return (*this)[size_ - 1]; }

  void reserve(size_t n) {
    if (n <= capacity_) return;
    T* more = nullptr;
    cudaMalloc((void**)&more, n * sizeof(T));
    cudaMemcpy((void*)more, (const void*)data_, size_ * sizeof(T), cudaMemcpyDeviceToDevice);
    cudaFree((void*)data_);
    data_ = more;
    capacity_ = n;
  }
  void resize(size_t n, const T& value = T()) {
    reserve(n);
    if (n > size_) thrust::fill_n(device, device_ptr<T>(data_ + size_), n - size_, value);
    size_ = n;
  }
  void push_back(const T& value) {
    if (size_ == capacity_) reserve(size_ ? 2 * size_ : 16);
    (*this)[size_++] = value;
  }
  void pop_back() { --size_; }
  void clear() { size_ = 0; }
  void shrink_to_fit() {}
  iterator erase(iterator first, iterator last) {
    const device_vector after(last, end());
    thrust::copy(after.begin(), after.end(), first);
    size_ -= last - first;
    return first;
  }
  void swap(device_vector& other) {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    std::swap(capacity_, other.capacity_);
  }

 private:
  T* data_ = nullptr;
  size_t size_ = 0, capacity_ = 0;
};

template <class T, class Allocator>
class host_vector : public std::vector<T, Allocator> {
  using Base = std::vector<T, Allocator>;

 public:
  using Base::Base;
  host_vector() = default;
  host_vector(const Base& other) : Base(other) {}
  template <class U, class A>
  host_vector(const device_vector<U, A>& other) : Base(other.size()) {
    thrust::copy(other.begin(), other.end(), this->begin());
  }
  template <class U>
  host_vector(device_ptr<U> first, device_ptr<U> last) : Base(last - first) {
    thrust::copy(first, last, this->begin());
  }
  template <class U, class A>
  host_vector& operator=(const device_vector<U, A>& other) {
    this->resize(other.size());
    thrust::copy(other.begin(), other.end(), this->begin());
    return *this;
  }
};

/// Allocates device memory, which device_free frees.
template <class T>
device_ptr<T> device_malloc(size_t n) {
  T* made = nullptr;
  cudaMalloc((void**)&made, n * sizeof(T));
  return device_ptr<T>(made);
}
template <class T>
void device_free(device_ptr<T> of) {
  cudaFree((void*)of.get());
}

}  // namespace thrust
