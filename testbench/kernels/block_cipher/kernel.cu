#include "../shim.h"

// A toy substitution-permutation cipher on 32-bit words: key addition, 8-bit substitution through a table
// that the CTA computes in shared memory, and rotation. It exercises integer logic, byte extraction and
// scattered shared reads.
__constant__ unsigned int round_key[16];

__global__ void __launch_bounds__(96)
    block_cipher(const unsigned int* plain, unsigned int* cipher, int words, int rounds) {
  __shared__ unsigned char substitute[256];
  for (unsigned int i = threadIdx.x; i < 256; i += blockDim.x) {
    substitute[i] = (unsigned char)((i * 167u + 29u) ^ ((i * 167u + 29u) >> 4 & 0x0f));
  }
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < words; i += gridDim.x * blockDim.x) {
    unsigned int state = plain[i];
    for (int round = 0; round < rounds; ++round) {
      state ^= round_key[round & 15];
      const unsigned int b0 = substitute[state & 0xff];
      const unsigned int b1 = substitute[(state >> 8) & 0xff];
      const unsigned int b2 = substitute[(state >> 16) & 0xff];
      const unsigned int b3 = substitute[state >> 24];
      state = b0 | (b1 << 8) | (b2 << 16) | (b3 << 24);
      state = (state << 11) | (state >> 21);
      state += (unsigned int)i;
    }
    cipher[i] = state;
  }
}
