// CUDA calls for memory pools, and queries of streams. There is one pool, and it has no state.

#include <cstring>

#include "testbench/cudart/api.h"

namespace heddle::cudart {

HEDDLE_CUDA int cudaMallocAsync(void** pointer, std::size_t bytes, void* stream);

namespace {

constexpr std::size_t kAttributeBytes = 64;
char the_pool;

int give_pool(const char* name, void** pool) {
  return Runtime::instance().call(name, [&](Runtime&) { at(pool) = &the_pool; });
}

int take_pool(const char* name, const void* pool) {
  return Runtime::instance().call(name, [&](Runtime&) {
    if (pool != &the_pool) refuse(cudaErrorInvalidValue, "a handle that is no memory pool");
  });
}

int check(const char* name, const void* stream) {
  return Runtime::instance().call(name, [&](Runtime& r) { r.check_stream(stream); });
}

template <class Value>
int give(const char* name, const void* stream, Value* result, Value value) {
  return Runtime::instance().call(name, [&](Runtime& r) {
    r.check_stream(stream);
    at(result) = value;
  });
}

}  // namespace

HEDDLE_CUDA int cudaDeviceGetDefaultMemPool(void** pool, int) { return give_pool(__func__, pool); }
HEDDLE_CUDA int cudaDeviceGetMemPool(void** pool, int) { return give_pool(__func__, pool); }
HEDDLE_CUDA int cudaMemPoolCreate(void** pool, const void*) { return give_pool(__func__, pool); }
HEDDLE_CUDA int cudaDeviceSetMemPool(int, void* pool) { return take_pool(__func__, pool); }
HEDDLE_CUDA int cudaMemPoolDestroy(void* pool) { return take_pool(__func__, pool); }
HEDDLE_CUDA int cudaMemPoolTrimTo(void* pool, std::size_t) { return take_pool(__func__, pool); }
HEDDLE_CUDA int cudaMemPoolSetAttribute(void* pool, int, void*) { return take_pool(__func__, pool); }
HEDDLE_CUDA int cudaMemPoolSetAccess(void* pool, const void*, std::size_t) {
  return take_pool(__func__, pool);
}
HEDDLE_CUDA int cudaMemPoolGetAttribute(void* pool, int, void* value) {
  const int status = take_pool(__func__, pool);
  if (status == cudaSuccess && !value) return cudaErrorInvalidValue;
  if (status == cudaSuccess) std::memset(value, 0, sizeof(int));
  return status;
}
HEDDLE_CUDA int cudaMallocFromPoolAsync(void** pointer, std::size_t bytes, void* pool, void* stream) {
  const int status = take_pool(__func__, pool);
  return status == cudaSuccess ? cudaMallocAsync(pointer, bytes, stream) : status;
}
HEDDLE_CUDA_TWIN(cudaMallocFromPoolAsync, ptsz)

HEDDLE_CUDA int cudaStreamIsCapturing(void* stream, int* status) { return give(__func__, stream, status, 0); }
HEDDLE_CUDA_TWIN(cudaStreamIsCapturing, ptsz)

HEDDLE_CUDA int cudaStreamGetId(void* stream, unsigned long long* id) {
  return give(__func__, stream, id, static_cast<unsigned long long>(address_of(stream)));
}
HEDDLE_CUDA_TWIN(cudaStreamGetId, ptsz)

HEDDLE_CUDA int cudaStreamGetDevice(void* stream, int* device) { return give(__func__, stream, device, 0); }
HEDDLE_CUDA_TWIN(cudaStreamGetDevice, ptsz)

HEDDLE_CUDA int cudaStreamSetAttribute(void* stream, int, const void*) { return check(__func__, stream); }
HEDDLE_CUDA_TWIN(cudaStreamSetAttribute, ptsz)
HEDDLE_CUDA int cudaStreamGetAttribute(void* stream, int, void* value) {
  return Runtime::instance().call(__func__, [&](Runtime& r) {
    r.check_stream(stream);
    std::memset(&at(static_cast<char*>(value)), 0, kAttributeBytes);
  });
}
HEDDLE_CUDA_TWIN(cudaStreamGetAttribute, ptsz)
HEDDLE_CUDA int cudaStreamCopyAttributes(void* target, void* source) {
  const int status = check(__func__, target);
  return status == cudaSuccess ? check(__func__, source) : status;
}
HEDDLE_CUDA_TWIN(cudaStreamCopyAttributes, ptsz)

}  // namespace heddle::cudart
