#pragma once

// A generic payload from a pool, together with its data, byte enables and extension. The sender of a request
// owns the payload.

#include <bit>
#include <cstdint>
#include <deque>
#include <vector>

#include "models/memory/access_check.h"
#include "models/memory/warp_addresses.h"
#include "models/ports/memory_edge.h"

namespace heddle {

/// The order of the members lets a read touch few cache lines of the host. The members of `extension` that every
/// request uses follow `site` in the same line.
struct alignas(64) MemoryRequest : tlm::tlm_generic_payload {
  void* owner = nullptr;
  LaneMask lanes = 0;
  std::uint8_t kind = 0;
  std::uint8_t first = 0, bytes = 0;
  int entry = -1;
  WarpId warp{};
  std::uint64_t shift = 0;
  std::uint64_t order = 0;
  Cycle enqueued = 0;  ///< cycle in which the port received the request
  AccessSite site{};

  MemoryEdgeExtension extension;
  alignas(64) std::uint8_t data[kSegmentBytes];
  std::uint8_t enables[kSegmentBytes];

  std::uint64_t line() const { return get_address() / kSegmentBytes * kSegmentBytes; }
};

struct ByteMask {
  std::uint64_t bits[2] = {0, 0};
  void set(unsigned offset, unsigned bytes) {
    const std::uint64_t run = bytes == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bytes) - 1;
    // One 64-bit word of the mask suffices, because accesses are aligned and the bytes of one lane never
    // cross the middle of the line.
    bits[offset / 64] |= run << (offset % 64);
  }
  void set_range(unsigned offset, unsigned bytes) {
    for (const unsigned end = offset + bytes; offset < end;) {
      const unsigned step = std::min(end - offset, 64 - offset % 64);
      set(offset, step);
      offset += step;
    }
  }
  void set_all() { bits[0] = bits[1] = ~std::uint64_t{0}; }
  bool test(unsigned i) const { return (bits[i / 64] >> (i % 64)) & 1u; }
  bool none() const { return (bits[0] | bits[1]) == 0; }
  unsigned first() const {
    return static_cast<unsigned>(bits[0] ? std::countr_zero(bits[0]) : 64 + std::countr_zero(bits[1]));
  }
  unsigned end() const {
    return static_cast<unsigned>(bits[1] ? 128 - std::countl_zero(bits[1]) : 64 - std::countl_zero(bits[0]));
  }
  unsigned count() const { return static_cast<unsigned>(std::popcount(bits[0]) + std::popcount(bits[1])); }
};

class RequestPool : public tlm::tlm_mm_interface {
 public:
  /// Returns a request with a reference count of one. When the last reference is released, the request
  /// returns to the pool.
  MemoryRequest* take();
  void free(tlm::tlm_generic_payload* payload) override;
  ~RequestPool() override;

  /// make_read(), make_write() and make_atomic() set the fields of a payload as the TLM base protocol
  /// requires. A write of a contiguous range has no byte enables.
  static void make_read(MemoryRequest& request, std::uint64_t address, unsigned bytes);
  static void make_write(MemoryRequest& request, std::uint64_t line, const ByteMask& bytes);
  static void make_atomic(MemoryRequest& request, std::uint64_t line);

 private:
  static void set_common(MemoryRequest& request, tlm::tlm_command command, std::uint64_t address,
                         unsigned offset, unsigned bytes);
  std::deque<MemoryRequest> all_;
  std::vector<MemoryRequest*> free_;
};

}  // namespace heddle
