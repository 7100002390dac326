#pragma once

// Bytes of an allocation of device memory. Copies share host pages until one of the copies writes. All bytes of
// a copy stay at one contiguous host address, and reads and writes use plain pointers.
//
// The bytes consist of chunks of 1 MiB. Shared chunks lie in an anonymous file. Each copy maps these chunks
// privately, so that the operating system copies a page at its first write (copy-on-write). Making a copy first
// moves the pages written since the last copy into the file, and takes time only for these pages. Copies share
// nothing if the allocation is smaller than a chunk, or if the operating system has no such files.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace heddle {

class PagedBytes {
 public:
  static constexpr std::size_t kChunkBytes = std::size_t{1} << 20;

  PagedBytes() = default;
  explicit PagedBytes(std::size_t bytes);  ///< zeros; pages without a written byte take no memory
  PagedBytes(const PagedBytes& other);
  PagedBytes& operator=(const PagedBytes& other);
  PagedBytes(PagedBytes&& other) noexcept { swap(other); }
  PagedBytes& operator=(PagedBytes&& other) noexcept {
    swap(other);
    return *this;
  }
  PagedBytes& operator=(const std::vector<std::uint8_t>& bytes);
  ~PagedBytes();

  std::uint8_t* data() { return data_; }
  const std::uint8_t* data() const { return data_; }
  std::size_t size() const { return size_; }
  std::uint8_t& operator[](std::size_t i) { return data_[i]; }
  const std::uint8_t& operator[](std::size_t i) const { return data_[i]; }
  std::uint8_t* begin() { return data_; }
  std::uint8_t* end() { return data_ + size_; }
  const std::uint8_t* begin() const { return data_; }
  const std::uint8_t* end() const { return data_ + size_; }
  bool operator==(const PagedBytes& other) const;

  /// Moves written pages into the shared file, and removes all pages from this process's resident memory. The
  /// next access of a page maps this page again. Values and addresses do not change.
  void settle() const;

  /// Calls each(offset, count) for all bytes in which the two objects may differ, in ascending order. These
  /// are the chunks that the objects do not share, and the chunks written since the copy. Both objects must
  /// have the same size.
  template <class Each>
  void for_unshared(const PagedBytes& other, Each&& each) const {
    const std::vector<bool> shared = shared_with(other);
    for (std::size_t i = 0; i < shared.size(); ++i)
      if (!shared[i]) each(i * kChunkBytes, bytes_of(i));
  }

 private:
  struct Chunk;
  void swap(PagedBytes& other) noexcept {
    std::swap(size_, other.size_);
    std::swap(data_, other.data_);
    few_.swap(other.few_);
    chunks_.swap(other.chunks_);
  }
  void allocate(std::size_t bytes);
  void release();
  void copy_bytes(const PagedBytes& other);
  std::size_t chunks() const { return (size_ + kChunkBytes - 1) / kChunkBytes; }
  std::size_t bytes_of(std::size_t chunk) const;
  std::vector<bool> written() const;
  std::vector<bool> shared_with(const PagedBytes& other) const;
  std::vector<bool> settle_written() const;
  bool settle_chunk(std::size_t chunk, bool written) const;
  bool map(std::size_t chunk, const std::shared_ptr<Chunk>& from) const;

  std::size_t size_ = 0;
  std::uint8_t* data_ = nullptr;
  std::vector<std::uint8_t> few_;  ///< the bytes of an allocation that is smaller than a chunk
  /// Positions of the chunks in the shared file; nullptr for a chunk that was all zeros at the last copy.
  mutable std::vector<std::shared_ptr<Chunk>> chunks_;
};

}  // namespace heddle
