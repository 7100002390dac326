#include "models/memory/memory_request.h"

namespace heddle {

RequestPool::~RequestPool() {
  for (auto& request : all_) {
    for (unsigned id = 0; id < tlm::max_num_extensions(); ++id) request.set_extension(id, nullptr);
  }
}

MemoryRequest* RequestPool::take() {
  if (free_.empty()) {
    MemoryRequest& fresh = all_.emplace_back();
    fresh.set_mm(this);
    fresh.set_extension(&fresh.extension);
    free_.push_back(&fresh);
  }
  MemoryRequest* request = free_.back();
  free_.pop_back();
  request->acquire();
  request->extension.atomic = false;
  return request;
}

void RequestPool::free(tlm::tlm_generic_payload* payload) {
  free_.push_back(static_cast<MemoryRequest*>(payload));
}

void RequestPool::set_common(MemoryRequest& request, tlm::tlm_command command, std::uint64_t address,
                             unsigned offset, unsigned bytes) {
  request.set_command(command);
  request.set_address(address + offset);
  request.set_data_ptr(request.data + offset);
  request.set_data_length(bytes);
  request.set_streaming_width(bytes);
  request.set_byte_enable_ptr(nullptr);
  request.set_byte_enable_length(0);
  request.set_dmi_allowed(false);
  request.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
}

void RequestPool::make_read(MemoryRequest& request, std::uint64_t address, unsigned bytes) {
  const unsigned offset = static_cast<unsigned>(address % kSegmentBytes);
  set_common(request, tlm::TLM_READ_COMMAND, address - offset, offset, bytes);
}

void RequestPool::make_write(MemoryRequest& request, std::uint64_t line, const ByteMask& bytes) {
  const unsigned first = bytes.first(), length = bytes.end() - first;
  set_common(request, tlm::TLM_WRITE_COMMAND, line, first, length);
  if (bytes.count() == length) return;
  for (unsigned i = first; i < first + length; ++i)
    request.enables[i] = bytes.test(i) ? TLM_BYTE_ENABLED : TLM_BYTE_DISABLED;
  request.set_byte_enable_ptr(request.enables + first);
  request.set_byte_enable_length(length);
}

void RequestPool::make_atomic(MemoryRequest& request, std::uint64_t line) {
  set_common(request, tlm::TLM_IGNORE_COMMAND, line, 0, kSegmentBytes);
  request.extension.atomic = true;
  request.extension.lanes.performed = false;
}

}  // namespace heddle
