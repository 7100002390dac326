// One warp computes D = A x B + C with the functions of mma.h, for each shape, layout and type of A and B.

#include <mma.h>
#include <type_traits>

using namespace nvcuda;

template <int m, int n, int k, class T, class Data, class LayoutA, class LayoutB, class Sum>
static __device__ void product(const Data* a, const Data* b, const Sum* c, Sum* d, wmma::layout_t layout) {
  wmma::fragment<wmma::matrix_a, m, n, k, T, LayoutA> fa;
  wmma::fragment<wmma::matrix_b, m, n, k, T, LayoutB> fb;
  wmma::fragment<wmma::accumulator, m, n, k, Sum> fc, fd;
  const bool a_rows = std::is_same<LayoutA, wmma::row_major>::value,
             b_rows = std::is_same<LayoutB, wmma::row_major>::value;
  wmma::load_matrix_sync(fa, a, a_rows ? k : m);
  wmma::load_matrix_sync(fb, b, b_rows ? n : k);
  wmma::load_matrix_sync(fc, c, layout == wmma::mem_row_major ? n : m, layout);
  wmma::mma_sync(fd, fa, fb, fc);
  wmma::store_matrix_sync(d, fd, layout == wmma::mem_row_major ? n : m, layout);
}

#define PRODUCTS(name, m, n, k, T, Data, Sum)                                                     \
  extern "C" __global__ void name##_rr(const Data* a, const Data* b, const Sum* c, Sum* d) {      \
    product<m, n, k, T, Data, wmma::row_major, wmma::row_major>(a, b, c, d, wmma::mem_row_major); \
  }                                                                                               \
  extern "C" __global__ void name##_rc(const Data* a, const Data* b, const Sum* c, Sum* d) {      \
    product<m, n, k, T, Data, wmma::row_major, wmma::col_major>(a, b, c, d, wmma::mem_col_major); \
  }                                                                                               \
  extern "C" __global__ void name##_cr(const Data* a, const Data* b, const Sum* c, Sum* d) {      \
    product<m, n, k, T, Data, wmma::col_major, wmma::row_major>(a, b, c, d, wmma::mem_row_major); \
  }                                                                                               \
  extern "C" __global__ void name##_cc(const Data* a, const Data* b, const Sum* c, Sum* d) {      \
    product<m, n, k, T, Data, wmma::col_major, wmma::col_major>(a, b, c, d, wmma::mem_col_major); \
  }
#define THREE_SHAPES(name, T, Sum)              \
  PRODUCTS(name##_16_16, 16, 16, 16, T, T, Sum) \
  PRODUCTS(name##_32_8, 32, 8, 16, T, T, Sum)   \
  PRODUCTS(name##_8_32, 8, 32, 16, T, T, Sum)

THREE_SHAPES(half, __half, float)
THREE_SHAPES(halves, __half, __half)
THREE_SHAPES(brain, __nv_bfloat16, float)
THREE_SHAPES(bytes, signed char, int)
THREE_SHAPES(unsigned_bytes, unsigned char, int)
PRODUCTS(tf32_16_16, 16, 16, 8, wmma::precision::tf32, float, float)
PRODUCTS(double_8_8, 8, 8, 4, double, double, double)

// Tests operations on single elements of fragments, sums of mixed types, and saturation.
extern "C" __global__ void elements(const __half* a, const signed char* bytes, float* sums, int* counts) {
  wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::col_major> fb;
  wmma::fragment<wmma::accumulator, 16, 16, 16, __half> half_sum;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
  wmma::load_matrix_sync(fa, a, 16);
  wmma::fill_fragment(fb, __half(1.0f));
  wmma::fill_fragment(half_sum, __half(0.5f));
  wmma::mma_sync(sum, fa, fb, half_sum);
  for (int t = 0; t < sum.num_elements; ++t) sum.x[t] = 2.0f * sum.x[t];
  wmma::store_matrix_sync(sums, sum, 16, wmma::mem_row_major);
  wmma::fragment<wmma::matrix_a, 16, 16, 16, signed char, wmma::row_major> ba;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, signed char, wmma::col_major> bb;
  wmma::fragment<wmma::accumulator, 16, 16, 16, int> count;
  wmma::load_matrix_sync(ba, bytes, 16);
  wmma::fill_fragment(bb, (signed char)127);
  wmma::fill_fragment(count, 0x7fffffff);
  wmma::mma_sync(count, ba, bb, count, true);
  wmma::store_matrix_sync(counts, count, 16, wmma::mem_row_major);
}
