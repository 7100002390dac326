// Tests PTX texts linked at run time: functions and variables of other texts, names that two texts define, and refused
// links.
#include <cuda.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

static long wrong = 0, all = 0;
static void expect(bool holds, const char* what, int got) {
  ++all;
  if (holds) return;
  ++wrong;
  std::printf("%s: %d\n", what, got);
}
#define GIVES(call, code) \
  do { const CUresult status = call; expect(status == code, #call, status); } while (0)

#define HEAD ".version 6.0\n.target sm_50\n.address_size 64\n"
static const char library[] = HEAD
    ".visible .global .u32 calls = 40;\n"
    ".func (.param .u32 r) helper() { .reg .u32 %a; mov.u32 %a, 2; st.param.u32 [r], %a; ret; }\n"
    ".visible .func (.param .u32 r) nine() { .reg .u32 %a<3>; .param .u32 h; call.uni (h), helper, ();\n"
    "  ld.param.u32 %a0, [h]; ld.global.u32 %a1, [calls]; add.u32 %a2, %a0, %a1; st.param.u32 [r], %a2; ret; }\n";
static const char program[] = HEAD
    ".extern .func (.param .u32 r) nine();\n"
    ".func (.param .u32 r) helper() { .reg .u32 %a; mov.u32 %a, 1000; st.param.u32 [r], %a; ret; }\n"
    ".visible .entry go(.param .u64 o) { .reg .u64 %q; .reg .u32 %v<3>; .param .u32 r; .param .u32 h;\n"
    "  ld.param.u64 %q, [o]; call.uni (r), nine, (); ld.param.u32 %v0, [r]; call.uni (h), helper, ();\n"
    "  ld.param.u32 %v1, [h]; vadd.u32.u32.u32 %v2, %v0, %v1; st.global.u32 [%q], %v2; ret; }\n";

int main() {
  CUdevice device;
  CUcontext context;
  GIVES(cuInit(0), CUDA_SUCCESS);
  GIVES(cuDeviceGet(&device, 0), CUDA_SUCCESS);
  GIVES(cuCtxCreate(&context, 0, device), CUDA_SUCCESS);

  char log[256];
  CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
  void* values[] = {log, (void*)sizeof log};
  CUlinkState link;
  void* image = nullptr;
  size_t bytes = 0;
  GIVES(cuLinkCreate(2, options, values, &link), CUDA_SUCCESS);
  GIVES(cuLinkAddData(link, CU_JIT_INPUT_PTX, (void*)library, sizeof library, "library", 0, nullptr, nullptr), CUDA_SUCCESS);
  // The text is passed without a terminating zero byte.
  GIVES(cuLinkAddData(link, CU_JIT_INPUT_PTX, (void*)program, std::strlen(program), "program", 0, nullptr, nullptr),
        CUDA_SUCCESS);
  GIVES(cuLinkComplete(link, &image, &bytes), CUDA_SUCCESS);
  CUmodule module;
  CUfunction go;
  CUdeviceptr out;
  unsigned value = 0;
  GIVES(cuModuleLoadData(&module, image), CUDA_SUCCESS);
  GIVES(cuLinkDestroy(link), CUDA_SUCCESS);
  GIVES(cuModuleGetFunction(&go, module, "go"), CUDA_SUCCESS);
  GIVES(cuMemAlloc(&out, 4), CUDA_SUCCESS);
  void* arguments[] = {&out};
  GIVES(cuLaunchKernel(go, 1, 1, 1, 1, 1, 1, 0, nullptr, arguments, nullptr), CUDA_SUCCESS);
  GIVES(cuMemcpyDtoH(&value, out, 4), CUDA_SUCCESS);
  expect(value == 1042, "sum", static_cast<int>(value));
  int grid = 0, block = 0;
  GIVES(cuOccupancyMaxPotentialBlockSize(&grid, &block, go, nullptr, 0, 0), CUDA_SUCCESS);
  expect(grid > 0 && block > 0 && block % 32 == 0, "block", block);

  GIVES(cuLinkDestroy(link), CUDA_ERROR_INVALID_HANDLE);
  GIVES(cuLinkCreate(2, options, values, &link), CUDA_SUCCESS);
  GIVES(cuLinkComplete(link, &image, &bytes), CUDA_ERROR_INVALID_VALUE);
  values[0] = log, values[1] = (void*)sizeof log;
  GIVES(cuLinkAddData(link, CU_JIT_INPUT_CUBIN, (void*)"\177ELF", 4, "a cubin", 2, options, values), CUDA_ERROR_INVALID_IMAGE);
  expect(std::strstr(log, "machine code") != nullptr, log, 0);
  GIVES(cuLinkAddFile(link, CU_JIT_INPUT_PTX, "is-not-there.ptx", 0, nullptr, nullptr), CUDA_ERROR_FILE_NOT_FOUND);
  GIVES(cuLinkAddData(link, CU_JIT_INPUT_PTX, (void*)".version 6.0 nonsense", 21, "text", 0, nullptr, nullptr), CUDA_SUCCESS);
  GIVES(cuLinkComplete(link, &image, &bytes), CUDA_ERROR_INVALID_PTX);
  GIVES(cuLinkDestroy(link), CUDA_SUCCESS);
  std::printf("%ld wrong of %ld\n", wrong, all);
  return wrong != 0;
}
