// Header for the random CUDA programs. The same source is CUDA C++ and plain C++. On a GPU, a kernel runs the
// phases of a program, with barriers between them; on the host, each phase is a loop over the threads.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <vector>

#ifdef __CUDACC__
#include "check.h"
#define DEVICE __device__
#define SHARED_WITH_HOST __host__ __device__
#define APART __device__ __noinline__
#define TABLE __constant__
#else
#define DEVICE
#define SHARED_WITH_HOST
#define APART __attribute__((noinline))
#define TABLE const
#endif

using u32 = std::uint32_t;
using i32 = std::int32_t;
using u64 = std::uint64_t;
using i64 = std::int64_t;

// kInputs, kCounters, kHalf: numbers of words. kHalf is also the largest number of threads in a block.
constexpr u32 kInputs = 256, kCounters = 16, kHalf = 128;

struct State {
  u32 u[6];
  i32 i[4];
  u64 l[4];
  float f[4];
  double d[4];
  u32 own[8];
};

struct Place {
  u32 thread, block, phase;
  const u32* in;
  u32* shared;    // in a phase, threads write own words in one half of this array, and read the other half
  u32* counters;  // for atomics whose result does not depend on their order
};

DEVICE inline i32 sum(i32 a, i32 b) { return static_cast<i32>(static_cast<u32>(a) + static_cast<u32>(b)); }
DEVICE inline i32 difference(i32 a, i32 b) {
  return static_cast<i32>(static_cast<u32>(a) - static_cast<u32>(b));
}
DEVICE inline i32 product(i32 a, i32 b) {
  return static_cast<i32>(static_cast<u32>(a) * static_cast<u32>(b));
}
DEVICE inline i32 quotient(i32 a, i32 b) { return b == 0 || b == -1 ? difference(0, a) : a / b; }
DEVICE inline i32 remainder_of(i32 a, i32 b) { return b == 0 || b == -1 ? a : a % b; }
SHARED_WITH_HOST inline u32 rotated(u32 a, u32 by) { return a << (by & 31) | a >> ((32 - (by & 31)) & 31); }
DEVICE inline u32 to_u32(double v) { return v >= 0 && v < 4e9 ? static_cast<u32>(v) : 11; }
DEVICE inline i32 to_i32(double v) { return v > -2e9 && v < 2e9 ? static_cast<i32>(v) : -13; }
DEVICE inline u64 to_u64(double v) { return v >= 0 && v < 1.8e19 ? static_cast<u64>(v) : 17; }

#ifdef __CUDACC__
DEVICE inline u32 high_half(u32 a, u32 b) { return __umulhi(a, b); }
DEVICE inline u32 ones(u32 a) { return __popc(a); }
DEVICE inline u32 leading(u32 a) { return __clz(a); }
DEVICE inline u32 reversed(u32 a) { return __brev(a); }
DEVICE inline void add(u32* to, u32 value) { atomicAdd(to, value); }
DEVICE inline void raise(u32* to, u32 value) { atomicMax(to, value); }
DEVICE inline void flip(u32* to, u32 value) { atomicXor(to, value); }
#else
inline u32 high_half(u32 a, u32 b) { return static_cast<u32>(u64{a} * b >> 32); }
inline u32 ones(u32 a) {
  u32 n = 0;
  for (; a; a &= a - 1) ++n;
  return n;
}
inline u32 leading(u32 a) {
  u32 n = 32;
  for (; a; a >>= 1) --n;
  return n;
}
inline u32 reversed(u32 a) {
  u32 r = 0;
  for (int bit = 0; bit < 32; ++bit) r |= (a >> bit & 1) << (31 - bit);
  return r;
}
inline void add(u32* to, u32 value) { *to += value; }
inline void raise(u32* to, u32 value) { *to = *to < value ? value : *to; }
inline void flip(u32* to, u32 value) { *to ^= value; }
#endif

DEVICE inline void begin(State& s, const u32* in, u32 thread, u32 block) {
  for (u32 k = 0; k < 6; ++k) s.u[k] = in[(thread * 7 + block * 31 + k) % kInputs];
  for (u32 k = 0; k < 4; ++k) {
    s.i[k] = static_cast<i32>(s.u[k] * 0x9e3779b9u);
    s.l[k] = u64{s.u[k]} << 32 | s.u[k + 1];
    s.f[k] = static_cast<float>(s.i[k]) / 65536.0f;
    s.d[k] = static_cast<double>(s.i[k]) / 3.0;
  }
  for (u32 k = 0; k < 8; ++k) s.own[k] = in[(block + k * 13) % kInputs];
}

