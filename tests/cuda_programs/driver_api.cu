// Loads a module and launches its kernels with CUDA's driver interface.
#include <cuda.h>

#include <cstdio>
#include <cstdlib>

#define MUST(call)                                               \
  do {                                                           \
    const CUresult status = call;                                \
    if (status != CUDA_SUCCESS) {                                \
      std::printf("line %d: %s: %d\n", __LINE__, #call, status); \
      std::exit(2);                                              \
    }                                                            \
  } while (0)

static const char* const text = R"(
.version 7.0
.target sm_50
.address_size 64
.global .align 4 .u32 offset = 7;
.visible .entry scale(.param .u64 values, .param .u32 n, .param .u32 factor) {
  .reg .pred %p<2>;
  .reg .b32 %r<8>;
  .reg .b64 %rd<4>;
  ld.param.u64 %rd1, [values];
  ld.param.u32 %r1, [n];
  ld.param.u32 %r2, [factor];
  mov.u32 %r3, %tid.x;
  setp.ge.u32 %p1, %r3, %r1;
  @%p1 bra done;
  mul.wide.u32 %rd2, %r3, 4;
  add.s64 %rd3, %rd1, %rd2;
  ld.global.u32 %r4, [%rd3];
  ld.global.u32 %r5, [offset];
  mad.lo.u32 %r6, %r4, %r2, %r5;
  st.global.u32 [%rd3], %r6;
done:
  ret;
}
)";

int main() {
  const unsigned n = 50;
  unsigned host[n];
  for (unsigned i = 0; i < n; ++i) host[i] = i;
  CUdevice device;
  CUcontext context;
  CUmodule module;
  CUfunction kernel;
  CUdeviceptr values, offset;
  size_t bytes;
  MUST(cuInit(0));
  MUST(cuDeviceGet(&device, 0));
  MUST(cuDevicePrimaryCtxRetain(&context, device));
  MUST(cuCtxSetCurrent(context));
  MUST(cuModuleLoadData(&module, text));
  MUST(cuModuleGetFunction(&kernel, module, "scale"));
  MUST(cuModuleGetGlobal(&offset, &bytes, module, "offset"));
  MUST(cuMemAlloc(&values, sizeof host));
  MUST(cuMemcpyHtoD(values, host, sizeof host));
  unsigned count = n, factor = 3;
  void* parameters[] = {&values, &count, &factor};
  MUST(cuLaunchKernel(kernel, 1, 1, 1, 64, 1, 1, 0, nullptr, parameters, nullptr));
  MUST(cuMemsetD32(offset, 1, 1));
  struct {
    CUdeviceptr values;
    unsigned count, factor;
  } block = {values, n, 2};
  size_t size = sizeof block;
  void* extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &block, CU_LAUNCH_PARAM_BUFFER_SIZE, &size, CU_LAUNCH_PARAM_END};
  MUST(cuLaunchKernel(kernel, 1, 1, 1, 64, 1, 1, 0, nullptr, nullptr, extra));
  MUST(cuCtxSynchronize());
  MUST(cuMemcpyDtoH(host, values, sizeof host));
  CUfunction none;
  long wrong = (bytes != 4) + (cuModuleGetFunction(&none, module, "absent") != CUDA_ERROR_NOT_FOUND);
  for (unsigned i = 0; i < n; ++i) wrong += host[i] != (3 * i + 7) * 2 + 1;
  MUST(cuMemFree(values));
  MUST(cuModuleUnload(module));
  std::printf("%ld wrong of %u\n", wrong, n + 2);
  return wrong != 0;
}
