#include "../shim.h"

constexpr int alphabet = 32;

// Finds a pattern in a text by Horspool's method. Every thread searches its own `stretch` characters of the text, with
// the table of shifts in the thread's local memory. The thread counts and marks the matches that begin in its
// characters.
__global__ void string_search(const unsigned char* text, const unsigned char* pattern, unsigned char* found,
                              unsigned int* counts, int text_length, int pattern_length, int stretch) {
  unsigned char shift[alphabet];
  for (int k = 0; k < alphabet; ++k) shift[k] = (unsigned char)pattern_length;
  for (int k = 0; k < pattern_length - 1; ++k) {
    shift[pattern[k] % alphabet] = (unsigned char)(pattern_length - 1 - k);
  }
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  const int begin = thread * stretch;
  const int end = min(begin + stretch, text_length - pattern_length + 1);
  unsigned int count = 0;
  int at = begin;
  while (at < end) {
    int k = pattern_length - 1;
    while (k >= 0 && text[at + k] == pattern[k]) --k;
    if (k < 0) {
      found[at] = 1;
      ++count;
    }
    at += shift[text[at + pattern_length - 1] % alphabet];
  }
  counts[thread] = count;
}
