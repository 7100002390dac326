// One-line kernels whose results are exact: what stands on the device, and what C++ on the host says. Both see the same
// numbers: int i of the thread, unsigned x y z, int s t, unsigned long long p q, float f g h, double d e, and give one number.
//
// Read by one_liners.cu and by one_liners_test.cpp.
// LINE(family, device, host)

// clang-format off: a row is a line

LINE(integer, __popc(x), std::popcount(x))
LINE(integer, __popcll(p), std::popcount(p))
LINE(integer, __clz(s), std::countl_zero(x))
LINE(integer, __clzll((long long)p), std::countl_zero(p))
LINE(integer, __clz(0), 32)
LINE(integer, __ffs(s & ~1), x & ~1u ? std::countr_zero(x & ~1u) + 1 : 0)
LINE(integer, __ffs(0), 0)
LINE(integer, __ffsll((long long)(p << 7)), (p << 7) ? std::countr_zero(p << 7) + 1 : 0)
LINE(integer, __brev(x), reversed(x) >> 32)
LINE(integer, __brevll(p), reversed(p))
LINE(integer, __byte_perm(x, y, z), bytes_picked(x, y, z))
LINE(integer, __funnelshift_l(x, y, z), (unsigned)(pair_of(x, y) << (z & 31) >> 32))
LINE(integer, __funnelshift_lc(x, y, z & 63), (unsigned)(pair_of(x, y) << std::min(z & 63, 32u) >> 32))
LINE(integer, __funnelshift_r(x, y, z), (unsigned)(pair_of(x, y) >> (z & 31)))
LINE(integer, __funnelshift_rc(x, y, z & 63), (unsigned)(pair_of(x, y) >> std::min(z & 63, 32u)))
LINE(integer, __mulhi(s, t), (int)((long long)s* t >> 32))
LINE(integer, __umulhi(x, y), (unsigned)((unsigned long long)x* y >> 32))
LINE(integer, __mul64hi((long long)p, (long long)q), (long long)((__int128)(long long)p*(long long)q >> 64))
LINE(integer, __umul64hi(p, q), (unsigned long long)((unsigned __int128)p* q >> 64))
LINE(integer, __mul24(s, t), (int)((unsigned)(s << 8 >> 8) * (unsigned)(t << 8 >> 8)))
LINE(integer, __umul24(x, y), (x & 0xffffff) * (y & 0xffffff))
LINE(integer, __sad(s, t, z), (unsigned)std::llabs((long long)s - t) + z)
LINE(integer, __usad(x, y, z), (unsigned)std::llabs((long long)x - y) + z)
LINE(integer, __hadd(s, t), (int)(((long long)s + t) >> 1))
LINE(integer, __rhadd(s, t), (int)(((long long)s + t + 1) >> 1))
LINE(integer, __uhadd(x, y), (unsigned)(((unsigned long long)x + y) >> 1))
LINE(integer, __urhadd(x, y), (unsigned)(((unsigned long long)x + y + 1) >> 1))
LINE(integer, __dp4a(s, t, i), dot_of_bytes<signed char>(x, y, i))
LINE(integer, __dp4a(x, y, z), dot_of_bytes<unsigned char>(x, y, (int)z))
LINE(integer, __dp2a_lo(s, t, i), (dot_of_halves<short, signed char>(x, y, i)))
LINE(integer, __dp2a_hi(x, y, z), (dot_of_halves<unsigned short, unsigned char>(x, y >> 16, (int)z)))
LINE(integer, __fns(x, 0, 1), x ? (unsigned)std::countr_zero(x) : ~0u)
LINE(integer, min(s, t), std::min(s, t))
LINE(integer, max(s, t), std::max(s, t))
LINE(integer, min(x, y), std::min(x, y))
LINE(integer, max(x, s), std::max(x, (unsigned)s))
LINE(integer, min(p, q), std::min(p, q))
LINE(integer, max((long long)p, (long long)q), std::max((long long)p, (long long)q))
LINE(integer, umin(x, y), std::min(x, y))
LINE(integer, abs(s), std::abs(s))
LINE(integer, labs((long)s), std::labs(s))
LINE(integer, llabs((long long)p), std::llabs((long long)p))
LINE(integer, std::abs(s), std::abs(s))
LINE(integer, s / t, s / t)
LINE(integer, p % q, p % q)
LINE(simd, __vadd2(x, y), by_parts<unsigned short>(x, y, [](int a, int b) { return a + b; }))
LINE(simd, __vadd4(x, y), by_parts<unsigned char>(x, y, [](int a, int b) { return a + b; }))
LINE(simd, __vaddss2(x, y),
     by_parts<short>(x, y, [](int a, int b) { return std::clamp(a + b, -32768, 32767); }))
