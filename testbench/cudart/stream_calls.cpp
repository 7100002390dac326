// CUDA calls for streams and events. A call that adds work to a stream returns when the work is complete,
// which CUDA allows. Events record simulated time.

#include <fmt/format.h>

#include "testbench/cudart/api.h"

namespace heddle::cudart {
namespace {

constexpr unsigned kNonBlocking = 1;
constexpr unsigned kEventFlags = 7;  // all flags of an event: blocking sync, no timing, interprocess
constexpr unsigned kNoTiming = 2;

int create_stream(const char* name, void** stream, unsigned flags, int priority) {
  return Runtime::instance().call(name, [&](Runtime& r) {
    if ((flags & ~kNonBlocking) != 0) refuse(cudaErrorInvalidValue, fmt::format("stream flags {}", flags));
    void*& result = at(stream);
    auto* const made = new Stream{flags, priority};
    r.streams().insert(made);
    result = made;
  });
}

int with_stream(const char* name, const void* stream) {
  return Runtime::instance().call(name, [&](Runtime& r) { r.check_stream(stream); });
}

const Stream* own(const void* stream) {
  return address_of(stream) <= 2 ? nullptr : static_cast<const Stream*>(stream);
}

void record(Runtime& r, void* event, const void* stream) {
  r.check_stream(stream);
  Event& e = r.event(event);
  e.recorded = true;
  e.time_ms = r.launcher().time_ms();
}

}  // namespace

HEDDLE_CUDA int cudaStreamCreate(void** stream) { return create_stream(__func__, stream, 0, 0); }
HEDDLE_CUDA int cudaStreamCreateWithFlags(void** stream, unsigned flags) {
  return create_stream(__func__, stream, flags, 0);
}
HEDDLE_CUDA int cudaStreamCreateWithPriority(void** stream, unsigned flags, int priority) {
  return create_stream(__func__, stream, flags, priority);
}

HEDDLE_CUDA int cudaStreamDestroy(void* stream) {
  return Runtime::instance().call(__func__, [&](Runtime& r) {
    r.check_stream(stream);
    if (!own(stream)) refuse(cudaErrorInvalidResourceHandle, "a default stream cannot be destroyed");
    auto* const made = static_cast<Stream*>(stream);
    r.streams().erase(made);
    delete made;
  });
}

HEDDLE_CUDA int cudaStreamSynchronize(void* stream) { return with_stream(__func__, stream); }
HEDDLE_CUDA_TWIN(cudaStreamSynchronize, ptsz)
HEDDLE_CUDA int cudaStreamQuery(void* stream) { return with_stream(__func__, stream); }
HEDDLE_CUDA_TWIN(cudaStreamQuery, ptsz)

HEDDLE_CUDA int cudaStreamWaitEvent(void* stream, void* event, unsigned) {
  return Runtime::instance().call(__func__, [&](Runtime& r) {
    r.check_stream(stream);
    r.event(event);
  });
}
HEDDLE_CUDA_TWIN(cudaStreamWaitEvent, ptsz)

HEDDLE_CUDA int cudaStreamGetFlags(void* stream, unsigned* flags) {
  return Runtime::instance().call(__func__, [&](Runtime& r) {
    r.check_stream(stream);
    at(flags) = own(stream) ? own(stream)->flags : 0;
  });
}
HEDDLE_CUDA_TWIN(cudaStreamGetFlags, ptsz)

HEDDLE_CUDA int cudaStreamGetPriority(void* stream, int* priority) {
  return Runtime::instance().call(__func__, [&](Runtime& r) {
    r.check_stream(stream);
    at(priority) = own(stream) ? own(stream)->priority : 0;
  });
}
HEDDLE_CUDA_TWIN(cudaStreamGetPriority, ptsz)

HEDDLE_CUDA int cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
  if (least) *least = 0;
  if (greatest) *greatest = 0;
  return cudaSuccess;
}

HEDDLE_CUDA int cudaStreamAttachMemAsync(void* stream, void*, std::size_t, unsigned) {
  return with_stream(__func__, stream);
}
HEDDLE_CUDA_TWIN(cudaStreamAttachMemAsync, ptsz)

HEDDLE_CUDA int cudaEventCreateWithFlags(void** event, unsigned flags) {
  return Runtime::instance().call(__func__, [&](Runtime& r) {
    if ((flags & ~kEventFlags) != 0) refuse(cudaErrorInvalidValue, fmt::format("event flags {}", flags));
    void*& result = at(event);
    auto* const made = new Event{flags, false, 0};
    r.events().insert(made);
    result = made;
  });
}

HEDDLE_CUDA int cudaEventCreate(void** event) { return cudaEventCreateWithFlags(event, 0); }

HEDDLE_CUDA int cudaEventDestroy(void* event) {
  return Runtime::instance().call(__func__, [&](Runtime& r) {
    Event* const made = &r.event(event);
    r.events().erase(made);
    delete made;
  });
}

HEDDLE_CUDA int cudaEventRecord(void* event, void* stream) {
  return Runtime::instance().call(__func__, [&](Runtime& r) { record(r, event, stream); });
}
HEDDLE_CUDA_TWIN(cudaEventRecord, ptsz)

HEDDLE_CUDA int cudaEventRecordWithFlags(void* event, void* stream, unsigned) {
  return Runtime::instance().call(__func__, [&](Runtime& r) { record(r, event, stream); });
}
HEDDLE_CUDA_TWIN(cudaEventRecordWithFlags, ptsz)

HEDDLE_CUDA int cudaEventSynchronize(void* event) {
  return Runtime::instance().call(__func__, [&](Runtime& r) { r.event(event); });
}

HEDDLE_CUDA int cudaEventQuery(void* event) {
  return Runtime::instance().call(__func__, [&](Runtime& r) { r.event(event); });
}

HEDDLE_CUDA int cudaEventElapsedTime(float* milliseconds, void* start, void* end) {
  return Runtime::instance().call(__func__, [&](Runtime& r) {
    const Event &first = r.event(start), &second = r.event(end);
    if (!first.recorded || !second.recorded || ((first.flags | second.flags) & kNoTiming))
      refuse(cudaErrorInvalidResourceHandle, "an event that was not recorded, or takes no time");
    at(milliseconds) = static_cast<float>(second.time_ms - first.time_ms);
  });
}

HEDDLE_CUDA int cudaEventElapsedTime_v2(float* milliseconds, void* start, void* end) {
  return cudaEventElapsedTime(milliseconds, start, end);
}

}  // namespace heddle::cudart
