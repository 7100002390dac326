#include "models/memory/segment_requests.h"

#include <fmt/format.h>

namespace heddle {

SegmentRequests::SegmentRequests(const LoadStoreParameters& parameters, SmId sm, ClockedModule& owner,
                                 MemoryInitiatorSocket& socket, const StatsScope& stats)
    : sm_(sm),
      port_(owner, socket, parameters.memory_queue_requests, parameters.outstanding_requests,
            parameters.request_bytes_per_cycle),
      requests_(stats.add("memory_requests", "requests",
                          "sent to memory: l1_misses + l1_bypasses + store_segments + atomic_segments + "
                          "texture_misses")),
      responses_(stats.add("memory_responses", "requests", "answered by memory")),
      bytes_read_(stats.add("memory_bytes_read", "bytes", "requested from memory")),
      bytes_written_(stats.add("memory_bytes_written", "bytes", "written to memory")) {}

MemoryRequest& SegmentRequests::open(Kind kind, const AccessSite& site, WarpId warp, LaneMask lanes) {
  MemoryRequest& request = *port_.open();
  request.kind = kind;
  request.lanes = lanes;
  request.warp = warp;
  request.site = site;
  request.extension.sm = sm_;
  request.extension.kernel = site.launch->id;
  return request;
}

void SegmentRequests::send_read(MemoryRequest& request, std::uint64_t address, unsigned bytes) {
  RequestPool::make_read(request, address, bytes);
  bytes_read_ += bytes;
  send(request);
}

void SegmentRequests::send_write(MemoryRequest& request, std::uint64_t line, const ByteMask& bytes) {
  RequestPool::make_write(request, line, bytes);
  bytes_written_ += bytes.count();
  send(request);
}

void SegmentRequests::send_atomic(MemoryRequest& request, std::uint64_t line) {
  RequestPool::make_atomic(request, line);
  send(request);
}

void SegmentRequests::check_status(const MemoryRequest& request) const {
  const int lane = std::countr_zero(request.lanes);
  if (!request.is_response_ok())
    fail_access(request.site, lane,
                fmt::format("memory answered {} to {} bytes at {:#x}", request.get_response_string(),
                            request.get_data_length(), request.get_address()));
  if (request.kind == atomic && !request.extension.lanes.performed)
    fail_access(request.site, lane,
                "the memory does not execute atomics: an AtomicUnit must stand before it");
}

}  // namespace heddle