LINE(simd, __vsubus4(x, y), by_parts<unsigned char>(x, y, [](int a, int b) { return std::max(a - b, 0); }))
LINE(simd, __vabsdiffu4(x, y), by_parts<unsigned char>(x, y, [](int a, int b) { return std::abs(a - b); }))
LINE(simd, __vabsss4(x), by_parts<signed char>(x, y, [](int a, int) { return std::min(std::abs(a), 127); }))
LINE(simd, __vavgu4(x, y), by_parts<unsigned char>(x, y, [](int a, int b) { return (a + b + 1) / 2; }))
LINE(simd, __vmaxs2(x, y), by_parts<short>(x, y, [](int a, int b) { return std::max(a, b); }))
LINE(simd, __vminu4(x, y), by_parts<unsigned char>(x, y, [](int a, int b) { return std::min(a, b); }))
LINE(simd, __vcmpgts2(x, y), by_parts<short>(x, y, [](int a, int b) { return a > b ? -1 : 0; }))
LINE(simd, __vseteq4(x, y & 0xff | x & ~0xff),
     by_parts<unsigned char>(x, (y & 0xff) | (x & ~0xffu), [](int a, int b) { return a == b; }))
LINE(simd, __vneg2(x), by_parts<short>(x, y, [](int a, int) { return -a; }))
LINE(simd, __vsadu4(x, y),
     sum_of_parts(by_parts<unsigned char>(x, y, [](int a, int b) { return std::abs(a - b); })))
LINE(simd, __vimax3_s32(s, t, i), std::max({s, t, i}))
LINE(simd, __viaddmin_s32_relu(s / 2, t / 2, i), std::max(std::min(s / 2 + t / 2, i), 0))
LINE(arithmetic, fmaf(f, g, h), std::fma(f, g, h))
LINE(arithmetic, fma(d, e, d), std::fma(d, e, d))
LINE(arithmetic, __fadd_rn(f, g), f + g)
LINE(arithmetic, __fsub_rn(f, g), f - g)
LINE(arithmetic, __fmul_rn(f, g), f* g)
LINE(arithmetic, __fmaf_rn(f, g, h), std::fma(f, g, h))
LINE(arithmetic, __fdiv_rn(f, g), f / g)
LINE(arithmetic, __frcp_rn(f), 1 / f)
LINE(arithmetic, __fsqrt_rn(fabsf(f)), std::sqrt(std::fabs(f)))
LINE(arithmetic, __frsqrt_rn(fabsf(f)), (float)(1 / std::sqrt((long double)std::fabs(f))))
LINE(arithmetic, __fadd_rz(f, g), rounded(FE_TOWARDZERO, [=] { return f + g; }))
LINE(arithmetic, __fmul_ru(f, g), rounded(FE_UPWARD, [=] { return f * g; }))
LINE(arithmetic, __fdiv_rd(f, g), rounded(FE_DOWNWARD, [=] { return f / g; }))
LINE(arithmetic, __dadd_ru(d, e), rounded(FE_UPWARD, [=] { return d + e; }))
LINE(arithmetic, __dmul_rd(d, e), rounded(FE_DOWNWARD, [=] { return d * e; }))
LINE(arithmetic, __ddiv_rz(d, e), rounded(FE_TOWARDZERO, [=] { return d / e; }))
LINE(arithmetic, __dsub_rn(d, e), d - e)
LINE(arithmetic, __fma_rn(d, e, d), std::fma(d, e, d))
LINE(arithmetic, __drcp_rn(d), 1 / d)
LINE(arithmetic, __dsqrt_rn(fabs(d)), std::sqrt(std::fabs(d)))
LINE(arithmetic, __saturatef(f / 64), std::clamp(f / 64, 0.0f, 1.0f))
LINE(arithmetic, max(f, g), std::max(f, g))
LINE(arithmetic, min(d, e), std::min(d, e))
LINE(arithmetic, min(f, d), std::min((double)f, d))
LINE(arithmetic, fmaxf(f, g), std::max(f, g))
LINE(arithmetic, fmin(d, e), std::min(d, e))
LINE(arithmetic, fabsf(f), std::fabs(f))
LINE(arithmetic, std::abs(d), std::fabs(d))
LINE(arithmetic, abs(f), std::fabs(f))
LINE(arithmetic, floorf(f), std::floor(f))
LINE(arithmetic, ceil(d), std::ceil(d))
LINE(arithmetic, truncf(f), std::trunc(f))
LINE(arithmetic, roundf(f * 0.5f), std::round(f * 0.5f))
LINE(arithmetic, round((double)(int)d + 0.5), std::round((double)(int)d + 0.5))
LINE(arithmetic, rint((int)d + 0.5), std::rint((int)d + 0.5))
LINE(arithmetic, nearbyintf(f), std::nearbyint(f))
LINE(arithmetic, lrintf(f), std::lrint(f))
LINE(arithmetic, llround(d), std::llround(d))
LINE(arithmetic, copysignf(f, g), std::copysign(f, g))
LINE(arithmetic, fdim(d, e), std::fdim(d, e))
LINE(arithmetic, fmodf(f, g), std::fmod(f, g))
LINE(arithmetic, remainder(d, e), std::remainder(d, e))
LINE(arithmetic, ldexp(d, i - 40), std::ldexp(d, i - 40))
LINE(arithmetic, ldexpf(f, -i * 4), std::ldexp(f, -i * 4))
LINE(arithmetic, scalbn(d, -1040 - i), std::scalbn(d, -1040 - i))
LINE(arithmetic, ilogbf(f), std::ilogb(f))
LINE(arithmetic, logb(d), std::logb(d))
LINE(arithmetic, nextafterf(f, g), std::nextafter(f, g))
LINE(arithmetic, nextafter(d, e), std::nextafter(d, e))
LINE(arithmetic, isnan(f / (g - g)) + 2 * isinf(f / (g - g)), 2)
LINE(arithmetic, isfinite(d) + 2 * signbit(d), 1 + 2 * std::signbit(d))
LINE(arithmetic, ({
       int n;
       frexpf(f, &n) + n;
     }),
     ({
       int n;
       const float m = std::frexp(f, &n);
       m + (float)n;
     }))
