#pragma once

// Contents of device memory: named allocations, with unallocated space between them. An access out of bounds
// is an error that names the nearest allocations.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "models/core/paged_bytes.h"

namespace heddle {

class MemoryImage {
 public:
  struct Allocation {
    std::string name;
    std::uint64_t base = 0;
    std::uint64_t bytes = 0;
    bool read_only = false;  ///< The allocation holds module-level .const data, which kernels cannot write.
    PagedBytes data;
  };

  /// Allocates `bytes` bytes at address `base`, filled with zeros. Throws Error if these bytes overlap
  /// another allocation.
  Allocation& allocate_at(std::string name, std::uint64_t base, std::uint64_t bytes, bool read_only = false);

  void release(std::uint64_t base);

  /// Returns the host pointer to `bytes` bytes at device address `address` if one allocation contains all these
  /// bytes, otherwise nullptr. Takes time O(log n) for n allocations. If the bytes are in the allocation that
  /// the non-const version found last, the time is O(1).
  std::uint8_t* find(std::uint64_t address, std::size_t bytes);
  const std::uint8_t* find(std::uint64_t address, std::size_t bytes) const;

  /// Returns the host pointer to the bytes, as find() does. If the bytes are out of bounds, throws Error with
  /// the address, the size and the nearest allocations. `who`: the instruction or function that accesses
  /// them, for the error text.
  std::uint8_t* at(std::uint64_t address, std::size_t bytes, const std::string& who);

  /// Returns the reason why an access is out of bounds, such as "4 bytes at 0x..., 8 bytes past the end of
  /// buffer \"a\" ...".
  std::string explain(std::uint64_t address, std::size_t bytes) const;

  const Allocation* find_by_name(const std::string& name) const;
  const Allocation* find_by_base(std::uint64_t base) const;
  const std::vector<std::unique_ptr<Allocation>>& allocations() const { return allocations_; }

  /// Removes the pages of all allocations from the process's resident memory. The next access of a page makes
  /// this page resident again.
  void settle() const;

  MemoryImage() = default;
  /// Copies all allocations. Both images share the host pages until one of the two images writes (PagedBytes).
  MemoryImage(const MemoryImage& other);
  MemoryImage& operator=(const MemoryImage& other);
  MemoryImage(MemoryImage&&) = default;
  MemoryImage& operator=(MemoryImage&&) = default;

 private:
  Allocation* covering(std::uint64_t address) const;
  static std::uint8_t* bytes_of(Allocation* covering, std::uint64_t address, std::size_t bytes);
  std::vector<std::unique_ptr<Allocation>> allocations_;
  Allocation* last_ = nullptr;
};

}  // namespace heddle
