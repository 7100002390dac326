// Measures, with %clock, latencies of dependent instructions on the GPU. Subtracts the times of two chains of
// different lengths. This removes the time of the instructions around the chains.

#include <algorithm>
#include <random>

#include "tests/on_gpu/units.h"

namespace heddle::on_gpu {

namespace {

struct Chain {
  const char* name;
  const char* body;  ///< PTX of two instructions, each of which depends on the previous one
  int instructions = 2;
};
constexpr Chain kChains[] = {
    {"integer add", "add.s32 %a, %a, %b; add.s32 %b, %b, %a;"},
    {"shift", "shl.b32 %a, %a, %b; shr.u32 %b, %a, %a;"},
    {"integer multiply", "mul.lo.s32 %a, %a, %b; mul.lo.s32 %b, %b, %a;"},
    {"single-precision add", "add.f32 %f, %f, %g; add.f32 %g, %g, %f;"},
    {"single-precision fused multiply-add", "fma.rn.f32 %f, %f, %g, %g; fma.rn.f32 %g, %g, %f, %f;"},
    {"double-precision add", "add.f64 %d, %d, %e; add.f64 %e, %e, %d;"},
    {"double-precision fused multiply-add", "fma.rn.f64 %d, %d, %e, %e; fma.rn.f64 %e, %e, %d, %d;"},
    {"half-precision pair, fused multiply-add", "fma.rn.f16x2 %a, %a, %b, %b; fma.rn.f16x2 %b, %b, %a, %a;"},
    {"special function (ex2.approx.ftz)", "ex2.approx.ftz.f32 %f, %f; ex2.approx.ftz.f32 %f, %f;"},
    {"special function (ex2.approx)", "ex2.approx.f32 %f, %f; ex2.approx.f32 %f, %f;"},
    {"special function (rsqrt.approx.ftz)", "rsqrt.approx.ftz.f32 %f, %f; rsqrt.approx.ftz.f32 %f, %f;"},
    {"population count", "popc.b32 %a, %a; popc.b32 %a, %a;"},
    {"conversion and back", "cvt.rn.f32.s32 %f, %a; cvt.rzi.s32.f32 %a, %f;"},
    {"shuffle", "shfl.sync.bfly.b32 %a, %a, 1, 31, -1; shfl.sync.bfly.b32 %a, %a, 2, 31, -1;"},
    {"shared memory load", "ld.shared.u32 %a, [%a]; ld.shared.u32 %a, [%a];"},
    {"global load, L1", "ld.global.ca.u64 %p, [%p]; ld.global.ca.u64 %p, [%p];"},
    {"global load, past L1", "ld.global.cg.u64 %p, [%p]; ld.global.cg.u64 %p, [%p];"}};

/// Returns PTX that executes the chain twice. At the second time, instructions and data are in the caches.
std::string text_of(const Chain& chain, int copies) {
  std::string text =
      ".version 7.8\n.target sm_75\n.address_size 64\n"
      ".visible .entry chain(.param .u64 p, .param .u64 ring) {\n"
      ".reg .b32 %a, %b, %start, %end, %base; .reg .f32 %f, %g; .reg .f64 %d, %e; .reg .b64 %p, %out; .reg "
      ".pred %q, %s;\n"
      ".shared .align 4 .b32 word[4];\n"
      "ld.param.u64 %out, [p]; ld.param.u64 %p, [ring]; mov.u32 %a, %tid.x; mov.u32 %b, %laneid;\n"
      "cvt.rn.f32.u32 %f, %a; cvt.rn.f32.u32 %g, %b; cvt.rn.f64.u32 %d, %a; cvt.rn.f64.u32 %e, %b;\n"
      "mov.u32 %base, word; st.shared.u32 [%base], %base; bar.sync 0; mov.pred %q, 0;\n";
  if (std::string(chain.body).find("shared") != std::string::npos) text += "mov.u32 %a, %base;\n";
  text += "again:\nmov.u32 %start, %clock;\n";
  for (int i = 0; i < copies; ++i) text += std::string(chain.body) + "\n";
  text +=
      "cvt.rzi.u32.f32 %b, %g; cvt.rzi.u32.f64 %b, %e; st.global.u64 [%out+16], %p; st.global.f32 [%out+24], "
      "%f;\n"
      "st.global.f64 [%out+32], %d; st.global.u32 [%out+40], %a; st.global.u32 [%out+44], %b;\n"
      "mov.u32 %end, %clock; sub.u32 %end, %end, %start; st.global.u32 [%out], %end;\n"
      "not.pred %q, %q; @%q bra again;\nret;\n}\n";
  return text;
}

/// A buffer of `bytes` bytes with a ring of pointers, `stride` bytes apart. Each pointer points to the next
/// one.
struct Ring {
  const char* name;
  std::uint64_t bytes, stride;
};

double cycles(const Driver& gpu, const Chain& chain, const Ring& ring) {
  const DeviceBytes out(gpu, 256), memory(gpu, ring.bytes);
  std::vector<std::uint8_t> addresses(ring.bytes);
  for (std::uint64_t at = 0; at < ring.bytes; at += ring.stride) {
    const std::uint64_t next = memory.address() + (at + ring.stride) % ring.bytes;
    for (std::size_t i = 0; i < sizeof next; ++i)
      addresses[at + i] = static_cast<std::uint8_t>(next >> (8 * i));
  }
  memory.fill(addresses);
  constexpr int kCopies[] = {64, 192};
  double measured[2] = {};
  for (int i = 0; i < 2; ++i) {
    const CUmodule module = gpu.load(text_of(chain, kCopies[i]));
    CUfunction function = nullptr;
    HEDDLE_GPU_CALL(gpu, cuModuleGetFunction, &function, module, "chain");
    std::uint64_t parameters[2] = {out.address(), memory.address()};
    void* pointers[2] = {&parameters[0], &parameters[1]};
    std::uint32_t least = ~0u;
    for (int run = 0; run < 3; ++run) {
      HEDDLE_GPU_CALL(gpu, cuLaunchKernel, function, 1u, 1u, 1u, 32u, 1u, 1u, 0u, CUstream{}, pointers,
                      static_cast<void**>(nullptr));
      HEDDLE_GPU_CALL(gpu, cuCtxSynchronize);
      std::vector<std::uint8_t> result(4);
      out.read(result);
      least = std::min(
          least, result[0] | result[1] << 8 | result[2] << 16 | static_cast<std::uint32_t>(result[3]) << 24);
    }
    measured[i] = least;
    gpu.cuModuleUnload(module);
  }
  return (measured[1] - measured[0]) / (chain.instructions * (kCopies[1] - kCopies[0]));
}

}  // namespace

boost::json::object measure_latencies(const Driver& gpu) {
  boost::json::object result;
  const Ring near{"", 8192, 64};
  for (const Chain& chain : kChains) {
    try {
      result[chain.name] = cycles(gpu, chain, near);
    } catch (const GpuError& error) {
      result[chain.name] = error.what();
    }
  }
  const Chain& past = kChains[std::size(kChains) - 1];
  for (const Ring& ring : {Ring{"past L1, ring of 2 MiB", 2u << 20, 4096},
                           Ring{"past L1, ring of 512 MiB", 512u << 20, 1u << 20}})
    result[ring.name] = cycles(gpu, past, ring);
  return result;
}

}  // namespace heddle::on_gpu