LINE(arithmetic, ({
       double w;
       modf(d, &w) + 2 * w;
     }),
     ({
       double w;
       const double r = std::modf(d, &w);
       r + 2 * w;
     }))
LINE(arithmetic, ({
       int n;
       remquo(d, e, &n) + (n & 7);
     }),
     ({
       int n;
       const double r = std::remquo(d, e, &n);
       r + (n & 7);
     }))
LINE(arithmetic, std::sqrt(16), 4.0)
LINE(arithmetic, std::pow(2, 10), 1024.0)
LINE(arithmetic, pow(3.0f, 4), 81.0)
LINE(conversion, __float2int_rn(f), (int)std::lrint(f))
LINE(conversion, __float2int_rz(f), (int)f)
LINE(conversion, __float2uint_ru(fabsf(f)), (unsigned)std::ceil(std::fabs(f)))
LINE(conversion, __float2ll_rd(f), (long long)std::floor(f))
LINE(conversion, __double2int_ru(d), (int)std::ceil(d))
LINE(conversion, __double2ull_rn(fabs(d)), (unsigned long long)std::llrint(std::fabs(d)))
LINE(conversion, __float2int_rz(f * 1e9f), (int)std::clamp((double)(f * 1e9f), -2147483648.0, 2147483647.0))
LINE(conversion, __double2uint_rd(d * 1e9), (unsigned)std::clamp(std::floor(d * 1e9), 0.0, 4294967295.0))
LINE(conversion, __int2float_rn(s), (float)s)
LINE(conversion, __uint2float_rz(x), rounded(FE_TOWARDZERO, [=] {
       volatile unsigned v = x;
       return (float)v;
     }))
LINE(conversion, __ll2double_rd((long long)p), rounded(FE_DOWNWARD, [=] {
       volatile long long v = (long long)p;
       return (double)v;
     }))
LINE(conversion, __ull2float_rn(p), (float)p)
LINE(conversion, __double2float_ru(d), rounded(FE_UPWARD, [=] { return (float)d; }))
LINE(conversion, __float_as_int(f), std::bit_cast<int>(f))
LINE(conversion, __uint_as_float(x & 0x3fffffff), std::bit_cast<float>(x & 0x3fffffff))
LINE(conversion, __double_as_longlong(d), std::bit_cast<long long>(d))
LINE(conversion, __double2hiint(d), (int)(std::bit_cast<long long>(d) >> 32))
LINE(conversion, __hiloint2double(s & 0x3fffffff, t),
     std::bit_cast<double>((unsigned long long)(s & 0x3fffffff) << 32 | y))
LINE(types, make_float4(f, g, h, 1).z, h)
LINE(types, make_int3(1, 2, s).z, s)
LINE(types, make_uint3(1, 2, 3).y + sizeof(uint3), 14)
LINE(types, make_char4(1, 2, 3, 4).w + sizeof(char4) + alignof(short4), 16)
LINE(types, make_double2(d, e).y, e)
LINE(types, make_longlong2(1, (long long)p).y, (long long)p)
LINE(types, dim3(4, 5).z + dim3(7).y + sizeof(dim3), 14)
LINE(types, ({
       dim3 v = blockDim;
       uint3 w = threadIdx;
       v.x + w.y;
     }),
     32)