// All NaNs are hashed as the same NaN, because hosts and GPUs produce NaNs with different bits.
inline void print(const char* program, u32 thread, const State& s) {
  u64 hash = 0xcbf29ce484222325;
  const auto word = [&hash](u64 value) { hash = (hash ^ value) * 0x100000001b3 ^ hash >> 29; };
  for (const u32 value : s.u) word(value);
  for (const i32 value : s.i) word(static_cast<u32>(value));
  for (const u64 value : s.l) word(value);
  for (const float value : s.f) {
    u32 bits = 0x7fc00000;
    if (value == value) std::memcpy(&bits, &value, sizeof bits);
    word(bits);
  }
  for (const double value : s.d) {
    u64 bits = 0x7ff8000000000000;
    if (value == value) std::memcpy(&bits, &value, sizeof bits);
    word(bits);
  }
  for (const u32 value : s.own) word(value);
  std::printf("%s thread %u: %08x %08x %016llx %.9g %.17g %016llx\n", program, thread, s.u[0],
              static_cast<u32>(s.i[0]), static_cast<unsigned long long>(s.l[0]),
              s.f[0] == s.f[0] ? s.f[0] : 0, s.d[0] == s.d[0] ? s.d[0] : 0,
              static_cast<unsigned long long>(hash));
}

#ifdef __CUDACC__
template <class Program>
__global__ void run_phases(const u32* in, State* out, u32* counters) {
  __shared__ u32 shared[2 * kHalf];
  for (u32 k = threadIdx.x; k < 2 * kHalf; k += blockDim.x) shared[k] = k * 0x85ebca6bu;
  __syncthreads();
  State s;
  Place p{threadIdx.x, blockIdx.x, 0, in, shared, counters};
  begin(s, in, p.thread, p.block);
  for (; p.phase < Program::kPhases; ++p.phase) {
    Program::phase(s, p);
    __syncthreads();
    s.u[1] ^= __shfl_xor_sync(~0u, s.u[0], Program::partner(p.phase));
    s.u[2] += __ballot_sync(~0u, s.u[3] & 1);
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = s;
}

template <class Program>
void run_blocks(const std::vector<u32>& in, std::vector<State>& out, std::vector<u32>& counters) {
  u32 *device_in, *device_counters;
  State* device_out;
  MUST(cudaMalloc(&device_in, in.size() * sizeof(u32)));
  MUST(cudaMalloc(&device_out, out.size() * sizeof(State)));
  MUST(cudaMalloc(&device_counters, counters.size() * sizeof(u32)));
  MUST(cudaMemcpy(device_in, in.data(), in.size() * sizeof(u32), cudaMemcpyHostToDevice));
  MUST(cudaMemset(device_counters, 0, counters.size() * sizeof(u32)));
  run_phases<Program><<<Program::kBlocks, Program::kThreads>>>(device_in, device_out, device_counters);
  MUST(cudaDeviceSynchronize());
  MUST(cudaMemcpy(out.data(), device_out, out.size() * sizeof(State), cudaMemcpyDeviceToHost));
  MUST(cudaMemcpy(counters.data(), device_counters, counters.size() * sizeof(u32), cudaMemcpyDeviceToHost));
}
#else
template <class Program>
void run_blocks(const std::vector<u32>& in, std::vector<State>& out, std::vector<u32>& counters) {
  constexpr u32 kThreads = Program::kThreads, kWarp = 32;
  for (u32 block = 0; block < Program::kBlocks; ++block) {
    u32 shared[2 * kHalf];
    for (u32 k = 0; k < 2 * kHalf; ++k) shared[k] = k * 0x85ebca6bu;
    State* const all = &out[block * kThreads];
    for (u32 thread = 0; thread < kThreads; ++thread) begin(all[thread], in.data(), thread, block);
    for (u32 phase = 0; phase < Program::kPhases; ++phase) {
      for (u32 thread = 0; thread < kThreads; ++thread)
        Program::phase(all[thread], {thread, block, phase, in.data(), shared, counters.data()});
      u32 given[kThreads], ballots[kThreads / kWarp] = {};
      for (u32 thread = 0; thread < kThreads; ++thread) {
        given[thread] = all[thread].u[0];
        ballots[thread / kWarp] |= (all[thread].u[3] & 1) << thread % kWarp;
      }
      for (u32 thread = 0; thread < kThreads; ++thread) {
        all[thread].u[1] ^= given[thread ^ Program::partner(phase)];
        all[thread].u[2] += ballots[thread / kWarp];
      }
    }
  }
}
#endif

template <class Program>
void run(const char* name, u32 seed) {
  std::vector<u32> in(kInputs), counters(kCounters);
  for (u32 k = 0; k < kInputs; ++k) in[k] = rotated((seed + k) * 0x9e3779b9u, k) ^ (k % 5 ? 0 : ~0u);
  for (u32 k = 0; k < kInputs; k += 3) in[k] &= 0xff;
  std::vector<State> out(Program::kBlocks * Program::kThreads);
  run_blocks<Program>(in, out, counters);
  for (std::size_t thread = 0; thread < out.size(); ++thread)
    print(name, static_cast<u32>(thread), out[thread]);
  for (u32 k = 0; k < kCounters; ++k) std::printf("%s counter %u: %08x\n", name, k, counters[k]);
}