LINE(types, (int4{1, 2, 3, s}).w, s)
LINE(types, warpSize + (int)gridDim.y, 33)
LINE(memory, __ldg(&words[i]), x)
LINE(memory, __ldg((const float4*)words).w, std::bit_cast<float>(first_words[3]))
LINE(memory, __ldg((const unsigned char*)words + 5), first_words[1] >> 8 & 0xff)
LINE(memory, __ldcg((const double*)words + 1), std::bit_cast<double>(pair_of(first_words[2], first_words[3])))
LINE(memory, __ldcs((const int2*)words).y, (int)first_words[1])
LINE(memory, __ldcv((const short*)words + 3), (short)(first_words[1] >> 16))
LINE(memory, __isGlobal(words) + 2 * __isShared(words), 1)
LINE(memory, ({
       unsigned a[3];
       memcpy(a, words, 12);
       memset(a, 0, 4);
       a[0] + a[2];
     }),
     first_words[2])
LINE(warp, __activemask(), ~0u)
LINE(warp, __ballot_sync(~0u, i % 3 == 0), 0x49249249u)
LINE(warp, __any_sync(~0u, i == 5) + 2 * __all_sync(~0u, i < 31), 1)
LINE(warp, __any(i == 5) + 2 * __all(i < 31), 1)
LINE(warp, __ballot(i & 1), 0xaaaaaaaau)
LINE(warp, __shfl_sync(~0u, x, 7), lane(7).x)
LINE(warp, __shfl_sync(~0u, f, i + 1, 8), lane((i & ~7) + ((i + 1) & 7)).f)
LINE(warp, __shfl_sync(~0u, d, 3, 16), lane((i & 16) + 3).d)
LINE(warp, __shfl_up_sync(~0u, p, 3), lane(i < 3 ? i : i - 3).p)
LINE(warp, __shfl_up_sync(~0u, s, 2, 4), lane(i % 4 < 2 ? i : i - 2).s)
LINE(warp, __shfl_down_sync(~0u, d, 4), lane(i > 27 ? i : i + 4).d)
LINE(warp, __shfl_down_sync(~0u, x, 1, 2), lane(i | 1).x)
LINE(warp, __shfl_xor_sync(~0u, (long long)p, 16), (long long)lane(i ^ 16).p)
LINE(warp, __shfl_xor_sync(~0u, f, 1, 4), lane(i ^ 1).f)
LINE(warp, __shfl(s, 4), lane(4).s)
LINE(warp, __shfl_down(f, 16), lane(i > 15 ? i : i + 16).f)
LINE(warp, __match_any_sync(~0u, i / 4), 0xfu << (i / 4 * 4))
LINE(warp, __match_any_sync(~0u, (long long)(i & 1) << 40), i & 1 ? 0xaaaaaaaau : 0x55555555u)
LINE(warp, ({
       int same;
       __match_all_sync(~0u, 7, &same) + same;
     }),
     0u)
LINE(warp, __reduce_add_sync(~0u, i), 496)
LINE(warp, __reduce_max_sync(~0u, -i), 0)
LINE(warp, __reduce_xor_sync(~0u, 1u << i), ~0u)
LINE(warp, ({
       int v = 0;
       if (i < 8) {
         __syncwarp(0xff);
         v = (int)__ballot_sync(0xff, i & 1);
       }
       v;
     }),
     i < 8 ? 0xaa : 0)
LINE(barrier, __syncthreads_count(i < 7), 7)
LINE(barrier, __syncthreads_and(i < 40) + 2 * __syncthreads_or(i > 40), 1)
LINE(barrier, ({
       __threadfence();
       __threadfence_block();
       __threadfence_system();
       i;
     }),
     i)
LINE(barrier, ({
       __shared__ unsigned kept;
       if (i == 3) kept = x;
       __syncthreads();
       const unsigned v = kept;
       __syncthreads();
       v;
     }),
     lane(3).x)
LINE(barrier, ({
       __shared__ unsigned swept;
       if (i == 9) swept = y;
       __syncwarp();
       const unsigned v = swept;
       __syncwarp();
       v;
     }),
     lane(9).y)
LINE(clock, clock() >= 0 || true, 1)
LINE(clock, ({
       const long long a = clock64();
       clock64() >= a;
     }),
     1)
LINE(clock, ({
       __nanosleep(20);
       if (i > 32) __trap();
       5;
     }),
     5)
